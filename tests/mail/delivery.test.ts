import { describe, expect, test } from "vitest";
import { LEASE_MS, OutboxWorker } from "~/mail/delivery.server";
import { RETRY_MS } from "~/mail/outbox.server";
import { Notification } from "#models/notification";
import { clock, enqueue, KEY, standIn, time, useOutbox, worker, stored } from "../support/mail";

useOutbox();

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
  expect(mail.tracking_settings).toEqual({
    click_tracking: { enable: false, enable_text: false },
    open_tracking: { enable: false },
    subscription_tracking: { enable: false },
  });
  expect(await stored(id)).toMatchObject({ state: "sent", attempts: 1, endedAt: clock() });
  expect((await stored(id)).lease).toBeUndefined();
});

describe("a failure that may pass", () => {
  test.each([503, 429, 401, "reset", "hang"] as const)(
    "%s is tried again, later each time",
    async (behaviour) => {
      const id = await enqueue();
      standIn.answer = (nth) => (nth <= 2 ? behaviour : 202);
      const delays = [];
      for (const attempt of [1, 2]) {
        await worker(200).drain();
        const { state, dueAt, failure } = await stored(id);
        expect([state, failure]).toEqual(["pending", expect.stringMatching(/^SendGrid: /)]);
        delays.push(dueAt.getTime() - time.now);
        // Nothing is tried before its time.
        await worker(200).drain();
        expect(standIn.attempts).toHaveLength(attempt);
        time.now = dueAt.getTime();
      }
      expect(delays[0]).toBeGreaterThanOrEqual(1_500);
      expect(delays[1]!).toBeGreaterThan(delays[0]!);
      await worker().drain();
      expect(await stored(id)).toMatchObject({ state: "sent", attempts: 3 });
      expect(standIn.mails).toHaveLength(1);
      expect(JSON.stringify(await Notification.find().lean())).not.toContain(KEY);
    },
  );

  const MINUTE_MS = 60_000;
  test.each([
    ["in seconds", () => "1800", 30 * MINUTE_MS],
    ["as a date", () => new Date(Date.now() + 30 * MINUTE_MS).toUTCString(), 30 * MINUTE_MS],
    ["for years", () => "99999999", 24 * 60 * MINUTE_MS],
    ["no number", () => "soon", 0],
  ])("waits as long as SendGrid asks for: %s", async (_, retryAfter, asked) => {
    const id = await enqueue();
    standIn.answer = () => 429;
    standIn.retryAfter = retryAfter();
    await worker().drain();
    const delay = (await stored(id)).dueAt.getTime() - time.now;
    // A date has no milliseconds, and the answer takes a while.
    expect(delay).toBeGreaterThan(asked - MINUTE_MS);
    expect(delay).toBeLessThan(asked + MINUTE_MS);
  });

  test("is given up after two days, and not before", async () => {
    const id = await enqueue();
    const end = time.now + RETRY_MS;
    standIn.answer = () => 401;
    let last = time.now;
    for (let turn = 0; turn < 200 && (await stored(id)).state === "pending"; turn++) {
      time.now = last = (await stored(id)).dueAt.getTime();
      // One lane, which takes one e-mail.
      const one = worker();
      one.wake();
      await one.stop();
    }
    expect(await stored(id)).toMatchObject({
      state: "dead",
      endedAt: new Date(last),
      failure: expect.stringContaining("401"),
    });
    expect(last).toBeLessThan(end);
    expect(last).toBeGreaterThan(end - 2 * 60 * 60 * 1_000);
  });
});

describe("the lease", () => {
  test("many workers at once send each mail once", async () => {
    for (let n = 0; n < 12; n++) await enqueue();
    await Promise.all(Array.from({ length: 4 }, () => worker().drain()));
    expect(standIn.attempts).toHaveLength(12);
    expect(await Notification.countDocuments({ state: "sent" })).toBe(12);
  });

  test("keeps a mail from other processes while one is sending it", async () => {
    const id = await enqueue();
    let release: (() => void) | undefined;
    const slow = new OutboxWorker(() => new Promise((resolve) => (release = resolve)));
    slow.wake();
    await expect.poll(() => release).toBeDefined();
    const other = worker();
    other.wake();
    await other.stop();
    expect(standIn.attempts).toHaveLength(0);
    release!();
    await slow.stop();
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 1 });
  });

  test("of a process that died is taken over when it ends", async () => {
    // A process that is killed after its claim leaves this.
    const id = await enqueue({ dueAt: new Date(time.now + LEASE_MS), lease: "dead", attempts: 1 });
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    time.now += LEASE_MS;
    await worker().drain();
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 2 });
  });
});

describe("a process that was overtaken", () => {
  /** Two processes that send the same e-mail: the lease of the first ended meanwhile. */
  async function overtaken() {
    const id = await enqueue();
    const ends: (() => void)[] = [];
    const process = () => {
      const send = () =>
        new Promise<void>((resolve, reject) =>
          ends.push(ends.length === 0 ? () => reject(new Error("late")) : resolve),
        );
      const slow = new OutboxWorker(send);
      slow.wake();
      return slow;
    };
    const first = process();
    while (ends.length < 1) await new Promise((wait) => setTimeout(wait, 5));
    time.now += LEASE_MS;
    const second = process();
    while (ends.length < 2) await new Promise((wait) => setTimeout(wait, 5));
    return { id, first, second, ends };
  }

  test("does not take the lease of the one that is sending", async () => {
    const { id, first, second, ends } = await overtaken();
    const leased = await stored(id);
    ends[0]!();
    await first.stop();
    expect(await stored(id)).toEqual(leased);
    ends[1]!();
    await second.stop();
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("does not undo what the other one has recorded", async () => {
    const { id, first, second, ends } = await overtaken();
    ends[1]!();
    await second.stop();
    const sent = await stored(id);
    ends[0]!();
    await first.stop();
    expect(await stored(id)).toEqual(sent);
  });
});

test("a mail that hangs does not hold up the others", async () => {
  const hanging = await enqueue();
  standIn.answer = (nth) => (nth === 1 ? "hang" : 202);
  const shared = worker();
  shared.wake();
  await expect.poll(() => standIn.attempts.length).toBe(1);
  const other = await enqueue();
  shared.wake();
  await expect.poll(() => standIn.mails.length).toBe(1);
  // The first one is still under way.
  expect(await stored(hanging)).toMatchObject({ state: "pending", lease: expect.anything() });
  standIn.drop();
  await shared.stop();
  expect((await stored(hanging)).failure).toMatch(/^SendGrid: /);
  expect(await stored(other)).toMatchObject({ state: "sent" });
});
