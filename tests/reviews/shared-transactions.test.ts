import mongoose, { type ClientSession } from "mongoose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Gauge } from "prom-client";
import { processRegistry } from "~/lib/metrics.server";
import { requestScope } from "~/lib/request-scope.server";
import { CHANGES_MS, inTransaction } from "~/db/transaction.server";
import { postReview } from "~/reviews/post.server";
import { deleteReview, deleteReviewOf } from "~/reviews/delete.server";
import { checkRatings } from "~/reviews/ratings.server";
import { changeTour, MAX_CHANGES_PER_TRANSACTION } from "~/reviews/change-tour.server";
import type { TourTransaction } from "~/reviews/tour-transaction.server";
import { editReview } from "~/reviews/edit.server";
import { Booking } from "#models/booking";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeReview, makeTour } from "../support/factories";

useDatabase();

let tour: TourDocument;
let ended: string[] = [];
const note = ({ commandName }: { commandName: string }) => {
  if (commandName.endsWith("Transaction")) ended.push(commandName.replace("Transaction", ""));
};
beforeEach(async () => {
  tour = await makeTour();
  mongoose.connection.getClient().on("commandStarted", note);
});
afterEach(() => {
  mongoose.connection.getClient().off("commandStarted", note);
  vi.restoreAllMocks();
});

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Begins a change that keeps the tour's queue waiting until it is released. */
async function hold() {
  const [begun, end] = [gate(), gate()];
  const work = () => (begun.open(), end.opened);
  const busy = changeTour(tour._id, work, { timeoutMs: 60_000 });
  await begun.opened;
  return async () => {
    end.open();
    await busy;
  };
}

/**
 * Keeps the tour's queue waiting while `work` starts changes, until `count` of them are in it, whose first
 * checks are over then, and `meanwhile` has happened.
 */
async function whileBusy(
  count: number,
  work: () => Promise<unknown>[],
  meanwhile: () => PromiseLike<unknown> = () => Promise.resolve(),
) {
  const release = await hold();
  const outcomes = Promise.allSettled(work());
  await vi.waitFor(async () => expect(await changesWaiting()).toBe(count), 30_000);
  await meanwhile();
  ended = [];
  await release();
  return outcomes;
}

const guests = (count: number): Promise<UserDocument[]> =>
  Promise.all(Array.from({ length: count }, () => makeBookedExplorer(tour)));
const body = (rating: number) => ({ tourId: tour._id.toString(), rating });
const version = async () => (await Tour.findById(tour._id).lean())!.ratingsVersion;
const ALREADY = "You have already reviewed this tour";
const SCOPE = { clientAddress: "192.0.2.1" };
const repeat = <Item>(item: Item, times: number) => Array.from({ length: times }, () => item);
const changesWaiting = async () => {
  const gauge = processRegistry.getSingleMetric("tour_reviews_changes_waiting") as Gauge;
  return (await gauge.get()).values[0]!.value;
};
const rename =
  (title: string) =>
  async ({ session }: TourTransaction) => {
    await Tour.updateOne({ _id: tour._id }, { $set: { title } }, { session });
  };

