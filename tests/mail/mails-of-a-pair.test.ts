import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OutboxWorker } from "~/mail/delivery.server";
import { listOutbox } from "~/mail/outbox-list.server";
import { RETRY_MS } from "~/mail/outbox.server";
import { deleteReview } from "~/reviews/delete.server";
import { postReview } from "~/reviews/post.server";
import { hideReply } from "~/reviews/removal.server";
import { deleteReply, putReply } from "~/reviews/replies/reply.server";
import { inTransaction } from "~/db/transaction.server";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { as, makeBookedExplorer, makeReview, makeTour } from "../support/factories";
import { clock, standIn, stored, time, useOutbox, worker } from "../support/mail";

// How often an explorer can have the guide of a tour told of their reviews of it, and the guide the explorer of replies
// (docs/rules/mail.md, Notifications).

useOutbox();

const HOUR = 60 * 60 * 1_000;

let tour: TourDocument;
let ann: UserDocument;
beforeEach(async () => {
  tour = await makeTour();
  ann = await makeBookedExplorer(tour, { name: "Ann" });
});

async function post(by = ann, comment = "") {
  const body = { tourId: tour._id.toString(), rating: 4, comment };
  return (await postReview(as(by), body)).review.id;
}

/** Posts and deletes, and lets the outbox deliver in between. */
async function postAndDelete(times: number) {
  for (let count = 0; count < times; count++) {
    const id = await post();
    await worker().drain();
    await deleteReview(as(ann), id);
    time.now += 1_000;
  }
}

const waiting = () => Notification.countDocuments({ state: "pending" });

test("of a review that is posted and deleted again and again, three arrive in an hour", async () => {
  await postAndDelete(25);
  expect(standIn.mails).toHaveLength(3);
  expect(await waiting()).toBe(0);
});

test("a later one waits until the first of the three is an hour old, and then arrives", async () => {
  const first = time.now;
  await postAndDelete(3);
  const _id = await post(ann, "the one that stays");
  await worker().drain();
  expect(standIn.mails).toHaveLength(3);
  const dueAt = new Date(first + HOUR);
  const retryUntil = new Date(dueAt.getTime() + RETRY_MS);
  const review = (await Review.findById(_id).lean())!._id;
  expect(await stored(review)).toMatchObject({ state: "pending", dueAt, retryUntil, attempts: 0 });
  time.now = dueAt.getTime() - 1;
  await worker().drain();
  expect(standIn.mails).toHaveLength(3);
  time.now = dueAt.getTime();
  await worker().drain();
  expect(standIn.mails).toHaveLength(4);
  expect(standIn.mails[3]!.content[0]!.value).toContain("the one that stays");
  expect(await stored(review)).toMatchObject({ state: "sent", attempts: 1 });
});

test("no hour has more than three, also around the end of the one before", async () => {
  await postAndDelete(1);
  time.now += HOUR - 2_000;
  await postAndDelete(2);
  time.now += 2_000;
  await postAndDelete(3);
  expect(standIn.mails).toHaveLength(4);
});

test("the operator reads why one waits", async () => {
  await postAndDelete(3);
  await post();
  await worker().drain();
  const { mails } = await listOutbox("pending", 10);
  expect(mails).toMatchObject([
    {
      kind: "review",
      attempts: 0,
      failure: "three e-mails about this explorer's reviews of the tour within an hour",
    },
  ]);
});

test("other explorers, and other tours, have their own three", async () => {
  await postAndDelete(3);
  await post();
  const bob = await makeBookedExplorer(tour);
  await post(bob);
  tour = await makeTour({ createdById: tour.createdById });
  await makeBookedExplorer(tour);
  await worker().drain();
  expect(standIn.mails).toHaveLength(4);
});

