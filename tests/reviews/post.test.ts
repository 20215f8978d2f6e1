import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { describe, expect, it, vi } from "vitest";
import { KEY_LIFETIME_MS, postReview } from "~/reviews/post.server";
import { IdempotencyKey } from "#models/idempotency-key";
import { Review } from "#models/review";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";
import { setTime } from "../support/time";

const KEY = "8e03978e-40d5-43e6-bc93-6894a57f9324";
const ALREADY = "You have already reviewed this tour";
useDatabase();

/** An explorer who may review a tour. */
async function scene() {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour, { name: "Ann" });
  return { guest, body: { tourId: tour._id.toString(), rating: 5, comment: "Fine" } };
}

describe("a post whose count is not done", () => {
  const later = async (error?: Error) => {
    await sleep(100);
    if (error) throw error;
  };
  const refusal = new Error("too many");

  it("is stored only after the count", async () => {
    const { guest, body } = await scene();
    const posted = postReview(as(guest), body, { counted: later() });
    await sleep(50);
    expect(await Review.countDocuments()).toBe(0);
    await posted;
    expect(await Review.countDocuments()).toBe(1);
  });

  it.each([
    ["may be stored", {}],
    ["is refused for its body", { rating: 9 }],
    ["is refused for its tour", { tourId: "f".repeat(24) }],
  ])("and which %s is refused as one too many", async (_, wrong) => {
    const { guest, body } = await scene();
    const post = postReview(as(guest), { ...body, ...wrong }, { counted: later(refusal) });
    await expect(post).rejects.toBe(refusal);
    expect(await Review.countDocuments()).toBe(0);
  });
});

describe("a post that fails", () => {
  it("returns the stored review when only the answer to its commit was lost", async () => {
    const { guest, body } = await scene();
    const commit = vi
      .spyOn(mongoose.mongo.ClientSession.prototype, "withTransaction")
      .mockImplementationOnce(async function (this: mongoose.ClientSession, work) {
        await this.withTransaction(work);
        throw new Error("the answer was lost");
      });
    expect(await postReview(as(guest), body, { key: KEY })).toMatchObject({ replayed: true });
    commit.mockRestore();
    expect(await Review.countDocuments()).toBe(1);
  });
});

describe("after 24 hours", () => {
  // By the database's own clock nothing expires here.
  const START = Date.now();
  const after = (ms: number) => new Date(START + ms);

  it("a key can be used anew, even before the database has removed it", async () => {
    const { guest, body } = await scene();
    const post = () => postReview(as(guest), body, { key: KEY });
    setTime(START);
    const { review } = await post();
    setTime(after(KEY_LIFETIME_MS - 1));
    expect(await post()).toEqual({ review, replayed: true });
    setTime(after(KEY_LIFETIME_MS));
    await expect(post()).rejects.toMatchObject({ status: 400, message: ALREADY });

    await Review.deleteMany();
    const next = await post();
    expect(next.replayed).toBe(false);
    expect(next.review.id).not.toBe(review.id);
    expect(await IdempotencyKey.find().lean()).toMatchObject([
      { key: KEY, expiresAt: after(2 * KEY_LIFETIME_MS) },
    ]);
    setTime(after(KEY_LIFETIME_MS + 1));
    expect(await post()).toEqual({ review: next.review, replayed: true });
  });
});
