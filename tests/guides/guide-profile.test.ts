import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { GUIDE_REVIEWS, guideProfile, REVIEWED_TOURS } from "~/guides/guide-profile.server";
import { TOURS_PER_PAGE } from "~/tours/tours.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const NOT_FOUND = { status: 404, message: "Guide not found" };

/** Many tours of one guide, as an import writes them. */
async function makeTours(count: number, createdById: Types.ObjectId) {
  const tours = Array.from({ length: count }, (_, n) => ({
    _id: new Types.ObjectId(),
    title: `Tour ${n}`,
    slug: `tour-${n}`,
    createdById,
    avgRating: 4,
    reviewCount: n,
  }));
  await Tour.insertMany(tours);
  return tours;
}

describe("a guide's page", () => {
  it("shows no drawing twice", async () => {
    const guide = await makeUser();
    for (let n = 0; n < 6; n++) await makeTour({ createdById: guide._id, title: "Sailing" });
    const { items } = (await guideProfile(guide._id.toString(), 1)).tours;
    expect(new Set(items.map(({ cover }) => cover)).size).toBe(6);
  });

  it("has the guide, the tours with the most reviews first, and the newest reviews", async () => {
    const guide = await makeUser({ name: "Gwen", image: "https://example.test/gwen.png" });
    const quiet = await makeTour({ createdById: guide._id, title: "Quiet" });
    const busy = await makeTour({ createdById: guide._id, title: "Busy" });
    const foreign = await makeTour();
    await makeReview(await makeUser({ name: "Ann" }), busy, { rating: 5, createdAt: ago(9) });
    await makeReview(await makeUser({ name: "Bob" }), busy, { rating: 4, createdAt: ago(7) });
    await makeReview(await makeUser({ name: "Cid" }), quiet, { rating: 1, createdAt: ago(8) });
    await makeReview(await makeUser(), foreign, { createdAt: ago(1) });
    const profile = await guideProfile(guide._id.toString().toUpperCase(), 1);
    expect(profile).toMatchObject({
      id: guide._id.toString(),
      name: "Gwen",
      image: guide.image,
      tourCount: 2,
      reviewCount: 3,
      tours: { page: 1, pages: 1 },
    });
    // The mean of the three ratings, and not that of the tours' means.
    expect(profile.avgRating).toBeCloseTo(10 / 3);
    expect(profile.tours.items.map(({ title }) => title)).toEqual(["Busy", "Quiet"]);
    expect(profile.reviews.map(({ user, tour }) => [user.name, tour.title])).toEqual([
      ["Bob", "Busy"],
      ["Cid", "Quiet"],
      ["Ann", "Busy"],
    ]);
    expect(JSON.stringify(profile)).not.toContain(guide.email);
  });

  it("of a guide with hundreds of tours has one page of them, and the newest reviews of a few", async () => {
    const guide = await makeUser();
    const tours = await makeTours(500, guide._id);
    await Review.insertMany(
      tours.slice(-REVIEWED_TOURS).map(({ _id }, n) => ({
        tourId: _id,
        userId: guide._id,
        rating: 4,
        comment: null,
        createdAt: ago(n),
      })),
    );
    const id = guide._id.toString();
    const first = await guideProfile(id, 1);
    expect(first).toMatchObject({ tourCount: 500, tours: { page: 1, pages: 42 } });
    expect(first.tours.items[0]!.title).toBe("Tour 499");
    expect(first.reviews).toHaveLength(GUIDE_REVIEWS);
    const last = await guideProfile(id, 1_000);
    expect(last.tours).toMatchObject({ page: 42, pages: 42 });
    expect(last.tours.items).toHaveLength(500 % TOURS_PER_PAGE);
  });

  it("does not exist for a user without tours, nor for what is no id", async () => {
    const explorer = await makeUser();
    await makeTour({ createdById: new Types.ObjectId("0".repeat(24)) });
    for (const id of [explorer._id.toString(), "0".repeat(24), "gwen", "", "__proto__"])
      await expect(guideProfile(id, 1)).rejects.toMatchObject(NOT_FOUND);
  });
});

describe("malformed records", () => {
  test.each<[string, (id: Types.ObjectId) => unknown]>([
    ["an id", (id) => id],
    ["text", String],
  ])("a tour names its guide by %s", async (_kind, stored) => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    await Tour.collection.updateOne(
      { _id: tour._id },
      { $set: { createdById: stored(guide._id), title: 7, avgRating: "5", reviewCount: "many" } },
    );
    const profile = await guideProfile(guide._id.toString(), 1);
    expect(profile).toMatchObject({ tourCount: 1, reviewCount: 0, avgRating: 0, reviews: [] });
    expect(profile.tours.items).toMatchObject([{ title: "Untitled tour" }]);
  });

  it("names a guide without a name, and one whose account is gone", async () => {
    const guide = await makeUser({ name: "" });
    await makeTour({ createdById: guide._id });
    expect((await guideProfile(guide._id.toString(), 1)).name).toBe("Guide");
    const gone = new Types.ObjectId();
    await User.deleteOne({ _id: gone });
    await makeTour({ createdById: gone });
    expect(await guideProfile(gone.toString(), 1)).toMatchObject({
      name: "A former guide",
      image: null,
    });
  });
});