test("an e-mail that is tried again counts once", async () => {
  await postAndDelete(2);
  standIn.answer = () => 503;
  const _id = await post();
  for (let attempt = 0; attempt < 3; attempt++) {
    await worker().drain();
    time.now = (await Notification.findById(_id).orFail().lean()).dueAt.getTime();
  }
  standIn.answer = () => 202;
  await worker().drain();
  expect(standIn.attempts).toHaveLength(6);
  expect(standIn.mails).toHaveLength(3);
});

describe("processes that deliver at once", () => {
  const release: (() => void)[] = [];
  const workers: OutboxWorker[] = [];
  afterEach(async () => {
    for (const end of release.splice(0)) end();
    await Promise.all(workers.splice(0).map((one) => one.stop()));
  });

  test("send three of a pair together, although their reviews go meanwhile", async () => {
    let sending = 0;
    for (let count = 0; count < 6; count++) {
      const id = await post();
      const slow = new OutboxWorker(
        () => new Promise((resolve) => (release.push(resolve), void sending++)),
      );
      workers.push(slow);
      slow.wake();
      const isTaken = async () => {
        const { lease, dueAt } = (await Notification.findById(id).lean())!;
        return lease === undefined ? dueAt.getTime() > time.now : sending === count + 1;
      };
      await expect.poll(isTaken).toBe(true);
      await deleteReview(as(ann), id);
    }
    expect(sending).toBe(3);
    expect(await waiting()).toBe(0);
  });
});

describe("one that waits", () => {
  test("goes with its review", async () => {
    standIn.answer = () => 503;
    const id = await post();
    await worker().drain();
    expect(await waiting()).toBe(1);
    await deleteReview(as(ann), id);
    expect(await Notification.countDocuments()).toBe(0);
  });

  test("is not sent when the platform has deleted its review", async () => {
    await post();
    await Review.deleteMany({});
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    expect(await Notification.countDocuments()).toBe(0);
  });
});

describe("an e-mail about a reply", () => {
  let id: string;
  const guide = () => ({ id: tour.createdById.toString() });
  const put = (text: string) => putReply(guide(), id, { text });
  const texts = () => standIn.mails.map(({ content }) => content[0]!.value);
  beforeEach(async () => {
    id = (await makeReview(ann, tour))._id.toString();
  });

  test("goes out once an hour, however often the guide writes, changes and withdraws it", async () => {
    const first = time.now;
    for (let count = 0; count < 10; count++) {
      await put(`draft ${count}`);
      await worker().drain();
      await put(`reply ${count}`);
      await worker().drain();
      if (count < 9) await deleteReply(guide(), id);
      time.now += 60_000;
    }
    expect(texts()).toEqual([expect.stringContaining("draft 0")]);
    // Only the text that stands waits for its turn.
    expect(await waiting()).toBe(1);
    const { mails } = await listOutbox("pending", 10);
    expect(mails[0]).toMatchObject({
      dueAt: new Date(first + HOUR),
      failure: "an e-mail about the reply to this explorer's review of the tour within an hour",
    });
    time.now = first + HOUR;
    await worker().drain();
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain("reply 9");
    expect(await waiting()).toBe(0);
  });

  test.each([
    ["withdrawn", () => deleteReply(guide(), id)],
    [
      "removed by an operator",
      () =>
        inTransaction((session) => {
          const mark = { at: clock(), ground: "hateful", caseId: tour._id } as const;
          return hideReply(new Types.ObjectId(id), mark, session);
        }),
    ],
    ["deleted with its review", () => deleteReview(as(ann), id)],
    ["deleted with its guide's account", () => Reply.deleteMany({})],
    ["left behind by a platform that has deleted the review", () => Review.deleteMany({})],
  ])("is not sent when that was %s before", async (_, gone) => {
    standIn.answer = () => 503;
    await put("Call me at 555-0100.");
    await worker().drain();
    await gone();
    standIn.answer = () => 202;
    time.now += HOUR;
    await worker().drain();
    expect(standIn.mails).toEqual([]);
    expect(await waiting()).toBe(0);
  });
});
