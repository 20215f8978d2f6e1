import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findLinesAfter } from "~/db/embedded/changes.server";
import { LONGEST_TRANSACTION_MS } from "~/db/transaction.server";
import { log } from "~/lib/log.server";
import { databaseRegistry } from "~/lib/metrics.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import { postReview } from "~/reviews/post.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { listWebhooks, resend, webhookId } from "~/reviews/webhooks/addresses.server";
import { placeAt } from "~/reviews/webhooks/progress.server";
import { LEASE_MS, MOST_UNSETTLED, WebhookWorker } from "~/reviews/webhooks/worker.server";
import { Change } from "#models/change";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { Webhook } from "#models/webhook";
import { linesOf } from "../support/changes";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";
import { addLine, isSigned, KEY, Receiver, storedWebhook } from "../support/webhooks";

// docs/rules/webhooks.md.

useDatabase();

let receiver: Receiver;
let workers: WebhookWorker[];
/** The workers' time, in milliseconds, which tests move forward; it runs, too. */
let ahead: number;
const clock = () => new Date(Date.now() + ahead);
const later = (ms: number) => new Date(clock().getTime() + ms);

/** For what hangs. */
const IMPATIENT = { timeoutMs: 2_000 };

type Options = Partial<ConstructorParameters<typeof WebhookWorker>[1]>;
function worker(options: Options = {}): WebhookWorker {
  const made = new WebhookWorker(receiver.url, {
    secrets: [KEY],
    clock,
    // A busy machine answers late.
    timeoutMs: 60_000,
    ...options,
  });
  workers.push(made);
  return made;
}

/** A worker of an address that has been seen. */
async function knownWorker(options?: Options): Promise<WebhookWorker> {
  const made = worker(options);
  await made.deliver();
  return made;
}

beforeEach(async () => {
  receiver = await new Receiver().listen();
  workers = [];
  ahead = 0;
});
afterEach(async () => {
  await Promise.all(workers.map((one) => one.stop()));
  await receiver.close();
  vi.restoreAllMocks();
});

const post = async (tour: TourDocument, rating: number, comment: string | null = null) => {
  const user = await makeBookedExplorer(tour);
  const { review } = await postReview(as(user), { tourId: tour._id.toString(), rating, comment });
  return { user, id: review.id };
};

/** The versions that the lines have, by tour. */
async function allVersions(): Promise<Record<string, number[]>> {
  const versions: Record<string, number[]> = {};
  for (const { tourId, version } of await Change.find().sort({ tourId: 1, version: 1 }).lean())
    (versions[tourId.toString()] ??= []).push(version);
  return versions;
}

