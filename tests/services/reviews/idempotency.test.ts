import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createReviewOnce, KEY_LIFETIME_MS } from "~/services/reviews/idempotency.server";
import { writes } from "~/services/limits.server";
import { createReview } from "~/services/reviews/create.server";
import { IdempotencyKey } from "../../../models/idempotency-key";
import { Review } from "../../../models/review";
import { useDatabase } from "../../support/database";
import { as, makeBookedExplorer, makeTour } from "../../support/factories";

const KEY = "8e03978e-40d5-43e6-bc93-6894a57f9324";
const ALREADY = "You have already reviewed this tour";
useDatabase();

/** An explorer who may review a tour. */
async function scene() {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour, { name: "Ann" });
  return { guest, body: { tourId: tour._id.toString(), rating: 5, comment: "Fine" } };
}

describe("a post that fails", () => {
  it("returns the stored review when only the answer to its commit was lost", async () => {
    const { guest, body } = await scene();
    const commit = vi
      .spyOn(mongoose.mongo.ClientSession.prototype, "withTransaction")
      .mockImplementationOnce(async function (this: mongoose.ClientSession, work) {
        await this.withTransaction(work);
        throw new Error("the answer was lost");
      });
    expect(await createReviewOnce(as(guest), KEY, body)).toMatchObject({ replayed: true });
    commit.mockRestore();
    expect(await Review.countDocuments()).toBe(1);
  });
});

describe("after 24 hours", () => {
  // By the database's own clock nothing expires here.
  const START = Date.now();
  const after = (ms: number) => () => new Date(START + ms);

  it("a key can be used anew, even before the database has removed it", async () => {
    const { guest, body } = await scene();
    const { review } = await createReviewOnce(as(guest), KEY, body, { clock: after(0) });
    const last = await createReviewOnce(as(guest), KEY, body, {
      clock: after(KEY_LIFETIME_MS - 1),
    });
    expect(last).toEqual({ review, replayed: true });
    await expect(
      createReviewOnce(as(guest), KEY, body, { clock: after(KEY_LIFETIME_MS) }),
    ).rejects.toMatchObject({ status: 400, message: ALREADY });

    await Review.deleteMany();
    const next = await createReviewOnce(as(guest), KEY, body, { clock: after(KEY_LIFETIME_MS) });
    expect(next.replayed).toBe(false);
    expect(next.review.id).not.toBe(review.id);
    expect(await IdempotencyKey.find().lean()).toMatchObject([
      { key: KEY, expiresAt: after(2 * KEY_LIFETIME_MS)() },
    ]);
    const again = await createReviewOnce(as(guest), KEY, body, {
      clock: after(KEY_LIFETIME_MS + 1),
    });
    expect(again).toEqual({ review: next.review, replayed: true });
  });

  it("the database removes it", async () => {
    const indexes = await IdempotencyKey.collection.indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }),
    );
  });
});

describe("what is asked of the database", () => {
  let commands: string[] = [];
  const record = ({ command, commandName }: { command: object; commandName: string }) => {
    const { [commandName]: target } = command as Record<string, unknown>;
    commands.push(typeof target === "string" ? `${commandName} ${target}` : commandName);
  };
  beforeAll(() => mongoose.connection.getClient().on("commandStarted", record as never));
  afterAll(() => mongoose.connection.getClient().off("commandStarted", record as never));

  it("is the same as ever without the header", async () => {
    const { guest, body } = await scene();
    // The first of a user's window makes the document that counts it.
    await writes.consume(guest._id.toString());
    commands = [];
    await createReview(as(guest), body);
    expect(commands).toEqual([
      "findAndModify tourReviews.rateLimits",
      "find tours",
      "find reviews",
      "find bookings",
      "update tours",
      "aggregate bookings",
      "insert reviews",
      "insert tourReviews.notifications",
      "aggregate reviews",
      "update tours",
      "commitTransaction",
    ]);
  });

  it("is one look at the key for a replay", async () => {
    const { guest, body } = await scene();
    await createReviewOnce(as(guest), KEY, body);
    commands = [];
    await createReviewOnce(as(guest), KEY, body);
    expect(commands).toEqual(["find tourReviews.idempotencyKeys"]);
  });
});
