import { setTimeout as sleep } from "node:timers/promises";
import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTransaction } from "~/db/transaction.server";
import { log } from "~/lib/log.server";
import { OutboxWorker } from "~/mail/delivery.server";
import { databaseRegistry } from "~/lib/metrics.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import { postReview } from "~/reviews/post.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { listWebhooks, resend, webhookId } from "~/reviews/webhooks/addresses.server";
import { KNOWN_AFTER_MS, readWebhooks } from "~/reviews/webhooks/events.server";
import { LEASE_MS, WebhookSender } from "~/reviews/webhooks/sender.server";
import { Change } from "#models/change";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { Webhook } from "#models/webhook";
import { queueEvents } from "../../scripts/migrations/webhooks";
import { entriesOf } from "../support/changes";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";
import { commandsOf } from "../support/explain";
import { moveTime, setTime } from "../support/time";
import {
  addEntry,
  countWaiting,
  isSigned,
  KEY,
  Receiver,
  storedWebhook,
  tellAtOnce,
} from "../support/webhooks";

// docs/rules/webhooks.md.

useDatabase();

let receiver: Receiver;
let senders: WebhookSender[];
const later = (ms: number) => new Date(Date.now() + ms);

/** For what hangs. */
const IMPATIENT = { timeoutMs: 2_000 };

type Options = Partial<ConstructorParameters<typeof WebhookSender>[1]>;
/** That of one process. */
function sender(options: Options = {}, urls = [receiver.url]): WebhookSender {
  // A busy machine answers late.
  const made = new WebhookSender(urls, { secrets: [KEY], timeoutMs: 60_000, ...options });
  senders.push(made);
  return made;
}

/** One whose addresses are told of changes by now. */
async function knownSender(options?: Options, urls?: string[]): Promise<WebhookSender> {
  const made = sender(options, urls);
  await made.wake();
  await tellAtOnce();
  return made;
}

beforeEach(async () => {
  setTime(Date.now());
  receiver = await new Receiver().listen();
  senders = [];
});
afterEach(async () => {
  await Promise.all(senders.map((one) => one.stop()));
  await receiver.close();
  vi.restoreAllMocks();
});

const post = async (tour: TourDocument, rating: number, comment: string | null = null) => {
  const user = await makeBookedExplorer(tour);
  const { review } = await postReview(as(user), { tourId: tour._id.toString(), rating, comment });
  return { user, id: review.id };
};

/** The versions that the entries have, by tour. */
async function allVersions(): Promise<Record<string, number[]>> {
  const versions: Record<string, number[]> = {};
  for (const { tourId, version } of await Change.find().sort({ tourId: 1, version: 1 }).lean())
    (versions[tourId.toString()] ??= []).push(version);
  return versions;
}

