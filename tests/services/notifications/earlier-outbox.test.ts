import { Types } from "mongoose";
import { expect, test } from "vitest";
import { listCapturedMails } from "~/services/notifications/captured-mails.server";
import { RETRY_MS } from "~/services/notifications/outbox.server";
import { migrateOutbox } from "../../../scripts/migrations/outbox";
import { Notification } from "../../../models/notification";
import { clock, enqueue, GWEN, INPUTS, standIn, time, useOutbox, worker } from "../../support/mail";

// What the outbox of an earlier version holds, which knew neither kinds nor the end of every document.

useOutbox();

const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(time.now - ms);
const TIMES = () => ({ createdAt: ago(3 * HOUR), dueAt: ago(2 * HOUR) });

async function insert(fields: object): Promise<Types.ObjectId> {
  const { insertedId } = await Notification.collection.insertOne({
    guideId: GWEN,
    explorerId: new Types.ObjectId(),
    inputs: INPUTS,
    attempts: 1,
    ...TIMES(),
    ...fields,
  });
  return insertedId;
}

const raw = async (_id: Types.ObjectId) => (await Notification.collection.findOne({ _id }))!;

test("what waits is sent, and tried for two days more", async () => {
  const single = await insert({ state: "pending" });
  const daily = [1, 2].map(() => insert({ state: "pending", digest: true }));
  const refused = await insert({ state: "dead", credentialsRefused: true });
  await migrateOutbox(clock());
  for (const id of [single, refused, ...(await Promise.all(daily))])
    expect((await raw(id)).retryUntil).toEqual(new Date(time.now + RETRY_MS));
  await worker().drain();
  expect(standIn.mails.map(({ subject }) => subject).sort()).toEqual([
    "2 new reviews of Old Town Walk",
    "New 5-star review of Old Town Walk",
    "New 5-star review of Old Town Walk",
  ]);
});

test("what was sent, captured or given up has an end, and is not sent again", async () => {
  const sent = await insert({ state: "sent", sentAt: ago(HOUR) });
  const dead = await insert({ state: "dead", failure: "SendGrid: 400", credentialsRefused: false });
  const tooOld = await insert({
    state: "dead",
    credentialsRefused: true,
    createdAt: ago(49 * HOUR),
  });
  const captured = await insert({ state: "kept" });
  await insert({ state: "kept", digest: true });
  await insert({ state: "kept", digest: true });
  await migrateOutbox(clock());
  expect(await raw(sent)).toMatchObject({ kind: "review", state: "sent", endedAt: ago(HOUR) });
  for (const id of [dead, tooOld])
    expect(await raw(id)).toMatchObject({ state: "dead", endedAt: ago(2 * HOUR) });
  expect(await raw(captured)).toMatchObject({ state: "captured", endedAt: ago(2 * HOUR) });
  expect((await listCapturedMails()).map(({ subject }) => subject).sort()).toEqual([
    "2 new reviews of Old Town Walk",
    "New 5-star review of Old Town Walk",
  ]);
  for (const field of ["sentAt", "digest", "credentialsRefused"])
    expect(await Notification.collection.countDocuments({ [field]: { $exists: true } })).toBe(0);
  await worker().drain();
  expect(standIn.attempts).toHaveLength(0);
});

test("what is in the present form stays as it is", async () => {
  const ids = [await enqueue(), await enqueue({ kind: "digest" }), await insert({ state: "kept" })];
  await migrateOutbox(clock());
  const before = await Promise.all(ids.map(raw));
  await migrateOutbox(new Date(time.now + HOUR));
  expect(await Promise.all(ids.map(raw))).toEqual(before);
});
