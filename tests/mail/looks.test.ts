import mongoose, { Types } from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Notification } from "#models/notification";
import { clock, enqueue, GWEN, INPUTS, standIn, time, useOutbox, worker } from "../support/mail";

// How much of the outbox the worker reads: what is due, and not what else is there.

useOutbox();

/** The filters of all that was asked of the outbox. */
let asked: { what: string; filter: object; limit?: number }[] = [];
const record = ({ commandName: what, command }: CommandStartedEvent) => {
  if (command[what] !== Notification.collection.name) return;
  if (what === "find") asked.push({ what, filter: command.filter, limit: command.limit });
  if (what === "aggregate") asked.push({ what, filter: command.pipeline[0].$match });
  for (const { q } of command.updates ?? []) asked.push({ what, filter: q });
};
beforeAll(() => mongoose.connection.getClient().on("commandStarted", record));
afterAll(() => mongoose.connection.getClient().off("commandStarted", record));

const DUE = () => ({ dueAt: clock() });
const LATER = () => ({ dueAt: new Date(time.now + 60_000) });

async function fill(count: number, fields: object): Promise<void> {
  const documents = Array.from({ length: count }, () => ({
    kind: "review",
    guideId: new Types.ObjectId(),
    explorerId: new Types.ObjectId(),
    inputs: INPUTS,
    state: "pending",
    attempts: 0,
    createdAt: clock(),
    retryUntil: new Date(time.now + 1e8),
    ...fields,
  }));
  await Notification.collection.insertMany(documents);
}

beforeEach(async () => {
  await fill(500, { state: "sent", endedAt: clock(), ...DUE() });
  await fill(200, { state: "sent", endedAt: clock(), kind: "digest", ...DUE() });
  await fill(200, LATER());
  await fill(200, { kind: "digest", ...LATER() });
  asked = [];
});

/** Delivers one e-mail. */
async function one(): Promise<void> {
  const deliverer = worker();
  deliverer.wake();
  await deliverer.stop();
}

/** The most documents that one of the statements reads, as the database explains it. */
async function mostRead(): Promise<{ read: number; filter: object }> {
  // One by its id needs no look: by that, whatever else the filter holds.
  const statements = asked.filter(({ filter }) => Object.keys(filter)[0] !== "_id");
  expect(statements.length).toBeGreaterThan(2);
  let most = { read: 0, filter: {} };
  for (const { filter, limit } of statements) {
    const found = Notification.collection.find(filter);
    if (limit) found.limit(limit);
    const { executionStats } = (await found.explain("executionStats")) as {
      executionStats: { totalDocsExamined: number };
    };
    const read = executionStats.totalDocsExamined;
    if (read > most.read) most = { read, filter };
  }
  return most;
}

test("a look at which nothing is due reads nothing", async () => {
  await worker().drain();
  expect(await mostRead()).toMatchObject({ read: 0 });
});

test("a daily e-mail is claimed and recorded without a look at those of other guides", async () => {
  for (let n = 0; n < 3; n++) await enqueue({ kind: "digest" });
  await one();
  expect(standIn.mails).toHaveLength(1);
  expect(await Notification.countDocuments({ guideId: GWEN, state: "sent" })).toBe(3);
  // As when it was claimed: its own, and later those of others.
  await Notification.updateMany({ guideId: GWEN }, { $set: { state: "pending", ...DUE() } });
  const ofGuide = asked.filter(({ filter }) => "guideId" in filter);
  asked = [...ofGuide, ...asked.filter(({ filter }) => "lease" in filter)];
  await fill(200, { kind: "digest", ...DUE() });
  expect((await mostRead()).read).toBe(3);
});