describe("an event", () => {
  it("has type, time and figures of each change, without words and persons", async () => {
    const one = await knownSender();
    const tour = await makeTour({ title: "Quokka walk" });
    const { user, id } = await post(tour, 5, "Best quokka of the year");
    await editReview(as(user), id, { rating: 3 });
    await deleteReview(as(user), id);
    await Review.collection.insertOne({ tourId: tour._id, rating: 2, userId: user._id });
    await rebuildRatings();
    await one.wake();
    const tourId = tour._id.toString();
    const entries = await entriesOf(tour);
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
        timestamp: entries[n]!.time.toISOString(),
        data: { tourId, version: n + 1, ...(data as object) },
      })),
    );
    expect(receiver.attempts.map(({ id }) => id)).toEqual(entries.map(({ _id }) => _id.toString()));
    const sent = JSON.stringify(receiver.attempts.map(({ body, headers }) => [body, headers]));
    expect(sent).not.toMatch(/quokka walk|best quokka/i);
    expect(sent).not.toContain(user._id.toString());
    expect(sent).not.toContain(user.name);
  });

  it("is signed with each secret, as Standard Webhooks says, at the time of the attempt", async () => {
    const [old, other] = [Buffer.alloc(24, 1), Buffer.alloc(64, 2)];
    const one = await knownSender({ secrets: [KEY, old] });
    receiver.answer = (nth) => (nth === 1 ? 500 : 200);
    await addEntry(new Date());
    await one.wake();
    moveTime(60_000);
    await one.wake();
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
    const one = await knownSender(IMPATIENT);
    const tours = await Promise.all(Array.from({ length: 3 }, () => makeTour()));
    const behaviours = [204, 500, "hang", 204, "reset", 302, "hang", 429, 204, "reset"] as const;
    receiver.answer = (nth) => behaviours[nth] ?? 204;
    for (let round = 0; round < 4; round++) {
      await Promise.all(tours.map(async (tour) => post(tour, 1 + round)));
      for (let turn = 0; turn < 4; turn++) {
        await one.wake();
        await Webhook.updateOne({}, { dueAt: new Date() });
      }
    }
    expect(receiver.attempts.length).toBeGreaterThan(receiver.events.length);
    expect(receiver.versions()).toEqual(await allVersions());
    expect(receiver.events).toHaveLength(12);
    expect(await storedWebhook()).toMatchObject({ attempts: 0 });
    expect((await storedWebhook()).failure).toBeUndefined();
  });

  it("also where its address was away, with one attempt at each pause however many events wait", async () => {
    await knownSender();
    const tourId = new Types.ObjectId();
    for (let version = 1; version <= 250; version++)
      await addEntry(new Date(), { tourId, version });
    await receiver.close();
    const attempt = async () => {
      await sender().wake();
      expect(await storedWebhook()).toMatchObject({ failure: "ECONNREFUSED" });
    };
    const { length } = await commandsOf(attempt);
    await addEntry(new Date(), { tourId, version: 251 });
    moveTime(10_000);
    expect((await commandsOf(attempt)).length).toBeLessThanOrEqual(length);
    const { port } = new URL(receiver.url);
    receiver = await new Receiver().listen(Number(port));
    moveTime(10_000);
    await sender().wake();
    expect(receiver.versions()).toEqual(await allVersions());
    expect(receiver.attempts).toHaveLength(251);
    expect(await countWaiting()).toBe(0);
  });

  it("is tried again later and later, up to an hour, and never given up", async () => {
    const one = await knownSender();
    receiver.answer = () => 500;
    await addEntry(new Date());
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 15; attempt++) {
      await one.wake();
      const { dueAt, attempts, failure } = await storedWebhook();
      expect({ attempts, failure }).toEqual({ attempts: attempt, failure: "answered 500" });
      pauses.push(dueAt.getTime() - new Date().getTime());
      // Nothing is tried before its time, even when something changes.
      await one.wake();
      expect(receiver.attempts).toHaveLength(attempt);
      moveTime(pauses.at(-1)! + 100);
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
    const one = await knownSender();
    receiver.answer = () => 503;
    receiver.answerHeaders = {
      "retry-after": typeof retryAfter === "string" ? retryAfter : retryAfter(),
    };
    await addEntry(new Date());
    await one.wake();
    const pause = (await storedWebhook()).dueAt.getTime() - new Date().getTime();
    expect(pause).toBeGreaterThan(asked - 20_000);
    expect(pause).toBeLessThan(asked + 20_000);
  });

  it("holds up no other address, and no e-mail", async () => {
    const other = await new Receiver().listen();
    const one = await knownSender({}, [receiver.url, other.url]);
    receiver.answer = () => "hang";
    await addEntry(new Date());
    await post(await makeTour(), 5);
    void one.wake();
    await expect.poll(() => other.events.length).toBe(2);
    expect(receiver.attempts).toHaveLength(1);
    // Also what comes while the attempt is under way.
    await addEntry(new Date());
    await expect
      .poll(() => {
        // Its next turn, as the last one may still be ending.
        void one.wake();
        return other.events.length;
      })
      .toBe(3);
    await new OutboxWorker(null).drain();
    expect(await Notification.countDocuments({ state: "captured" })).toBe(1);
    expect(receiver.attempts).toHaveLength(1);
    await one.stop();
    await other.close();
  });

  it("is one line of the log when it fails first and when it is back, without its query", async () => {
    const lines: unknown[][] = [];
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(log, level).mockImplementation(
        (...line: unknown[]) => void lines.push([level, ...line]),
      );
    const one = await knownSender(IMPATIENT);
    receiver.answer = (nth) => [500, 500, 410, 410, "hang" as const, 204][nth - 1]!;
    await addEntry(new Date());
    for (let turn = 0; turn < 6; turn++) {
      await one.wake();
      moveTime(60_000);
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
  const one = await knownSender();
  const elsewhere = await new Receiver().listen();
  receiver.answerHeaders = { location: elsewhere.url };
  receiver.answer = (nth) => (nth === 1 ? 307 : "endless");
  await addEntry(new Date());
  await one.wake();
  expect(await storedWebhook()).toMatchObject({ failure: "answered 307" });
  moveTime(60_000);
  await one.wake();
  expect(receiver.events).toHaveLength(1);
  expect(elsewhere.attempts).toEqual([]);
  await elsewhere.close();
});

describe("the lease", () => {
  it("lets senders of several processes deliver each entry once", async () => {
    await knownSender();
    for (let n = 0; n < 30; n++) await addEntry(later(n));
    receiver.answer = async () => {
      await sleep(5);
      return 204;
    };
    const others = Array.from({ length: 3 }, () => sender());
    for (let turn = 0; turn < 3; turn++) await Promise.all(others.map((one) => one.wake()));
    expect(receiver.attempts).toHaveLength(30);
  });

  it("of a process that died is taken over when it ends", async () => {
    await knownSender();
    await addEntry(new Date());
    await Webhook.updateOne({}, { lease: "of the dead", dueAt: later(LEASE_MS) });
    await sender().wake();
    expect(receiver.attempts).toHaveLength(0);
    moveTime(LEASE_MS + 1);
    await sender().wake();
    expect(receiver.events).toHaveLength(1);
  });

  it("of a process that was overtaken lets it record nothing more", async () => {
    const first = await knownSender();
    await addEntry(new Date());
    let release = () => {};
    receiver.answer = (nth) =>
      nth > 1 ? 204 : new Promise((resolve) => (release = () => resolve(500)));
    const turn = first.wake();
    await expect.poll(() => receiver.attempts.length).toBe(1);
    moveTime(LEASE_MS + 1);
    await sender().wake();
    expect(receiver.events).toHaveLength(1);
    const recorded = await storedWebhook();
    release();
    await turn;
    expect(await storedWebhook()).toEqual(recorded);
  });

  it("is given back by a process that stops, whose attempt is no failure", async () => {
    const first = await knownSender();
    await addEntry(new Date());
    await addEntry(later(1));
    receiver.answer = (nth) => (nth === 2 ? "hang" : 204);
    void first.wake();
    await expect.poll(() => receiver.attempts.length).toBe(2);
    await first.stop();
    const { attempts, lease } = await storedWebhook();
    expect({ attempts, lease }).toEqual({ attempts: 0, lease: undefined });
    expect(await countWaiting()).toBe(1);
    await sender().wake();
    expect(receiver.attempts).toHaveLength(3);
    expect(receiver.events).toHaveLength(2);
  });
});

describe("an event in the outbox", () => {
  it("is not there when its change is aborted", async () => {
    await knownSender();
    const tour = await makeTour();
    const tours = Tour.collection;
    const update = tours.updateOne.bind(tours);
    vi.spyOn(tours, "updateOne").mockImplementation(((...args: [never, object]) => {
      if ("$set" in args[1]) throw new Error("cut off");
      return update(...args);
    }) as never);
    await expect(post(tour, 4)).rejects.toThrow("cut off");
    expect(await countWaiting()).toBe(0);
  });

  it("is stored by the command of the guide's e-mail, and without addresses there is none", async () => {
    const tour = await makeTour();
    const inserts = async () => {
      const tourId = tour._id.toString();
      const user = await makeBookedExplorer(tour);
      const sent = await commandsOf(() => postReview(as(user), { tourId, rating: 5 }));
      return sent.filter((command) => command === "insert tourReviews.notifications");
    };
    await readWebhooks();
    expect(await inserts()).toHaveLength(1);
    expect(await countWaiting()).toBe(0);
    const other = await new Receiver().listen();
    await knownSender({}, [receiver.url, other.url]);
    expect(await inserts()).toHaveLength(1);
    expect(await countWaiting()).toBe(2);
    await other.close();
  });

  it("goes when somebody has removed its entry", async () => {
    const one = await knownSender();
    const { _id } = await addEntry(new Date());
    await addEntry(new Date());
    await Change.deleteOne({ _id });
    await one.wake();
    expect(receiver.events).toHaveLength(1);
    expect(await countWaiting()).toBe(0);
  });
});

describe("an address", () => {
  it("that is new is told of all that happens from its first start on, also of what a process does that does not know it yet", async () => {
    await addEntry(new Date());
    moveTime(1);
    const one = sender();
    await one.wake();
    const early = await addEntry(new Date());
    expect(await countWaiting()).toBe(0);
    moveTime(KNOWN_AFTER_MS - 1_000);
    await one.wake();
    const known = await addEntry(new Date());
    expect(await countWaiting()).toBe(1);
    moveTime(1_000);
    for (let turn = 0; turn < 2; turn++) await one.wake();
    const told = receiver.attempts.map(({ id }) => id);
    expect(told.toSorted()).toEqual([early, known].map(({ _id }) => _id.toString()).toSorted());
  });

  it("that an earlier release has told of a part is told of the rest", async () => {
    await addEntry(new Date());
    moveTime(1);
    const place = { time: new Date(), tourId: new Types.ObjectId(), version: 1 };
    moveTime(1);
    const waiting = await addEntry(new Date());
    const times = { since: place.time, dueAt: new Date(), seenAt: new Date() };
    const address = { _id: webhookId(receiver.url), address: "http://127.0.0.1/", attempts: 0 };
    await Webhook.collection.insertOne({ ...address, ...times, place, delivered: [] } as never);
    await queueEvents();
    await sender().wake();
    expect(receiver.attempts.map(({ id }) => id)).toEqual([waiting._id.toString()]);
  });

  it("that returns gets what has happened meanwhile", async () => {
    await (await knownSender()).stop();
    moveTime(20 * 24 * 3_600_000);
    await addEntry(new Date());
    await sender().wake();
    expect(receiver.events).toHaveLength(1);
    expect((await storedWebhook()).seenAt).toEqual(new Date());
  });

  it("that is forgotten after 30 days takes its events along", async () => {
    await (await knownSender()).stop();
    for (let n = 0; n < 120; n++) await addEntry(new Date());
    expect(await countWaiting()).toBe(120);
    // As the TTL index does.
    await inTransaction((session) => Webhook.deleteMany({}, { session }));
    const other = await new Receiver().listen();
    await knownSender({}, [other.url]);
    expect(await countWaiting()).toBe(0);
    await other.close();
  });

  it("gets everything from a time again, with the same ids", async () => {
    const one = await knownSender();
    const entries = [];
    for (let n = 1; n <= 4; n++) entries.push(await addEntry(later(n * 1_000)));
    moveTime(60_000);
    await one.wake();
    expect(receiver.attempts).toHaveLength(4);
    receiver.answer = () => 500;
    const fresh = await addEntry(new Date());
    await one.wake();
    receiver.answer = () => 204;
    await resend(receiver.url, entries[2]!.time);
    // Each waits once, also when it is asked for again.
    await resend(receiver.url, entries[2]!.time);
    await one.wake();
    expect(receiver.attempts.slice(5).map(({ id }) => id)).toEqual(
      [entries[2]!, entries[3]!, fresh].map(({ _id }) => _id.toString()),
    );
    // As it is listed; and what waits is not left out, whatever the time.
    const waiting = await addEntry(new Date());
    const [listed] = await listWebhooks();
    await resend(listed!.address, later(3_600_000));
    await one.wake();
    expect(receiver.attempts.slice(8).map(({ id }) => id)).toEqual([waiting._id.toString()]);
    await expect(resend("https://other.example/", new Date())).rejects.toMatchObject({
      status: 404,
    });
  });

  it("of two that are listed alike is named by its id", async () => {
    await knownSender();
    const { _id, ...like } = await storedWebhook();
    await Webhook.create({ ...like, _id: "another one" });
    const time = later(-60_000);
    await expect(resend(like.address, time)).rejects.toMatchObject({ status: 400 });
    await addEntry(time);
    await resend(_id, time);
    expect(await Notification.countDocuments({ webhook: _id })).toBe(1);
  });

  it("is listed without its query, with how far behind it is; so says the metric", async () => {
    const one = await knownSender();
    expect(await listWebhooks()).toMatchObject([{ behindMs: 0, failure: null }]);
    await addEntry(new Date());
    receiver.answer = () => 500;
    await one.wake();
    moveTime(600_000);
    const [listed] = await listWebhooks();
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
