import { describe, expect, test } from "vitest";
import { inTransaction } from "~/db/transaction.server";
import { findCapturedMail, listDevMailbox } from "~/mail/dev-mailbox.server";
import { OutboxWorker } from "~/mail/delivery.server";
import { queueMail } from "~/mail/outbox.server";
import { Notification, type AccountMail, type AccountNotification } from "#models/notification";
import { clock, enqueue, standIn, time, useOutbox, worker } from "../support/mail";

useOutbox();

const LINK = "https://tours.example.test/reset/a-secret";
const HOUR = 60 * 60 * 1_000;
const TO = { email: "ann@example.test", name: 'Ann "A", Explorer' };
const MAIL = {
  subject: "Choose a new password",
  text: `Open ${LINK}`,
  html: `<a href="${LINK}">Choose</a>`,
};
const queue = (fields: Partial<AccountMail> = {}) =>
  inTransaction((session) => queueMail({ ...TO, account: null }, { ...MAIL, ...fields }, session));
const only = async () => (await Notification.findOne().lean<AccountNotification>())!;
/** Everything that the outbox holds, as the database has it. */
const raw = async () => JSON.stringify(await Notification.collection.find().toArray());

test("is sent as it is, to its reader by name, and cannot be unsubscribed", async () => {
  await queue();
  await worker().drain();
  await worker().drain();
  expect(standIn.attempts).toHaveLength(1);
  const { subject, personalizations, content, headers } = standIn.mails[0]!;
  expect(personalizations[0]!.to).toEqual([TO]);
  expect(subject).toBe(MAIL.subject);
  expect(content).toEqual([
    { type: "text/plain", value: MAIL.text },
    { type: "text/html", value: MAIL.html },
  ]);
  expect(headers).toEqual({ "Auto-Submitted": "auto-generated" });
});

describe("nothing of what it says stays", () => {
  const expectNothing = async () => {
    const text = await raw();
    for (const part of ["a-secret", "ann@", "Ann", MAIL.subject]) expect(text).not.toContain(part);
  };

  test("once it was sent", async () => {
    await queue();
    expect(await raw()).toContain("a-secret");
    await worker().drain();
    expect(await only()).toMatchObject({ state: "sent", endedAt: clock() });
    await expectNothing();
  });

  test("once it was refused for good, if it holds a link", async () => {
    await queue({ expiresAt: new Date(time.now + HOUR) });
    standIn.answer = () => 400;
    await worker().drain();
    expect(await only()).toMatchObject({ state: "dead", endedAt: clock() });
    await expectNothing();
  });

  test("once its link has expired, which is sent until then, and not any more", async () => {
    for (const expiresAt of [new Date(time.now + HOUR), new Date(time.now + HOUR + 1)])
      await queue({ expiresAt });
    // As if no process had run for a while.
    time.now += HOUR;
    await worker().drain();
    expect(standIn.attempts).toHaveLength(1);
    expect(await Notification.find().sort({ _id: 1 }).lean()).toMatchObject([
      { state: "dead", failure: "The link in it has expired" },
      { state: "sent" },
    ]);
    await expectNothing();
  });
});

test("comes before what waits for guides", async () => {
  for (let n = 0; n < 3; n++) await enqueue();
  await queue();
  const one = worker();
  one.wake();
  await one.stop();
  expect(standIn.mails[0]!.subject).toBe(MAIL.subject);
});

test("is shown at /dev/mail without SendGrid, with its link, until its end", async () => {
  await queue();
  await new OutboxWorker(null).drain();
  const { _id, state, endedAt } = await only();
  expect([state, endedAt]).toEqual(["captured", clock()]);
  const mails = await listDevMailbox();
  expect(mails).toMatchObject([{ to: TO.email, subject: MAIL.subject, text: MAIL.text }]);
  expect(await findCapturedMail(_id.toString())).toEqual(mails[0]);
  const index = { key: { endedAt: 1 }, expireAfterSeconds: 30 * 24 * 60 * 60 };
  const indexes = await Notification.collection.indexes();
  expect(indexes).toContainEqual(expect.objectContaining(index));
});

test("has a maximum size, and nothing of a larger one is stored", async () => {
  await expect(queue({ html: "é".repeat(150_000) })).rejects.toThrow(RangeError);
  expect(await Notification.countDocuments()).toBe(0);
});