describe("an event", () => {
  it("has type, time and figures of each change, without words and persons", async () => {
    const one = await knownWorker();
    const tour = await makeTour({ title: "Quokka walk" });
    const { user, id } = await post(tour, 5, "Best quokka of the year");
    await editReview(as(user), id, { rating: 3 });
    await deleteReview(as(user), id);
    await Review.collection.insertOne({ tourId: tour._id, rating: 2, userId: user._id });
    await rebuildRatings();
    await one.deliver();
    const tourId = tour._id.toString();
    const lines = await linesOf(tour);
    expect(receiver.events.map(({ event }) => event)).toEqual(
      [
        [
          "review.created",
          { review: id, before: null, stars: 5, ratings: null, count: 1, mean: 5 },
        ],
        ["review.edited", { review: id, before: 5, stars: 3, ratings: null, count: 1, mean: 3 }],
        [
          "review.deleted",
          { review: id, before: 3, stars: null, ratings: null, count: 0, mean: 0 },
        ],
        [
          "ratings.rebuilt",
          { review: null, before: null, stars: null, ratings: [[2, 1]], count: 1, mean: 2 },
        ],
      ].map(([type, data], n) => ({
        type,
        timestamp: lines[n]!.time.toISOString(),
        data: { tourId, version: n + 1, ...(data as object) },
      })),
    );
    expect(receiver.attempts.map(({ id }) => id)).toEqual(lines.map(({ _id }) => _id.toString()));
    const sent = JSON.stringify(receiver.attempts.map(({ body, headers }) => [body, headers]));
    expect(sent).not.toMatch(/quokka walk|best quokka/i);
    expect(sent).not.toContain(user._id.toString());
    expect(sent).not.toContain(user.name);
  });

  it("is signed with each secret, as Standard Webhooks says, at the time of the attempt", async () => {
    const [old, other] = [Buffer.alloc(24, 1), Buffer.alloc(64, 2)];
    const one = await knownWorker({ secrets: [KEY, old] });
    receiver.answer = (nth) => (nth === 1 ? 500 : 200);
    await addLine(clock());
    await one.deliver();
    ahead += 60_000;
    await one.deliver();
    expect(receiver.attempts).toHaveLength(2);
    const [first, second] = receiver.attempts as [never, never] & typeof receiver.attempts;
    for (const attempt of receiver.attempts) {
      expect([KEY, old, other].map((key) => isSigned(attempt, key))).toEqual([true, true, false]);
      expect(isSigned({ ...attempt, body: `${attempt.body} ` }, KEY)).toBe(false);
      expect(attempt.path).toBe("/hooks?token=quokka");
      expect(attempt.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Tour-Reviews",
        "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      });
    }
    const times = [first, second].map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(59);
    expect(second).toMatchObject({ id: (first as { id: string }).id });
  });
});

describe("a receiver that fails, hangs, closes the connection and comes back", () => {
  it("has every version of every tour, in order", async () => {
    const one = await knownWorker(IMPATIENT);
    const tours = await Promise.all(Array.from({ length: 3 }, () => makeTour()));
    const behaviours = [204, 500, "hang", 204, "reset", 302, "hang", 429, 204, "reset"] as const;
    receiver.answer = (nth) => behaviours[nth] ?? 204;
    for (let round = 0; round < 4; round++) {
      await Promise.all(tours.map(async (tour) => post(tour, 1 + round)));
      for (let turn = 0; turn < 4; turn++) {
        await one.deliver();
        // Not by the clock, which the posts do not have.
        await Webhook.updateOne({}, { dueAt: clock() });
      }
    }
    expect(receiver.attempts.length).toBeGreaterThan(receiver.events.length);
    expect(receiver.versions()).toEqual(await allVersions());
    expect(receiver.events).toHaveLength(12);
    expect(await storedWebhook()).toMatchObject({ attempts: 0 });
    expect((await storedWebhook()).failure).toBeUndefined();
  });

  it("also where all of its process was away, and lines are older than a transaction takes", async () => {
    await knownWorker();
    const [tourId, start] = [new Types.ObjectId(), clock().getTime()];
    for (let version = 1; version <= 250; version++)
      await addLine(new Date(start + version * 1_000), { tourId, version });
    await receiver.close();
    ahead = 500_000;
    await worker().deliver();
    expect(await storedWebhook()).toMatchObject({ attempts: 1, failure: "ECONNREFUSED" });
    const { port } = new URL(receiver.url);
    receiver = await new Receiver().listen(Number(port));
    ahead += 10_000;
    await worker().deliver();
    expect(receiver.versions()).toEqual(await allVersions());
    expect(receiver.attempts).toHaveLength(250);
    expect((await storedWebhook()).delivered).toEqual([]);
  });

  it("is tried again later and later, up to an hour, and never given up", async () => {
    const one = await knownWorker();
    receiver.answer = () => 500;
    await addLine(clock());
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 15; attempt++) {
      await one.deliver();
      const { dueAt, attempts, failure } = await storedWebhook();
      expect({ attempts, failure }).toEqual({ attempts: attempt, failure: "answered 500" });
      pauses.push(dueAt.getTime() - clock().getTime());
      // Nothing is tried before its time, even when something changes.
      await one.deliver();
      expect(receiver.attempts).toHaveLength(attempt);
      ahead += pauses.at(-1)! + 100;
    }
    for (const [n, pause] of pauses.entries()) {
      const full = Math.min(1_000 * 2 ** n, 3_600_000);
      expect(pause).toBeGreaterThan(full * 0.75 - 1_000);
      expect(pause).toBeLessThanOrEqual(full);
    }
  });

  it.each([
    ["in seconds", "1800", 1_800_000],
    ["as a date", () => new Date(Date.now() + 1_800_000).toUTCString(), 1_800_000],
    ["for days", "999999", 3_600_000],
    ["no time", "soon", 0],
  ])("waits as long as it asks for: %s", async (_, retryAfter, asked) => {
    const one = await knownWorker();
    receiver.answer = () => 503;
    receiver.answerHeaders = {
      "retry-after": typeof retryAfter === "string" ? retryAfter : retryAfter(),
    };
    await addLine(clock());
    await one.deliver();
    const pause = (await storedWebhook()).dueAt.getTime() - clock().getTime();
    expect(pause).toBeGreaterThan(asked - 20_000);
    expect(pause).toBeLessThan(asked + 20_000);
  });

  it("holds up no other address", async () => {
    const other = await new Receiver().listen();
    const [one, two] = [
      await knownWorker(IMPATIENT),
      new WebhookWorker(other.url, { secrets: [KEY], clock, timeoutMs: 60_000 }),
    ];
    workers.push(two);
    await two.deliver();
    receiver.answer = () => "hang";
    await addLine(clock());
    await Promise.all([one.deliver(), two.deliver()]);
    expect(receiver.events).toHaveLength(0);
    expect(other.events).toHaveLength(1);
    await other.close();
  });

  it("is one line of the log when it fails first and when it is back, without its query", async () => {
    const lines: unknown[][] = [];
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(log, level).mockImplementation(
        (...line: unknown[]) => void lines.push([level, ...line]),
      );
    const one = await knownWorker(IMPATIENT);
    receiver.answer = (nth) => [500, 500, 410, 410, "hang" as const, 204][nth - 1]!;
    await addLine(clock());
    for (let turn = 0; turn < 6; turn++) {
      await one.deliver();
      ahead += 60_000;
    }
    const { host } = new URL(receiver.url);
    const webhook = webhookId(receiver.url);
    expect(lines).toMatchObject([
      ["warn", { webhook, failure: `${host}: answered 500` }, "webhook failed"],
      [
        "error",
        { webhook, failure: `${host}: answered 410` },
        "webhook is gone: take it out of WEBHOOK_URLS",
      ],
      ["info", { webhook, host, attempts: 5 }, "webhook delivers again"],
    ]);
    expect(JSON.stringify(lines)).not.toContain("quokka");
    expect(receiver.events).toHaveLength(1);
  });
});

