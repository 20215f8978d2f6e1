import mongoose, { Types } from "mongoose";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createSession, listSessions, readSession } from "~/services/accounts/sessions.server";
import { writes } from "~/services/limits.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import type { ReviewSort } from "~/services/reviews/limits";
import { listReviews } from "~/services/reviews/list.server";
import { MY_REVIEWS_PER_PAGE, myReviews } from "~/services/reviews/my-reviews.server";
import { pageOfReviews, REVIEWS_PER_PAGE } from "~/services/reviews/page.server";
import { updateReview } from "~/services/reviews/update.server";
import { Review } from "../../models/review";
import { useDatabase } from "../support/database";
import { explain, explains, indexInOrder, type Sent, sentBy, sortOf } from "../support/explain";
import { as, makeGuest, makeTour, makeUser } from "../support/factories";

// By which indexes the app's commands find what they ask for, and how much is read for it: as the server
// explains it, where it does so truly (docs/decisions/005-embedded-database.md); elsewhere that there is an
// index with filter and order.

useDatabase();

let isTrue = false;
beforeAll(async () => {
  isTrue = await explains();
});

const TOUR = 300;
const ELSEWHERE = 600;

/** A tour among others, and an explorer with reviews of many tours. */
async function scene() {
  const tour = await makeTour();
  const guest = await makeGuest(tour);
  const id = () => new Types.ObjectId();
  const review = (n: number, fields: object) => ({
    ...{ tourId: id(), userId: id(), rating: 1 + (n % 5), comment: null },
    createdAt: new Date(Date.now() - n * 1_000),
    ...fields,
  });
  await Review.insertMany([
    ...Array.from({ length: TOUR }, (_, n) => review(n, { tourId: tour._id })),
    ...Array.from({ length: ELSEWHERE }, (_, n) => review(n, n % 4 ? {} : { userId: guest._id })),
  ]);
  return { tour, guest, tourId: tour._id.toString() };
}

const named = (sent: Sent[], collection: string) =>
  sent.filter((one) => one.collection === collection);

/**
 * None reads a collection, and each reads at most so many documents; an aggregation of a tour's reviews
 * those of the tour.
 */
async function expectBounded(sent: Sent[], documents: number): Promise<void> {
  expect(sent).not.toEqual([]);
  if (!isTrue) return;
  for (const one of sent) {
    const plan = await explain(one);
    const what = JSON.stringify(one.command);
    expect(plan.stages, what).not.toContain("COLLSCAN");
    const most = one.name === "aggregate" ? TOUR + 1 : documents;
    expect(plan.documents, what).toBeLessThanOrEqual(most);
  }
}

describe("a page of a tour", () => {
  test.each<[ReviewSort, number | null]>([
    ["newest", null],
    ["newest", 3],
    ["highest", null],
    ["highest", 2],
    ["lowest", null],
    ["lowest", 5],
  ])("%s, of %s stars, comes from an index with filter and order", async (sort, stars) => {
    const { tourId } = await scene();
    // The first one also looks for reviews that no index has in its place, which is then known for a while.
    const first = await pageOfReviews(tourId, { sort, stars, after: null });
    expect(first.next).not.toBeNull();
    for (const after of [null, first.next]) {
      const sent = named(
        await sentBy(() => pageOfReviews(tourId, { sort, stars, after })),
        Review.collection.name,
      );
      expect(sent).not.toEqual([]);
      for (const one of sent) {
        expect(indexInOrder(one), JSON.stringify(one.command)).toBeDefined();
        expect(one.command.limit).toBeLessThanOrEqual(REVIEWS_PER_PAGE + 1);
        if (!isTrue) continue;
        const { stages, documents } = await explain(one);
        expect(stages).toContain("IXSCAN");
        expect(stages).not.toContain("SORT");
        // The last one of the page before is looked at, too.
        expect(documents).toBeLessThanOrEqual(Number(one.command.limit) + (after ? 1 : 0));
      }
    }
  });
});

test("a list comes from an index with filter and order", async () => {
  const { tourId } = await scene();
  await listReviews(tourId);
  await mongoose.connection
    .collection("tours")
    .updateOne({ _id: new Types.ObjectId(tourId) }, { $inc: { ratingsVersion: 1 } });
  const sent = named(await sentBy(() => listReviews(tourId)), Review.collection.name);
  expect(sent.length).toBeGreaterThan(0);
  for (const one of sent) {
    expect(indexInOrder(one), JSON.stringify(one.command)).toBeDefined();
    if (!isTrue) continue;
    const { stages, documents } = await explain(one);
    expect(stages).not.toContain("SORT");
    expect(documents).toBe(TOUR);
  }
});

test("a page of one's own reviews comes from an index with filter and order", async () => {
  const { guest } = await scene();
  const first = await myReviews(as(guest));
  for (const after of [null, first.next]) {
    const sent = named(await sentBy(() => myReviews(as(guest), { after })), Review.collection.name);
    await expectBounded(sent, ELSEWHERE / 4);
    const dated = sent.filter(({ command }) => sortOf(command)[0]?.[0] === "createdAt");
    expect(dated).not.toEqual([]);
    for (const one of dated) {
      expect(indexInOrder(one), JSON.stringify(one.command)).toBeDefined();
      if (!isTrue) continue;
      const { stages, documents } = await explain(one);
      expect(stages).not.toContain("SORT");
      expect(documents).toBeLessThanOrEqual(MY_REVIEWS_PER_PAGE + 2);
    }
  }
});

describe("what every request and change asks", () => {
  /** Others, so that reading a collection shows. */
  const OTHERS = 20;
  beforeEach(async () => {
    for (let n = 0; n < OTHERS; n++) await makeGuest({ _id: new Types.ObjectId() });
  });

  it("finds a session and a user's sessions by an index", async () => {
    const end = new Date(Date.now() + 60_000);
    for (let n = 0; n < OTHERS; n++)
      await createSession({ userId: new Types.ObjectId().toString() }, end);
    const user = await makeUser();
    const session = await createSession({ userId: user._id.toString() }, end);
    await expectBounded(await sentBy(() => readSession(session)), 1);
    await expectBounded(await sentBy(() => listSessions(as(user), session)), 1);
  });

  it("counts a limit by an index", async () => {
    for (let n = 0; n < OTHERS; n++) await writes.consume(`other ${n}`);
    await writes.consume("me");
    await expectBounded(await sentBy(() => writes.consume("me")), 1);
  });

  it("posts, edits and deletes a review by indexes", async () => {
    const { guest, tourId } = await scene();
    let id = "";
    const post = async () => ({ id } = await createReview(as(guest), { tourId, rating: 4 }));
    await expectBounded(await sentBy(post), 1);
    await expectBounded(await sentBy(() => updateReview(as(guest), id, { rating: 2 })), 1);
    await expectBounded(await sentBy(() => deleteReview(as(guest), id)), 1);
  });
});
