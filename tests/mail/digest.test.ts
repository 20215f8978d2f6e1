import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { findCapturedMail, listDevMailbox } from "~/mail/dev-mailbox.server";
import { LEASE_MS, OutboxWorker } from "~/mail/delivery.server";
import { Notification, type ReviewNotificationInputs } from "#models/notification";
import {
  clock,
  enqueue,
  GWEN,
  INPUTS,
  standIn,
  time,
  useOutbox,
  worker,
  stored,
} from "../support/mail";

useOutbox();

describe("the mail of a day", () => {
  /** A review that waits for that guide's mail, written so many hours ago. */
  const wait = (fields: Partial<ReviewNotificationInputs> = {}, guideId = GWEN, hoursAgo = 1) =>
    enqueue({
      kind: "digest",
      guideId,
      inputs: { ...INPUTS, ...fields },
      createdAt: new Date(time.now - hoursAgo * 60 * 60 * 1_000),
    });
  /** The review's own page. */
  const urlOf = (id: Types.ObjectId) => `http://localhost:3000/reviews/${id.toString()}`;
  const states = async () => (await Notification.find().lean()).map(({ state }) => state);

  test("lists all reviews by tour, as text and as HTML", async () => {
    const ann = await wait({ explorerName: "Ann Lee", comment: "First\nof all" }, GWEN, 3);
    const nobody = await wait({ explorerName: "", rating: 2, comment: null }, GWEN, 2);
    const harbour = { tourTitle: "Harbour", tourSlug: "harbour", guideEmail: "new@x.test" };
    const cid = await wait({ explorerName: "Cid Moe", ...harbour }, GWEN, 1);
    await worker().drain();
    await worker().drain();
    expect(standIn.attempts).toHaveLength(1);
    const { subject, personalizations, content } = standIn.mails[0]!;
    expect(subject).toBe("3 new reviews of Old Town Walk and 1 other tour");
    expect(personalizations[0]!.to).toEqual([{ email: "new@x.test" }]);
    const [text, html] = content.map(({ value }) => value) as [string, string];
    expect(text).toContain(
      [
        "Old Town Walk\nhttp://localhost:3000/tours/old-town-walk",
        "Ann Lee: 5 out of 5  ★★★★★\n> First\n> of all\n" + urlOf(ann),
        "An explorer: 2 out of 5  ★★☆☆☆\nThe explorer left no comment.\n" + urlOf(nobody),
        "Harbour\nhttp://localhost:3000/tours/harbour",
        "Cid Moe: 5 out of 5  ★★★★★\n> Best walk\n" + urlOf(cid),
      ].join("\n\n"),
    );
    const order = [
      "Old Town Walk</bdi></a>",
      urlOf(ann),
      urlOf(nobody),
      "Harbour</bdi></a>",
      urlOf(cid),
    ];
    const places = order.map((part) => html.lastIndexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  test("of many shows the newest 40, says how many more there are, and settles all of them", async () => {
    for (let n = 0; n < 50; n++) await wait({ explorerName: `Explorer ${n}!` }, GWEN, 50 - n);
    await worker().drain();
    await worker().drain();
    expect(standIn.attempts).toHaveLength(1);
    const { subject, content } = standIn.mails[0]!;
    expect(subject).toBe("50 new reviews of your tours");
    for (const { value } of content) {
      const shown = [...value.matchAll(/Explorer (\d+)!/g)].map(([, n]) => Number(n));
      expect(shown).toEqual(Array.from({ length: 40 }, (_, n) => n + 10));
      expect(value).toContain("… and 10 more.");
    }
    expect(new Set(await states())).toEqual(new Set(["sent"]));
  });

  test("of one review that is larger than that shows it", async () => {
    await wait({ comment: "x".repeat(70_000) });
    await worker().drain();
    const text = standIn.mails[0]!.content[0]!.value.replaceAll("\n> ", "");
    expect(text).toContain("x".repeat(70_000));
    expect(standIn.mails[0]!.content[0]!.value).not.toContain("more.");
  });

  test("is not sent before its time, and each guide gets their own", async () => {
    const other = new Types.ObjectId();
    for (const guide of [GWEN, GWEN, other]) await wait({}, guide);
    const due = new Date(time.now + 1_000);
    await Notification.updateMany({}, { $set: { dueAt: due } });
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    time.now = due.getTime();
    await worker().drain();
    expect(standIn.mails.map(({ subject }) => subject).sort()).toEqual([
      "1 new review of Old Town Walk",
      "2 new reviews of Old Town Walk",
    ]);
  });

  test("that fails is tried again as a whole, later each time, and sent once", async () => {
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
      time.now = first!.dueAt.getTime();
    }
    await worker().drain();
    expect(standIn.mails.map(({ subject }) => subject)).toEqual(["3 new reviews of Old Town Walk"]);
    expect(await states()).toEqual(["sent", "sent", "sent"]);
  });

  test("gives up each review two days after it was first due, and goes on with the others", async () => {
    const old = await wait();
    const young = await wait();
    await Notification.updateOne({ _id: old }, { $set: { retryUntil: new Date(time.now) } });
    standIn.answer = () => 500;
    await worker().drain();
    expect(await stored(old)).toMatchObject({ state: "dead", endedAt: clock() });
    expect(await stored(young)).toMatchObject({ state: "pending" });
  });

  test("of a process that died is taken over when its lease ends, by one only", async () => {
    const ids = [await wait(), await wait()];
    const left = { dueAt: new Date(time.now + LEASE_MS), lease: "dead", attempts: 1 };
    await Notification.updateMany({ _id: { $in: ids } }, { $set: left });
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    time.now += LEASE_MS;
    await Promise.all([worker().drain(), worker().drain()]);
    expect(await states()).toEqual(["sent", "sent"]);
    expect(standIn.mails).toHaveLength(1);
    expect((await stored(ids[0]!)).attempts).toBe(2);
  });

  test("is captured without SendGrid, as one, under the id of each of its reviews", async () => {
    const ids = [await wait({}, GWEN, 2), await wait({}, GWEN, 1)];
    await new OutboxWorker(null).drain();
    const mails = await listDevMailbox();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      id: ids[1]!.toString(),
      to: "gwen@example.test",
      subject: "2 new reviews of Old Town Walk",
    });
    for (const id of ids)
      expect(await findCapturedMail(id.toString())).toEqual({ ...mails[0], id: id.toString() });
  });
});