it("redirects are not followed, and an endless answer is not read to its end", async () => {
  const one = await knownWorker();
  const elsewhere = await new Receiver().listen();
  receiver.answerHeaders = { location: elsewhere.url };
  receiver.answer = (nth) => (nth === 1 ? 307 : "endless");
  await addLine(clock());
  await one.deliver();
  expect(await storedWebhook()).toMatchObject({ failure: "answered 307" });
  ahead += 60_000;
  await one.deliver();
  expect(receiver.events).toHaveLength(1);
  expect(elsewhere.attempts).toEqual([]);
  await elsewhere.close();
});

describe("the lease", () => {
  it("lets workers of several processes deliver each line once", async () => {
    await knownWorker();
    for (let n = 0; n < 30; n++) await addLine(later(n));
    receiver.answer = async () => {
      await sleep(5);
      return 204;
    };
    const others = Array.from({ length: 3 }, () => worker());
    for (let turn = 0; turn < 3; turn++) await Promise.all(others.map((one) => one.deliver()));
    expect(receiver.attempts).toHaveLength(30);
  });

  it("of a process that died is taken over when it ends", async () => {
    await knownWorker();
    await addLine(clock());
    await Webhook.updateOne({}, { lease: "of the dead", dueAt: later(LEASE_MS) });
    await worker().deliver();
    expect(receiver.attempts).toHaveLength(0);
    ahead += LEASE_MS + 1;
    await worker().deliver();
    expect(receiver.events).toHaveLength(1);
  });

  it("of a process that was overtaken lets it record nothing more", async () => {
    const first = await knownWorker();
    await addLine(clock());
    let release = () => {};
    receiver.answer = (nth) =>
      nth > 1 ? 204 : new Promise((resolve) => (release = () => resolve(500)));
    const turn = first.deliver();
    await expect.poll(() => receiver.attempts.length).toBe(1);
    ahead += LEASE_MS + 1;
    await worker().deliver();
    expect(receiver.events).toHaveLength(1);
    const recorded = await storedWebhook();
    release();
    await turn;
    expect(await storedWebhook()).toEqual(recorded);
  });

  it("is given back by a process that stops, whose attempt is no failure", async () => {
    const first = await knownWorker();
    await addLine(clock());
    await addLine(later(1));
    receiver.answer = (nth) => (nth === 2 ? "hang" : 204);
    void first.deliver();
    await expect.poll(() => receiver.attempts.length).toBe(2);
    await first.stop();
    const { attempts, lease, delivered } = await storedWebhook();
    expect({ attempts, lease, delivered: delivered.length }).toEqual({
      attempts: 0,
      lease: undefined,
      delivered: 1,
    });
    await worker().deliver();
    expect(receiver.attempts).toHaveLength(3);
    expect(receiver.events).toHaveLength(2);
  });
});

