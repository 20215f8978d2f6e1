import { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  Notification,
  type NotificationDocument,
  type ReviewNotificationInputs,
} from "../../../models/notification";
import type { ReviewMails } from "../../../models/user";
import {
  findSubscription,
  getReviewMails,
  setReviewMails,
  unsubscribe,
  unsubscribeUrl,
} from "~/services/notifications/settings.server";
import { sendGrid } from "~/services/notifications/sendgrid.server";
import {
  findCapturedMail,
  listCapturedMails,
} from "~/services/notifications/captured-mails.server";
import { GIVE_UP_AFTER_MS, LEASE_MS, OutboxWorker } from "~/services/notifications/delivery.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { useDatabase } from "../../support/database";
import { as, makeGuest, makeTour, makeUser } from "../../support/factories";
import { startSendGrid, type SendGridStandIn } from "../../support/sendgrid";

useDatabase();

const KEY = "SG.a-key-that-no-log-may-hold";
let standIn: SendGridStandIn;
beforeAll(async () => (standIn = await startSendGrid()));
afterAll(() => standIn.close());

let now: number;
const clock = () => new Date(now);
const worker = (timeoutMs = 5_000) =>
  new OutboxWorker(sendGrid(KEY, standIn.url, timeoutMs), { clock });

beforeEach(() => {
  now = Date.parse("2026-05-01T12:00:00Z");
  standIn.attempts.length = standIn.mails.length = 0;
  standIn.answer = () => 202;
});

const GWEN = new Types.ObjectId();
const INPUTS: ReviewNotificationInputs = {
  guideName: "Gwen",
  guideEmail: "gwen@example.test",
  explorerName: "Ann",
  tourTitle: "Old Town Walk",
  rating: 5,
  comment: "Best walk",
  tourSlug: "old-town-walk",
};

async function enqueue(fields: Partial<NotificationDocument> = {}): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId();
  await Notification.create({
    _id,
    guideId: GWEN,
    explorerId: new Types.ObjectId(),
    inputs: INPUTS,
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

  test("keeps a mail from other processes while one is sending it", async () => {
    const id = await enqueue();
    let release = () => {};
    const slow = new OutboxWorker(() => new Promise((resolve) => (release = resolve)), { clock });
    slow.wake();
    while ((await stored(id)).attempts === 0) await new Promise((wait) => setTimeout(wait, 5));
    const other = worker();
    other.wake();
    await other.stop();
    expect(standIn.attempts).toHaveLength(0);
    release();
    await slow.stop();
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 1 });
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
      { clock },
    );
    // One lane: another would take the mail over itself when the lease ends.
    slow.wake();
    while ((await stored(id)).attempts === 0) await new Promise((wait) => setTimeout(wait, 5));
    now += LEASE_MS;
    await worker().drain();
    const sent = await stored(id);
    expect(sent).toMatchObject({ state: "sent", attempts: 2 });
    release();
    await slow.stop();
    expect(await stored(id)).toEqual(sent);
  });
});

test("a SendGrid that fails a fifth of the time gets every mail in the end, once", async () => {
  const FAULTS = [503, 429, "reset", "hang"] as const;
  standIn.answer = (nth) => (nth % 5 === 0 ? FAULTS[(nth / 5) % FAULTS.length]! : 202);
  for (let n = 0; n < 40; n++)
    await enqueue({ inputs: { ...INPUTS, guideEmail: `${n}@example.test` } });
  for (let turn = 0; turn < 20 && standIn.mails.length < 40; turn++) {
    // Two processes.
    await Promise.all([worker(2_000).drain(), worker(2_000).drain()]);
    now += 60_000;
  }
  const to = standIn.mails.map(({ personalizations }) => personalizations[0]!.to[0]!.email);
  expect(to.length).toBe(40);
  expect(new Set(to).size).toBe(40);
  expect(await Notification.countDocuments({ state: "sent" })).toBe(40);
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
  await new OutboxWorker(null, { clock }).drain();
  expect((await stored(id)).state).toBe("kept");
  const [mail] = await listCapturedMails();
  expect(mail).toMatchObject({ id: id.toString(), to: "gwen@example.test" });
  expect(mail!.subject).toContain("Old Town Walk");
  expect(await findCapturedMail(id.toString())).toEqual(mail);
  expect(await findCapturedMail("nope")).toBeNull();
});

