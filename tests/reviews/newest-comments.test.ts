import { describe, expect, it } from "vitest";
import { updateProfile } from "~/me/profile.server";
import { findUser } from "~/accounts/users.server";
import { deleteReview } from "~/reviews/delete.server";
import { findQuotes } from "~/reviews/list/newest-comments.server";
import { editReview } from "~/reviews/edit.server";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { as, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

/** The quotes of these tours as they are stored now. */
async function quotesOf(...tours: TourDocument[]) {
  const stored = await Tour.find({ _id: { $in: tours.map(({ _id }) => _id) } }).lean();
  const quotes = await findQuotes(stored);
  return tours.map(({ _id }) => quotes.get(_id.toString())?.text ?? null);
}

/** A review of that comment, so many seconds ago. */
const review = async (tour: TourDocument, comment: string | null, seconds = 0) => {
  const author = await makeUser();
  const createdAt = new Date(Date.now() - seconds * 1_000);
  return { author, ...(await makeReview(author, tour, { comment, createdAt })) };
};

describe("the quote of a tour", () => {
  it("is its newest comment, in one line", async () => {
    const [tour, silent, none] = [await makeTour(), await makeTour(), await makeTour()];
    await review(tour, "Older", 20);
    await review(tour, " Kind\n\n guide ", 10);
    await review(tour, null);
    await review(silent, " \n");
    expect(await quotesOf(tour, silent, none)).toEqual(["Kind guide", null, null]);
  });

  it("has whole sentences only, in the language of the pages first", async () => {
    const tour = await makeTour();
    const long = `I would not say that ${"this was a very long walk and ".repeat(8)}bad.`;
    await review(tour, "Wir hatten einen wunderschönen Tag am Meer.", 10);
    expect(await quotesOf(tour)).toEqual(["Wir hatten einen wunderschönen Tag am Meer."]);
    await review(tour, `Lovely guide. We laughed a lot! ${long}`, 20);
    expect(await quotesOf(tour)).toEqual(["Lovely guide. We laughed a lot!"]);
    await review(tour, long);
    expect(await quotesOf(tour)).toEqual(["Lovely guide. We laughed a lot!"]);
  });

  it("has stars next to the rounded mean, and says most", async () => {
    const tour = await makeTour();
    const rated = async (rating: number, comment: string, seconds: number) =>
      makeReview(await makeUser(), tour, {
        rating,
        comment,
        createdAt: new Date(Date.now() - seconds * 1_000),
      });
    await rated(5, "A day that none of us will forget.", 40);
    await rated(5, "Great.", 30);
    await rated(5, "Ein Tag, den wir alle nie mehr vergessen werden.", 20);
    await rated(4, "Good, and the boat was a little late for our train back to town.", 10);
    await rated(3, "It was not for me, because I am afraid of the sea and of boats.", 0);
    // The mean is 4.4.
    expect(await quotesOf(tour)).toEqual([
      "Good, and the boat was a little late for our train back to town.",
    ]);
    await rated(5, "Superb.", 0);
    expect(await quotesOf(tour)).toEqual(["A day that none of us will forget."]);
  });

  it("is what the newest change of any review has left", async () => {
    const tour = await makeTour();
    await review(tour, "First", 10);
    const { author, _id } = await review(tour, "Second");
    expect(await quotesOf(tour)).toEqual(["Second"]);
    await editReview(as(author), _id.toString(), { comment: "Third" });
    expect(await quotesOf(tour)).toEqual(["Third"]);
    await deleteReview(as(author), _id.toString());
    expect(await quotesOf(tour)).toEqual(["First"]);
  });
});

it("a quote names its author and stars, as they are now", async () => {
  const [tour, odd, gone] = [await makeTour(), await makeTour(), await makeTour()];
  const ann = await makeUser({ name: "Ann" });
  const { _id } = await makeReview(ann, tour, { comment: "Fine.", rating: 4 });
  await makeReview(await makeUser({ name: "" }), odd, { comment: "Fine." });
  await Review.collection.updateOne({ tourId: odd._id }, { $set: { rating: "five" } });
  const left = await makeUser();
  await makeReview(left, gone, { comment: "Gone." });
  await User.deleteOne({ _id: left._id });
  const stored = () => Tour.find().lean();
  const nobody = { name: "", image: null };
  const quotes = await findQuotes(await stored());
  expect(quotes.get(tour._id.toString())).toEqual({
    text: "Fine.",
    language: null,
    rating: 4,
    user: { name: "Ann", image: null },
  });
  expect(quotes.get(odd._id.toString())).toMatchObject({
    text: "Fine.",
    rating: null,
    user: nobody,
  });
  expect(quotes.get(gone._id.toString())).toMatchObject({ text: "Gone.", rating: 4, user: nobody });
  await editReview(as(ann), _id.toString(), { rating: 2 });
  await updateProfile((await findUser(ann._id.toString()))!, { name: "Ann Green", image: "" });
  expect((await findQuotes(await stored())).get(tour._id.toString())).toMatchObject({
    rating: 2,
    user: { name: "Ann Green" },
  });
});
