import { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Notification, type NotificationDocument } from "../models/notification";
import { sendGrid } from "~/services/mail.server";
import {
  findKeptMail,
  GIVE_UP_AFTER_MS,
  LEASE_MS,
  listKeptMails,
  OutboxWorker,
} from "~/services/notifications.server";
import { useDatabase } from "./support/database";
import { startSendGrid, type SendGridStandIn } from "./support/sendgrid";

useDatabase();

const KEY = "SG.a-key-that-no-log-may-hold";
let standIn: SendGridStandIn;
beforeAll(async () => (standIn = await startSendGrid()));
afterAll(() => standIn.close());

let now: number;
const clock = () => new Date(now);
const worker = (timeoutMs = 500) => new OutboxWorker(sendGrid(KEY, standIn.url, timeoutMs), clock);

beforeEach(() => {
  now = Date.parse("2026-05-01T12:00:00Z");
  standIn.attempts.length = standIn.mails.length = 0;
  standIn.answer = () => 202;
});

async function enqueue(fields: Partial<NotificationDocument> = {}): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId();
  await Notification.create({
    _id,
    inputs: {
      guideName: "Gwen",
      guideEmail: "gwen@example.test",
      explorerName: "Ann",
      tourTitle: "Old Town Walk",
      rating: 5,
      comment: "Best walk",
      tourSlug: "old-town-walk",
    },
    state: "pending",
    createdAt: clock(),
    dueAt: clock(),
    attempts: 0,
    ...fields,
  });
  return _id;
}
const stored = async (id: Types.ObjectId) => (await Notification.findById(id).lean())!;

test("a mail that SendGrid accepts is sent once, with the key and both contents", async () => {
  const id = await enqueue();
  await worker().drain();
  await worker().drain();
  expect(standIn.attempts).toHaveLength(1);
  const { path, authorization, mail } = standIn.attempts[0]!;
  expect(path).toBe("/v3/mail/send");
  expect(authorization).toBe(`Bearer ${KEY}`);
  expect(mail.personalizations[0]!.to).toEqual([{ email: "gwen@example.test" }]);
  expect(mail.content.map((content) => content.type)).toEqual(["text/plain", "text/html"]);
  expect(await stored(id)).toMatchObject({ state: "sent", attempts: 1, sentAt: clock() });
  expect((await stored(id)).lease).toBeUndefined();
});

describe("a failure that may pass", () => {
  test.each([500, 503, 429, 408, "reset", "hang"] as const)(
    "%s is tried again, later each time",
    async (behaviour) => {
      const id = await enqueue();
      standIn.answer = (nth) => (nth <= 2 ? behaviour : 202);
      const delays = [];
      for (const attempt of [1, 2]) {
        await worker(200).drain();
        const { state, dueAt, failure } = await stored(id);
        expect(state).toBe("pending");
        expect(failure).toMatch(/^SendGrid: /);
        delays.push(dueAt.getTime() - now);
        // Nothing is tried before its time.
        await worker(200).drain();
        expect(standIn.attempts).toHaveLength(attempt);
        now = dueAt.getTime();
      }
      expect(delays[0]).toBeGreaterThanOrEqual(1_500);
      expect(delays[1]!).toBeGreaterThan(delays[0]!);
      await worker(200).drain();
      expect(await stored(id)).toMatchObject({ state: "sent", attempts: 3 });
      expect(standIn.mails).toHaveLength(1);
    },
  );

  test("is given up after two days, and not before", async () => {
    const id = await enqueue();
    const end = now + GIVE_UP_AFTER_MS;
    standIn.answer = () => 500;
    let last = now;
    for (let turn = 0; turn < 200 && (await stored(id)).state === "pending"; turn++) {
      now = last = (await stored(id)).dueAt.getTime();
      await worker().drain();
    }
    expect(await stored(id)).toMatchObject({
      state: "dead",
      failure: expect.stringContaining("500"),
    });
    expect(last).toBeLessThan(end);
    expect(last).toBeGreaterThan(end - 2 * 60 * 60 * 1_000);
  });
});

describe("a refusal that cannot get better", () => {
  test.each([400, 401, 403, 404, 413])("%s is not tried again", async (status) => {
    const id = await enqueue();
    standIn.answer = () => status;
    await worker().drain();
    now += GIVE_UP_AFTER_MS / 2;
    await worker().drain();
    expect(standIn.attempts).toHaveLength(1);
    expect(await stored(id)).toMatchObject({
      state: "dead",
      failure: expect.stringContaining(`SendGrid: ${status} the stand-in says no`),
    });
  });

  test("of the key is tried once more by the next process, one of the mail is not", async () => {
    standIn.answer = () => 401;
    const key = await enqueue();
    await worker().drain();
    standIn.answer = () => 400;
    const bad = await enqueue();
    await worker().drain();

    standIn.answer = () => 202;
    const next = worker();
    await next.start();
    await next.drain();
    await next.stop();
    expect((await stored(key)).state).toBe("sent");
    expect((await stored(bad)).state).toBe("dead");
  });
});

describe("the lease", () => {
  test("many workers at once send each mail once", async () => {
    for (let n = 0; n < 30; n++) await enqueue();
    await Promise.all(Array.from({ length: 4 }, () => worker().drain()));
    expect(standIn.attempts).toHaveLength(30);
    expect(await Notification.countDocuments({ state: "sent" })).toBe(30);
  });

  test("of a process that died is taken over when it ends", async () => {
    // What a process leaves that is killed after its claim.
    const id = await enqueue({ dueAt: new Date(now + LEASE_MS), lease: "dead", attempts: 1 });
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    now += LEASE_MS;
    await worker().drain();
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("is a fencing token: a late process does not undo what its successor recorded", async () => {
    const id = await enqueue();
    let release = () => {};
    const slow = new OutboxWorker(
      () => new Promise((_, reject) => (release = () => reject(new Error("late")))),
      clock,
    );
    const late = slow.drain();
    while ((await stored(id)).attempts === 0) await new Promise((wait) => setTimeout(wait, 5));
    now += LEASE_MS;
    await worker().drain();
    expect((await stored(id)).state).toBe("sent");
    release();
    await late;
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 2 });
  });
});

test("a mail that hangs does not hold up the others", async () => {
  await enqueue();
  standIn.answer = (nth) => (nth === 1 ? "hang" : 202);
  const shared = worker(2_000);
  const began = performance.now();
  shared.wake();
  while (standIn.attempts.length === 0) await new Promise((wait) => setTimeout(wait, 5));
  await enqueue();
  shared.wake();
  while (standIn.mails.length === 0) await new Promise((wait) => setTimeout(wait, 5));
  expect(performance.now() - began).toBeLessThan(1_900);
  await shared.stop();
});

test("the key stands in no stored failure", async () => {
  standIn.answer = (nth) => (["reset", "hang", 401] as const)[nth - 1]!;
  for (let n = 0; n < 3; n++) await enqueue();
  await worker(200).drain();
  const documents = JSON.stringify(await Notification.find().lean());
  expect(documents).toContain("SendGrid: ");
  expect(documents).not.toContain(KEY);
});

test("without SendGrid, mails are kept and can be looked at", async () => {
  const id = await enqueue();
  await new OutboxWorker(null, clock).drain();
  expect((await stored(id)).state).toBe("kept");
  const [mail] = await listKeptMails();
  expect(mail).toMatchObject({ id: id.toString(), to: "gwen@example.test" });
  expect(mail!.subject).toContain("Old Town Walk");
  expect(await findKeptMail(id.toString())).toEqual(mail);
  expect(await findKeptMail("nope")).toBeNull();
});