test("every mail says how to stop it, to its reader and to the reader's mail program", async () => {
  await enqueue();
  await enqueue({ digest: true });
  await worker().drain();
  expect(standIn.mails).toHaveLength(2);
  for (const { headers, content } of standIn.mails) {
    const url = unsubscribeUrl(GWEN);
    expect(headers).toEqual({
      "List-Unsubscribe": `<${url}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(content.map(({ value }) => value.includes(url))).toEqual([true, true]);
  }
});

test("a token stops the mails of its guide, and one that is not ours those of nobody", async () => {
  const [guide, other] = [await makeUser(), await makeUser()];
  const tokenOf = ({ _id }: { _id: Types.ObjectId }) => unsubscribeUrl(_id).split("/").at(-1)!;
  const token = tokenOf(guide);
  const last = token.endsWith("A") ? "B" : "A";
  for (const forged of [
    "",
    guide._id.toString(),
    token.slice(0, -1),
    token.slice(0, -1) + last,
    `${token}A`,
    `${token}\n`,
    token.toUpperCase(),
    tokenOf(other).slice(0, 24) + token.slice(24),
  ]) {
    await expect(unsubscribe(forged), forged).rejects.toMatchObject({ status: 404 });
    await expect(findSubscription(forged), forged).rejects.toMatchObject({ status: 404 });
  }
  expect(await findSubscription(token)).toBe("each");
  await unsubscribe(token);
  await unsubscribe(token);
  expect(await findSubscription(token)).toBe("none");
  expect(await findSubscription(tokenOf(other))).toBe("each");
});

describe("what a guide wants", () => {
  async function review(reviewMails: ReviewMails | undefined, at: string) {
    const guide = await makeUser({ reviewMails });
    const tour = await makeTour({ createdById: guide._id });
    const guest = await makeGuest(tour);
    const body = { tourId: tour._id.toString(), rating: 3 };
    const { id } = await createReview(as(guest), body, { clock: () => new Date(at) });
    return {
      guide,
      guest,
      notification: await Notification.findById(id).lean<NotificationDocument>(),
    };
  }

  test.each([undefined, "each"] as const)("%s: a mail at once", async (reviewMails) => {
    const { guide, notification } = await review(reviewMails, "2026-05-01T06:30:00Z");
    expect(notification!.dueAt).toEqual(notification!.createdAt);
    expect(notification!.guideId).toEqual(guide._id);
    expect(notification).not.toHaveProperty("digest");
  });

  test.each([
    ["2026-05-01T06:59:59.999Z", "2026-05-01T07:00:00.000Z"],
    ["2026-05-01T07:00:00.000Z", "2026-05-02T07:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2027-01-01T07:00:00.000Z"],
  ])("daily: what is written at %s is due at %s", async (at, due) => {
    const { notification } = await review("daily", at);
    expect(notification).toMatchObject({ state: "pending", digest: true, dueAt: new Date(due) });
  });

  test.each(["each", "daily"] as const)("%s: of a review that is deleted before", async (mails) => {
    const { guest, notification } = await review(mails, "2026-05-01T06:30:00Z");
    await deleteReview(as(guest), notification!._id.toString());
    // A mail of its own is promised with the review; one that tells of a day tells of what is left.
    expect(await Notification.countDocuments()).toBe(mails === "each" ? 1 : 0);
  });

  test("none: nothing is written down", async () => {
    expect((await review("none", "2026-05-01T06:30:00Z")).notification).toBeNull();
  });

  test("none drops what waits for this guide, and nothing else", async () => {
    const guide = await makeUser({ reviewMails: "daily" });
    const of = { guideId: guide._id };
    const dropped = [await enqueue({ ...of, digest: true }), await enqueue(of)];
    const left = [await enqueue({ digest: true }), await enqueue({ ...of, state: "sent" })];

    await setReviewMails(guide._id.toString(), "each");
    expect(await Notification.countDocuments()).toBe(4);
    await setReviewMails(guide._id.toString(), "none");
    expect(await getReviewMails(guide._id.toString())).toBe("none");
    expect(await Notification.find({ _id: { $in: dropped } })).toEqual([]);
    expect(await Notification.countDocuments({ _id: { $in: left } })).toBe(2);
  });

  test("is one of three things, of a user that there is", async () => {
    const guide = await makeUser();
    expect(await getReviewMails(guide._id.toString())).toBe("each");
    const refusal = { status: 400, fields: { reviewMails: expect.any(String) } };
    for (const choice of ["", "weekly", "EACH"])
      await expect(setReviewMails(guide._id.toString(), choice)).rejects.toMatchObject(refusal);
    const nobody = new Types.ObjectId().toString();
    for (const id of [nobody, "nope"]) {
      await expect(setReviewMails(id, "none")).rejects.toMatchObject({ status: 404 });
      await expect(getReviewMails(id)).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe("the mail of a day", () => {
  /** A review that waits for that guide's mail, written so many hours ago. */
  const wait = (fields: Partial<ReviewNotificationInputs> = {}, guideId = GWEN, hoursAgo = 1) =>
    enqueue({
      digest: true,
      guideId,
      inputs: { ...INPUTS, ...fields },
      createdAt: new Date(now - hoursAgo * 60 * 60 * 1_000),
    });
  const states = async () => (await Notification.find().lean()).map(({ state }) => state);

  test("tells of all reviews at once, by tour, in both contents", async () => {
    await wait({ explorerName: "Ann", comment: "First\nof all" }, GWEN, 3);
    await wait({ explorerName: "", rating: 2, comment: null }, GWEN, 2);
    await wait(
      { explorerName: "Cid", tourTitle: "Harbour", tourSlug: "harbour", guideEmail: "new@x.test" },
      GWEN,
      1,
    );
    await worker().drain();
    await worker().drain();
    expect(standIn.attempts).toHaveLength(1);
    const { subject, personalizations, content } = standIn.mails[0]!;
    expect(subject).toBe("3 new reviews of Old Town Walk and 1 other tour");
    expect(personalizations[0]!.to).toEqual([{ email: "new@x.test" }]);
    expect(content.map(({ type }) => type)).toEqual(["text/plain", "text/html"]);
    const [text, html] = content.map(({ value }) => value) as [string, string];
    expect(text).toContain(
      [
        "Old Town Walk\nhttp://localhost:3000/tours/old-town-walk",
        "Ann: 5 out of 5  ★★★★★\n> First\n> of all",
        "An explorer: 2 out of 5  ★★☆☆☆\nThe explorer left no comment.",
        "Harbour\nhttp://localhost:3000/tours/harbour",
        "Cid: 5 out of 5  ★★★★★\n> Best walk",
      ].join("\n\n"),
    );
    const order = ["Old Town Walk</a>", "Ann", "An explorer", "Harbour</a>", "Cid"];
    const places = order.map((part) => html.lastIndexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(await states()).toEqual(["sent", "sent", "sent"]);
    expect(await Notification.countDocuments({ lease: { $exists: true } })).toBe(0);
  });

  test("of one review, or of one tour, says so", async () => {
    await wait();
    await worker().drain();
    await wait();
    await wait();
    await worker().drain();
    expect(standIn.mails.map(({ subject }) => subject)).toEqual([
      "1 new review of Old Town Walk",
      "2 new reviews of Old Town Walk",
    ]);
  });

  test("is not sent before its time, and each guide gets their own", async () => {
    const other = new Types.ObjectId();
    for (const guide of [GWEN, GWEN, other]) await wait({}, guide);
    const due = new Date(now + 1_000);
    await Notification.updateMany({}, { $set: { dueAt: due } });
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    now = due.getTime();
    await worker().drain();
    expect(standIn.mails.map(({ subject }) => subject).sort()).toEqual([
      "1 new review of Old Town Walk",
      "2 new reviews of Old Town Walk",
    ]);
  });

  test("is one, however many workers look for it", async () => {
    const guides = [GWEN, new Types.ObjectId(), new Types.ObjectId()];
    for (const guide of guides) for (let n = 0; n < 5; n++) await wait({}, guide);
    await enqueue();
    await Promise.all(Array.from({ length: 4 }, () => worker().drain()));
    expect(standIn.attempts).toHaveLength(guides.length + 1);
    expect(new Set(await states())).toEqual(new Set(["sent"]));
  });

  test("that fails is tried again whole, later each time, and sent once", async () => {
    const ids = [await wait(), await wait(), await wait()];
    standIn.answer = (nth) => (nth <= 2 ? 503 : 202);
    for (const attempt of [1, 2]) {
      await worker().drain();
      await worker().drain();
      expect(standIn.attempts).toHaveLength(attempt);
      const [first, ...others] = await Promise.all(ids.map(stored));
      expect(first).toMatchObject({ state: "pending", attempts: attempt });
      expect(first!.failure).toMatch(/503/);
      for (const other of others) expect(other.dueAt).toEqual(first!.dueAt);
      now = first!.dueAt.getTime();
    }
    await worker().drain();
    expect(standIn.mails.map(({ subject }) => subject)).toEqual(["3 new reviews of Old Town Walk"]);
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  test("that is refused for good is given up whole, and of the key tried once more", async () => {
    for (let n = 0; n < 3; n++) await wait();
    standIn.answer = () => 401;
    await worker().drain();
    expect(await states()).toEqual(["dead", "dead", "dead"]);
    standIn.answer = () => 202;
    const next = worker();
    await next.start();
    await next.drain();
    await next.stop();
    expect(standIn.mails.map(({ subject }) => subject)).toEqual(["3 new reviews of Old Town Walk"]);
  });

  test("gives up each review two days after it, and goes on with the others", async () => {
    const old = await wait({}, GWEN, 48);
    const young = await wait({}, GWEN, 1);
    standIn.answer = () => 500;
    await worker().drain();
    expect((await stored(old)).state).toBe("dead");
    expect((await stored(young)).state).toBe("pending");
  });

  test("of a process that died is taken over when its lease ends, by one only", async () => {
    const ids = [await wait(), await wait()];
    const left = { dueAt: new Date(now + LEASE_MS), lease: "dead", attempts: 1 };
    await Notification.updateMany({ _id: { $in: ids } }, { $set: left });
    let release = () => {};
    const slow = new OutboxWorker(
      () => new Promise((_, reject) => (release = () => reject(new Error("late")))),
      { clock },
    );
    await slow.drain();
    expect(standIn.attempts).toHaveLength(0);
    now += LEASE_MS;
    // One lane: another would take the mail over itself when the lease ends.
    slow.wake();
    while ((await stored(ids[0]!)).attempts < 2) await new Promise((wait) => setTimeout(wait, 5));
    now += LEASE_MS;
    await worker().drain();
    expect(await states()).toEqual(["sent", "sent"]);
    // What the late one has to say comes too late.
    release();
    await slow.stop();
    expect(await states()).toEqual(["sent", "sent"]);
    expect(standIn.mails).toHaveLength(1);
  });

  test("is kept without SendGrid, as one, under the id of each of its reviews", async () => {
    const ids = [await wait({}, GWEN, 2), await wait({}, GWEN, 1)];
    await new OutboxWorker(null, { clock }).drain();
    const mails = await listCapturedMails();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      id: ids[1]!.toString(),
      to: "gwen@example.test",
      subject: "2 new reviews of Old Town Walk",
    });
    for (const id of ids) expect(await findCapturedMail(id.toString())).toEqual(mails[0]);
  });
});