describe("changes that wait for one tour", () => {
  test("are made together, each with its own answer, e-mail and key", async () => {
    const [editor, deleter, ...posters] = await guests(2 + 10);
    const edited = (await makeReview(editor!, tour, { rating: 1 }))._id.toString();
    const deleted = (await makeReview(deleter!, tour, { rating: 1 }))._id.toString();
    const before = await version();

    const outcomes = await whileBusy(12, () => [
      ...posters.map((poster, n) =>
        n % 2
          ? postReview(as(poster), body((n % 5) + 1))
          : postReview(as(poster), body((n % 5) + 1), { key: "key" }),
      ),
      editReview(as(editor!), edited, { rating: 5 }),
      deleteReview(as(deleter!), deleted),
    ]);

    // That of whoever kept the queue waiting, and one for all.
    expect(ended).toEqual(["commit", "commit"]);
    expect(outcomes).toMatchObject([
      ...posters.map((poster, n) => ({
        status: "fulfilled",
        value: { review: { userId: poster._id.toString(), rating: (n % 5) + 1 } },
      })),
      { status: "fulfilled", value: { id: edited, rating: 5 } },
      { status: "fulfilled" },
    ]);
    expect(await Review.countDocuments()).toBe(11);
    expect(await Notification.countDocuments()).toBe(10);
    const keys = await IdempotencyKey.find({ key: "key" }).lean();
    expect(keys.map(({ userId }) => String(userId)).sort()).toEqual(
      posters
        .filter((_, n) => n % 2 === 0)
        .map(({ _id }) => String(_id))
        .sort(),
    );
    expect(await checkRatings()).toEqual([]);
    // One version a change.
    expect(await version()).toBe(before + 1 + 12);
  });

  test(`are ${MAX_CHANGES_PER_TRANSACTION} at most, in their order`, async () => {
    const order: number[] = [];
    await whileBusy(2 * MAX_CHANGES_PER_TRANSACTION + 1, () =>
      Array.from({ length: 2 * MAX_CHANGES_PER_TRANSACTION + 1 }, (_, n) =>
        changeTour(tour._id, () => Promise.resolve(void order.push(n))),
      ),
    );
    expect(ended).toEqual(["commit", "commit", "commit", "commit"]);
    expect(order).toEqual(Array.from({ length: 2 * MAX_CHANGES_PER_TRANSACTION + 1 }, (_, n) => n));
  });

  test("leave no place behind in the queue, which so many writers would fill", async () => {
    let made = 0;
    const writer = async () => {
      for (let n = 0; n < 25; n++) await changeTour(tour._id, () => Promise.resolve(void made++));
    };
    await Promise.all(Array.from({ length: 2 * MAX_CHANGES_PER_TRANSACTION }, writer));
    expect(made).toBe(2 * MAX_CHANGES_PER_TRANSACTION * 25);
  });

  test("do not include one with a bound of its own, such as an import's", async () => {
    const during: number[] = [];
    const write = () => Promise.resolve(void during.push(ended.length));
    const [one, large] = [{}, { timeoutMs: 60_000 }];
    await whileBusy(5, () =>
      [one, one, large, one, one].map((options) => changeTour(tour._id, write, options)),
    );
    expect(during).toEqual([1, 1, 2, 3, 3]);
  });

  test("keep the review count when all of them are edits", async () => {
    const [ann, bob, eve] = await guests(3);
    const ids: string[] = [];
    for (const author of [ann!, bob!]) ids.push((await makeReview(author, tour))._id.toString());
    const edits = () => [
      editReview(as(ann!), ids[0]!, { rating: 1 }),
      editReview(as(bob!), ids[1]!, { rating: 2 }),
    ];
    await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 99 } });
    await whileBusy(2, edits);
    const stored = () => Tour.findById(tour._id).lean();
    expect(await stored()).toMatchObject({ reviewCount: 99, avgRating: 1.5 });
    await whileBusy(3, () => [...edits(), postReview(as(eve!), body(3))]);
    expect(await stored()).toMatchObject({ reviewCount: 3, avgRating: 2 });
  });
});