describe("a line that is committed late", () => {
  it("is delivered, although another tour's later one has been", async () => {
    const one = await knownWorker();
    const [early, late] = [later(1), later(LONGEST_TRANSACTION_MS - 10_000)];
    ahead = LONGEST_TRANSACTION_MS - 10_000;
    await addLine(late);
    await one.deliver();
    expect(receiver.events).toHaveLength(1);
    ahead += 9_000;
    await addLine(early);
    for (let turn = 0; turn < 4; turn++) {
      await one.deliver();
      ahead += 60_000;
    }
    expect(receiver.attempts.map(({ event }) => event.timestamp)).toEqual(
      [late, early].map((time) => time.toISOString()),
    );
    expect((await storedWebhook()).delivered).toEqual([]);
  });

  it("comes before its tour's next one, even where a look has missed only it", async () => {
    const tourId = new Types.ObjectId();
    let missing = 1;
    const find: typeof findLinesAfter = async (...place) =>
      (await findLinesAfter(...place)).filter(({ version }) => version !== 1 || missing-- < 1);
    const one = await knownWorker({ find });
    await addLine(later(1), { tourId, version: 1 });
    await addLine(later(2), { tourId, version: 2 });
    await one.deliver();
    expect(receiver.attempts).toEqual([]);
    await one.deliver();
    expect(receiver.versions()).toEqual({ [tourId.toString()]: [1, 2] });
  });

  it("is found by a whole look, which comes at once where a short one misses it in its tour", async () => {
    const one = await knownWorker();
    const place = placeAt(later(-60_000));
    await Webhook.updateOne({}, { place, dueAt: later(3_000) });
    const tourId = new Types.ObjectId();
    const other = await addLine(later(-10_000));
    await addLine(clock());
    await one.deliver();
    expect(receiver.attempts).toHaveLength(1);
    await addLine(later(-10_000), { tourId, version: 1 });
    await addLine(clock(), { tourId, version: 2 });
    await one.deliver();
    expect(receiver.versions()).toMatchObject({ [tourId.toString()]: [1, 2] });
    expect(receiver.events.map(({ id }) => id)).toContain(other._id.toString());
    const late = await addLine(later(-10_000));
    await Webhook.updateOne({}, { dueAt: later(3_000) });
    await one.deliver();
    expect(receiver.attempts).toHaveLength(4);
    ahead += 3_000;
    await one.deliver();
    expect(receiver.attempts.slice(4).map(({ id }) => id)).toEqual([late._id.toString()]);
  });

  it("is sent although the clock of its process is ahead", async () => {
    const one = await knownWorker();
    await addLine(later(60_000));
    await one.deliver();
    expect(receiver.events).toHaveLength(1);
  });
});

