import mongoose, { mongo, type ClientSession } from "mongoose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { requestScope, type RequestScope } from "~/lib/request-scope.server";
import { CHANGES_MS, inTransaction } from "~/db/transaction.server";
import { Tour, type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeTour } from "../support/factories";

useDatabase();
afterEach(() => void vi.restoreAllMocks());

const SCOPE = { requestId: "1", clientAddress: "192.0.2.1" };
const NOTHING_STORED = { status: 503, message: /Nothing was stored/, retryAfter: 5 };

const rename = ({ _id }: TourDocument, session: ClientSession) =>
  Tour.updateOne({ _id }, { $set: { title: "changed" } }, { session });
const titleOf = async ({ _id }: TourDocument) => (await Tour.findById(_id).lean())!.title;

/** A promise, and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

test("a transaction that meets many conflicts in a row still comes through in its time", async () => {
  let conflicts = 60;
  const work = () => {
    if (conflicts-- > 0)
      throw new mongo.MongoServerError({
        message: "WriteConflict",
        code: 112,
        errorLabels: ["TransientTransactionError"],
      });
    return Promise.resolve("done");
  };
  expect(await inTransaction(work)).toBe("done");
});

test("nothing is committed for a request that was given up", async () => {
  const tour = await makeTour();
  const change = () => inTransaction((session) => rename(tour, session));
  const early = { ...SCOPE, abort: new AbortController() };
  early.abort.abort();
  await expect(requestScope.run(early, change)).rejects.toMatchObject(NOTHING_STORED);
  // Also when that happens in the middle.
  const late = { ...SCOPE, abort: new AbortController() };
  const giveUp = () =>
    inTransaction(async (session) => {
      await rename(tour, session);
      late.abort.abort();
    });
  await expect(requestScope.run(late, giveUp)).rejects.toMatchObject(NOTHING_STORED);
  expect(await titleOf(tour)).toBe(tour.title);
  await requestScope.run({ ...SCOPE }, change);
  expect(await titleOf(tour)).toBe("changed");
});

describe("the time of a transaction", () => {
  /** Begins one that changes the tour when `resume` is called. */
  async function begin(tour: TourDocument, scope?: RequestScope) {
    const [begun, held, worked] = [gate(), gate(), gate()];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const work = async (session: ClientSession) => {
      begun.open();
      await held.opened;
      await rename(tour, session);
      worked.open();
    };
    const start = () => inTransaction(work);
    const outcome = Promise.allSettled([scope ? requestScope.run(scope, start) : start()]);
    await begun.opened;
    return { outcome, resume: held.open, worked: worked.opened };
  }

  /** The driver's method of that name. */
  const original = (name: "abortTransaction" | "commitTransaction") =>
    Object.getOwnPropertyDescriptor(mongoose.mongo.ClientSession.prototype, name)!
      .value as () => Promise<void>;

  test("is far longer than a busy machine needs", async () => {
    const tour = await makeTour();
    const { outcome, resume } = await begin(tour);
    await vi.advanceTimersByTimeAsync(CHANGES_MS - 1_000);
    resume();
    expect(await outcome).toMatchObject([{ status: "fulfilled" }]);
    expect(await titleOf(tour)).toBe("changed");
  });

  test("is that which is left of its request's; afterwards nothing is stored", async () => {
    const tour = await makeTour();
    const scope = { ...SCOPE, changesUntil: performance.now() + 60_000 };
    const { outcome, resume } = await begin(tour, scope);
    await vi.advanceTimersByTimeAsync(CHANGES_MS + 1_000);
    const late = await begin(tour, { ...SCOPE, changesUntil: performance.now() });
    // Work that ends while the database is still asked to abort it.
    const [abort, aborted] = [original("abortTransaction"), gate()];
    const { prototype } = mongoose.mongo.ClientSession;
    vi.spyOn(prototype, "abortTransaction").mockImplementation(async function (
      this: ClientSession,
    ) {
      await aborted.opened;
      await abort.call(this).catch(() => {});
    });
    await vi.advanceTimersByTimeAsync(1);
    late.resume();
    await late.worked;
    vi.useRealTimers();
    for (let looks = 0; looks < 20; looks++) expect(await titleOf(tour)).toBe(tour.title);
    aborted.open();
    expect(await late.outcome).toMatchObject([{ reason: NOTHING_STORED }]);
    expect(await titleOf(tour)).toBe(tour.title);
    resume();
    expect(await outcome).toMatchObject([{ status: "fulfilled" }]);
    expect(await titleOf(tour)).toBe("changed");
  });

  describe("that ends during the commit", () => {
    /** Lets a commit reach the database, and its answer arrive when `arrive` is called. */
    function delayCommit() {
      const [asked, answered] = [gate(), gate()];
      const commit = original("commitTransaction");
      const { prototype } = mongoose.mongo.ClientSession;
      vi.spyOn(prototype, "commitTransaction").mockImplementationOnce(async function (
        this: ClientSession,
      ) {
        await commit.call(this);
        asked.open();
        await answered.opened;
      });
      return { asked: asked.opened, arrive: answered.open };
    }

    test("waits for its answer", async () => {
      const tour = await makeTour();
      const { asked, arrive } = delayCommit();
      const { outcome, resume } = await begin(tour);
      resume();
      await asked;
      await vi.advanceTimersByTimeAsync(CHANGES_MS + 1_000);
      arrive();
      expect(await outcome).toMatchObject([{ status: "fulfilled" }]);
    });

    test("says that it may be stored where no answer comes", async () => {
      const tour = await makeTour();
      const scope: RequestScope = { ...SCOPE };
      const { asked } = delayCommit();
      const { outcome, resume } = await begin(tour, scope);
      expect(scope.mayBeStored).toBeFalsy();
      resume();
      await asked;
      await vi.advanceTimersByTimeAsync(CHANGES_MS + 10_000);
      const [ended] = await outcome;
      expect(ended).toMatchObject({ reason: { status: 503, message: /^We cannot tell/ } });
      expect(ended).not.toHaveProperty("reason.retryAfter");
      expect(scope.mayBeStored).toBe(true);
      vi.useRealTimers();
      expect(await titleOf(tour)).toBe("changed");
    });
  });
});
