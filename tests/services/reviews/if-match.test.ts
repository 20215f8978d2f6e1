import { Types } from "mongoose";
import { describe, expect, it, test, vi } from "vitest";
import { deleteReview } from "~/services/reviews/delete.server";
import { reviewTag } from "~/store/reviews/public-review.server";
import { editReview } from "~/services/reviews/edit.server";
import { Review } from "../../../models/review";
import { useDatabase } from "../../support/database";
import { as, makeBookedExplorer, makeReview, makeTour } from "../../support/factories";

const CHANGED = "The review was changed meanwhile";
useDatabase();
/** A review that its author has just posted, and its tag. */
async function posted() {
  const tour = await makeTour();
  const author = await makeBookedExplorer(tour);
  const review = await makeReview(author, tour, { rating: 5, comment: "Fine" });
  const id = review._id.toString();
  return { author, id, tag: reviewTag({ id, rating: 5, comment: "Fine" }) };
}

it("knows reviews of a platform that keeps no comment, or an empty one", async () => {
  const tour = await makeTour();
  for (const fields of [{ $unset: { comment: "" } }, { $set: { comment: "" } }] as const) {
    const author = await makeBookedExplorer(tour);
    const { _id } = await makeReview(author, tour);
    await Review.collection.updateOne({ _id }, fields);
    const tag = reviewTag({ id: _id.toString(), rating: 4, comment: null });
    expect(
      await editReview(as(author), _id.toString(), { rating: 3 }, { ifMatch: [tag] }),
    ).toMatchObject({
      rating: 3,
    });
  }
});

describe("between the check and the write", () => {
  /** The first reading of the review sees it as it was; then somebody else changes it. */
  function changeAfterCheck(id: string, change: object) {
    const findById = Review.findById.bind(Review);
    vi.spyOn(Review, "findById").mockImplementationOnce(((...args: [string]) => ({
      lean: async () => {
        const review = await findById(...args).lean();
        await Review.updateOne({ _id: id }, change);
        return review;
      },
    })) as never);
  }

  test.each([{ rating: 1 }, { comment: "Changed" }, { comment: null }])(
    "a change to %j is noticed",
    async (change) => {
      for (const method of ["update", "delete"] as const) {
        const { author, id, tag } = await posted();
        changeAfterCheck(id, change);
        const late =
          method === "update"
            ? editReview(as(author), id, { rating: 2 }, { ifMatch: [tag] })
            : deleteReview(as(author), id, { ifMatch: [tag] });
        await expect(late).rejects.toMatchObject({ status: 412, message: CHANGED });
        expect(await Review.findById(id).lean()).toMatchObject(change);
        expect((await Review.findById(id).lean())!.rating).toBe("rating" in change ? 1 : 5);
      }
    },
  );

  test("a change between the second read and the write makes the edit read again", async () => {
    const { author, id, tag } = await posted();
    const updateOne = Review.updateOne.bind(Review);
    vi.spyOn(Review, "updateOne").mockImplementationOnce((async (...args: [object, object]) => {
      await Review.collection.updateOne({ _id: new Types.ObjectId(id) }, { $set: { rating: 1 } });
      return updateOne(...args);
    }) as never);
    const late = editReview(as(author), id, { rating: 2 }, { ifMatch: [tag] });
    await expect(late).rejects.toMatchObject({ status: 412, message: CHANGED });
    expect((await Review.findById(id).lean())!.rating).toBe(1);
  });

  test("without If-Match it changes what is there", async () => {
    const { author, id } = await posted();
    changeAfterCheck(id, { comment: "Changed" });
    expect(await editReview(as(author), id, { rating: 2 })).toMatchObject({
      rating: 2,
      comment: "Changed",
    });
  });
});
