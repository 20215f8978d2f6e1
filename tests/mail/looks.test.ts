import { Types } from "mongoose";
import { expect, test } from "vitest";
import { Notification } from "#models/notification";
import { expectReads, sentBy } from "../support/explain";
import { clock, enqueue, GWEN, INPUTS, standIn, time, useOutbox, worker } from "../support/mail";

useOutbox();

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

test("the worker reads what is due, and not what else is in the outbox", async () => {
  const later = { dueAt: new Date(time.now + 60_000) };
  await fill(300, { state: "sent", endedAt: clock(), dueAt: clock() });
  await fill(100, later);
  await fill(100, { kind: "digest", ...later });
  await expectReads(await sentBy(() => worker().drain()), 0);

  for (let n = 0; n < 3; n++) await enqueue({ kind: "digest" });
  await worker().drain();
  expect(standIn.mails).toHaveLength(1);
  expect(await Notification.countDocuments({ guideId: GWEN, state: "sent" })).toBe(3);
});