describe("one that fails", () => {
  test("leaves the others together, and is asked once more by itself", async () => {
    const [first, cancelled, ...others] = await guests(8);
    const outcomes = await whileBusy(
      8,
      () => [first!, cancelled!, ...others].map((poster) => postReview(as(poster), body(4))),
      async () => {
        await Booking.updateMany({ userId: cancelled!._id }, { $set: { status: "CANCELLED" } });
      },
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      ...repeat("fulfilled", 6),
    ]);
    // That of whoever kept the queue waiting, the shared one, that of the others, and its own.
    expect(ended).toEqual(["commit", "abort", "commit", "abort"]);
    expect(await Review.countDocuments()).toBe(7);
    expect(await checkRatings()).toEqual([]);
  });

  test("affects no other, and leaves nothing", async () => {
    const posters = await guests(6);
    const [cancelled, gone, duplicate] = posters as [UserDocument, UserDocument, UserDocument];
    const outcomes = await whileBusy(
      7,
      () => [
        ...posters.map((poster) => postReview(as(poster), body(4), { key: "key" })),
        postReview(as(duplicate), body(4), { key: "another key" }),
      ],
      async () => {
        await Booking.updateMany({ userId: cancelled._id }, { $set: { status: "CANCELLED" } });
        await inTransaction((session) => User.deleteOne({ _id: gone._id }, { session }));
      },
    );
    const reasons = outcomes.map((outcome) =>
      outcome.status === "rejected" ? (outcome.reason as Error).message : "created",
    );
    const duplicates = [reasons[2], reasons.pop()];
    expect(duplicates.sort()).toEqual([ALREADY, "created"]);
    expect([...reasons.slice(0, 2), ...reasons.slice(3)]).toEqual([
      expect.stringMatching(/24 hours/),
      "Unauthorized",
      "created",
      "created",
      "created",
    ]);
    // That of whoever kept the queue waiting.
    expect(ended.shift()).toBe("commit");
    // The unique index does not say which one of two posts it refuses: then each gets its own.
    expect(ended.filter((end) => end === "commit")).toHaveLength(4);
    for (const model of [Review, Notification, IdempotencyKey])
      expect(await model.countDocuments()).toBe(4);
    expect(await checkRatings()).toEqual([]);
  });

  test("because its request was given up does not affect the others", async () => {
    const written: string[] = [];
    const scopes = ["a", "b", "c"].map((requestId) => ({
      ...SCOPE,
      requestId,
      abort: new AbortController(),
    }));
    const outcomes = await whileBusy(3, () =>
      scopes.map((scope) =>
        requestScope.run(scope, () =>
          changeTour(tour._id, async (tx) => {
            await rename(scope.requestId)(tx);
            written.push(scope.requestId);
            // After its own write, before the commit.
            if (scope.requestId === "b") scope.abort.abort();
          }),
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { status: 503, retryAfter: 5 } });
    // Together without it: b is not written again.
    expect(written).toEqual(["a", "b", "c", "a", "c"]);
    expect(ended).toEqual(["commit", "abort", "commit"]);
    expect((await Tour.findById(tour._id).lean())!.title).toBe("c");
  });

  test("because the answer to the commit was lost is not tried again", async () => {
    const runs: number[] = [];
    const withTransaction = vi.spyOn(mongoose.mongo.ClientSession.prototype, "withTransaction");
    const outcomes = await whileBusy(
      2,
      () => [1, 2].map((run) => changeTour(tour._id, () => Promise.resolve(void runs.push(run)))),
      () => {
        withTransaction.mockImplementationOnce(async function (this: ClientSession, work) {
          await this.withTransaction(work);
          throw new Error("the answer was lost");
        });
        return Promise.resolve();
      },
    );
    const reason = {
      status: 503,
      message: /^We cannot tell/,
      cause: { message: "the answer was lost" },
    };
    expect(outcomes).toMatchObject(repeat({ reason }, 2));
    for (const outcome of outcomes) expect(outcome).not.toHaveProperty("reason.retryAfter");
    expect(runs).toEqual([1, 2]);
  });
});

test("an account's deletion and a post of its author in one transaction leave nothing", async () => {
  const [ann] = await guests(1);
  const outcomes = await whileBusy(
    1,
    () => [postReview(as(ann!), body(5))],
    async () => {
      await inTransaction((session) => User.deleteOne({ _id: ann!._id }, { session }));
      void deleteReviewOf(ann!._id, tour._id);
    },
  );
  expect(outcomes).toMatchObject([{ reason: { status: 401 } }]);
  await changeTour(tour._id, () => Promise.resolve());
  expect(await Review.countDocuments()).toBe(0);
});

describe("the queue of a tour", () => {
  const TOO_LATE = CHANGES_MS;

  test("refuses a change that has waited too long, and writes nothing of it", async () => {
    const release = await hold();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const late = [1, 2].map(() => changeTour(tour._id, rename("late")));
    const outcomes = Promise.allSettled(late);
    await vi.advanceTimersByTimeAsync(TOO_LATE + 1);
    expect(await outcomes).toMatchObject(
      repeat({ status: "rejected", reason: { status: 503, retryAfter: 5 } }, 2),
    );
    vi.useRealTimers();
    await release();
    await changeTour(tour._id, () => Promise.resolve());
    expect((await Tour.findById(tour._id).lean())!.title).toBe(tour.title);
  });

  test("does not refuse a change that is being written when that time is over", async () => {
    const release = await hold();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const written = gate();
    let begun = false;
    const write = (title: string) => async (tx: TourTransaction) => {
      begun = true;
      await written.opened;
      await rename(title)(tx);
    };
    const shared = ["x", "y"].map((title) => changeTour(tour._id, write(title)));
    await vi.advanceTimersByTimeAsync(TOO_LATE - 2_000);
    await release();
    await vi.waitFor(() => expect(begun).toBe(true), 30_000);
    await vi.advanceTimersByTimeAsync(3_000);
    written.open();
    await Promise.all(shared);
    expect((await Tour.findById(tour._id).lean())!.title).toBe("y");
  });

  test("refuses at once when 500 wait", async () => {
    const release = await hold();
    let written = 0;
    const add = () => changeTour(tour._id, () => Promise.resolve(void written++));
    const waiting = Array.from({ length: 500 }, add);
    await expect(add()).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    await release();
    await Promise.all(waiting);
    expect(written).toBe(500);
  });
});