it("more lines than can be remembered wait until they are settled", async () => {
  const one = await knownWorker();
  const extra = 20;
  const time = later(1);
  await Change.collection.insertMany(
    Array.from({ length: MOST_UNSETTLED + extra }, (_, n) => ({
      ...{ _id: new Types.ObjectId(), tourId: new Types.ObjectId(), version: 1, type: "created" },
      ...{ before: null, stars: 1, ratings: null, count: 1, mean: 1, previous: "" },
      time: new Date(time.getTime() + n),
    })),
  );
  for (let turn = 0; turn < 3; turn++) await one.deliver();
  expect(receiver.attempts).toHaveLength(MOST_UNSETTLED);
  expect((await storedWebhook()).delivered).toHaveLength(MOST_UNSETTLED);
  ahead = LONGEST_TRANSACTION_MS + 60_000;
  await one.deliver();
  expect(receiver.attempts).toHaveLength(MOST_UNSETTLED + extra);
  expect(receiver.events.map(({ id }) => id)).toEqual([
    ...new Set(receiver.attempts.map(({ id }) => id)),
  ]);
  expect((await storedWebhook()).delivered).toEqual([]);
});

describe("an address", () => {
  it("that is new is told of what happens from then on", async () => {
    await addLine(later(-1));
    await sleep(5);
    const one = worker();
    const line = await addLine(later(1));
    await one.deliver();
    await one.deliver();
    expect(receiver.attempts.map(({ id }) => id)).toEqual([line._id.toString()]);
  });

  it("that returns goes on where it was", async () => {
    await (await knownWorker()).stop();
    ahead = 20 * 24 * 3_600_000;
    await addLine(later(-3_600_000));
    await worker().deliver();
    expect(receiver.events).toHaveLength(1);
    expect((await storedWebhook()).seenAt.getTime()).toBeGreaterThan(later(-60_000).getTime());
  });

  it("gets everything from a time again, with the same ids", async () => {
    const one = await knownWorker();
    const lines = [];
    for (let n = 1; n <= 4; n++) lines.push(await addLine(later(n * 1_000)));
    ahead = LONGEST_TRANSACTION_MS + 60_000;
    await one.deliver();
    const fresh = await addLine(clock());
    await one.deliver();
    expect(receiver.attempts).toHaveLength(5);
    await resend(receiver.url, lines[2]!.time, { clock });
    await one.deliver();
    expect(receiver.attempts.slice(5).map(({ id }) => id)).toEqual(
      [lines[2]!, lines[3]!, fresh].map(({ _id }) => _id.toString()),
    );
    // As it is listed; and a time behind the place leaves out nothing.
    const [listed] = await listWebhooks({ clock });
    await resend(listed!.address, later(3_600_000), { clock });
    await one.deliver();
    expect(receiver.attempts.slice(8).map(({ id }) => id)).toEqual([fresh._id.toString()]);
    await expect(resend("https://other.example/", clock())).rejects.toMatchObject({ status: 404 });
  });

  it("of two that are listed alike is named by its id", async () => {
    await knownWorker();
    const { _id, ...like } = await storedWebhook();
    await Webhook.create({ ...like, _id: "another one" });
    const time = later(-60_000);
    await expect(resend(like.address, time)).rejects.toMatchObject({ status: 400 });
    await resend(_id, time);
    expect((await Webhook.findById(_id).lean())?.place).toEqual(placeAt(time));
  });

  it("is sent again although a process was delivering to it", async () => {
    const one = await knownWorker();
    const time = later(1);
    await addLine(time);
    let release = () => {};
    receiver.answer = (nth) =>
      nth > 1 ? 204 : new Promise((resolve) => (release = () => resolve(204)));
    const turn = one.deliver();
    await expect.poll(() => receiver.attempts.length).toBe(1);
    await resend(receiver.url, time, { clock });
    release();
    await turn;
    await worker().deliver();
    expect(receiver.events).toHaveLength(2);
  });

  it("is listed without its query, with how far behind it is; so says the metric", async () => {
    const one = await knownWorker();
    expect(await listWebhooks({ clock })).toMatchObject([{ behindMs: 0, failure: null }]);
    await addLine(clock());
    receiver.answer = () => 500;
    await one.deliver();
    ahead = 600_000;
    const [listed] = await listWebhooks({ clock });
    expect(listed).toMatchObject({
      id: webhookId(receiver.url),
      address: receiver.url.replace(/\?.*/, ""),
      attempts: 1,
      failure: "answered 500",
    });
    expect(listed!.behindMs).toBeGreaterThan(590_000);
    expect(listed!.behindMs).toBeLessThan(620_000);
    expect(await databaseRegistry.metrics()).toContain("tour_reviews_webhook_behind_seconds");
  });
});
