import { Types } from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { myReviews, toursToReview } from "~/services/reviews/my-reviews.server";
import { EDIT_WINDOW_MS } from "~/services/reviews/limits";
import { updateReview } from "~/services/reviews/update.server";
import { Review } from "../../../models/review";
import { useDatabase } from "../../support/database";
import { as, makeBooking, makeReview, makeTour, makeUser } from "../../support/factories";

useDatabase();
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
const NOW = new Date("2026-05-20T12:00:00Z");
const before = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR_MS = 60 * 60 * 1_000;

describe("my reviews", () => {
  test("are the user's own, newest first, with their tours and what can be done", async () => {
    const [old, edge, fresh] = [
      await makeTour({ title: "Old" }),
      await makeTour({ title: "Edge" }),
      await makeTour({ title: "Fresh" }),
    ];
    const ann = await makeUser();
    const edgeReview = await makeReview(ann, edge, { createdAt: before(EDIT_WINDOW_MS) });
    await makeReview(ann, old, { createdAt: before(EDIT_WINDOW_MS + 1), comment: "Long ago" });
    await makeReview(ann, fresh, { createdAt: NOW, rating: 2, editedAt: NOW });
    await makeReview(await makeUser(), fresh, { createdAt: NOW });

    expect(await myReviews(as(ann), { clock: () => NOW })).toEqual([
      {
        id: ID,
        rating: 2,
        comment: null,
        createdAt: NOW.toISOString(),
        edited: true,
        editableUntil: new Date(NOW.getTime() + EDIT_WINDOW_MS).toISOString(),
        tour: { title: "Fresh", slug: fresh.slug },
      },
      // What the page says can be edited is what a PATCH takes: not strictly more than 24 hours.
      expect.objectContaining({ id: edgeReview._id.toString(), editableUntil: NOW.toISOString() }),
      expect.objectContaining({ comment: "Long ago", edited: false, editableUntil: null }),
    ]);
    const edit = updateReview(
      as(ann),
      edgeReview._id.toString(),
      { rating: 1 },
      { clock: () => NOW },
    );
    await expect(edit).resolves.toMatchObject({ rating: 1 });
  });

  test("of a tour that is gone are still there", async () => {
    const ann = await makeUser();
    await makeReview(ann, { _id: new Types.ObjectId() });
    expect(await myReviews(as(ann), { clock: () => NOW })).toMatchObject([{ tour: null }]);
  });

  test("cost the same number of queries however many they are", async () => {
    const ann = await makeUser();
    for (let count = 0; count < 4; count++) {
      await makeReview(ann, await makeTour());
      await makeBooking(ann, await makeTour());
    }
    const sent = vi.fn();
    const client = Review.db.getClient().on("commandStarted", sent);
    expect(await myReviews(as(ann), { clock: () => NOW })).toHaveLength(4);
    expect(sent).toHaveBeenCalledTimes(2);
    expect(await toursToReview(as(ann))).toHaveLength(4);
    expect(sent).toHaveBeenCalledTimes(5);
    client.off("commandStarted", sent);
  });
});

test("tours to review have a completed booking and no review, and are others' tours", async () => {
  const ann = await makeUser();
  const [early, late, undated, reviewed, open, others] = [
    await makeTour({ title: "Early" }),
    await makeTour({ title: "Late" }),
    await makeTour({ title: "Undated" }),
    await makeTour(),
    await makeTour(),
    await makeTour(),
  ];
  await makeBooking(ann, early, { date: before(9 * HOUR_MS) });
  await makeBooking(ann, late, { date: before(4 * HOUR_MS) });
  await makeBooking(ann, late, { date: before(2 * HOUR_MS) });
  await makeBooking(ann, undated);
  await makeBooking(ann, reviewed);
  await makeReview(ann, reviewed);
  await makeBooking(ann, open, { status: "CONFIRMED" });
  await makeBooking(await makeUser(), others);
  await makeBooking(ann, await makeTour({ createdById: ann._id }));
  await makeBooking(ann, { _id: new Types.ObjectId() });

  expect(await toursToReview(as(ann))).toEqual([
    { title: "Late", slug: late.slug, date: before(2 * HOUR_MS).toISOString() },
    { title: "Early", slug: early.slug, date: before(9 * HOUR_MS).toISOString() },
    { title: "Undated", slug: undated.slug, date: null },
  ]);
});
