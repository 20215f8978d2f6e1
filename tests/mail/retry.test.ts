import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { inTransaction } from "~/db/transaction.server";
import { OutboxWorker } from "~/mail/delivery.server";
import { queueMail, RETRY_MS } from "~/mail/outbox.server";
import { retryMail } from "~/mail/retry.server";
import { Notification, type AccountMail, type ReviewNotification } from "#models/notification";
import { Review } from "#models/review";
import { User } from "#models/user";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { clock, enqueue, standIn, time, useOutbox, worker, stored } from "../support/mail";

useOutbox();

const HOUR = 60 * 60 * 1_000;

/** A stored review, and its e-mail to the guide in the state that the fields say. */
async function reported(fields: Partial<ReviewNotification> = {}) {
  const guide = await makeUser({ name: "Gwen", email: "gwen@mended.test" });
  const tour = await makeTour({ createdById: guide._id });
  const review = await makeReview(await makeUser(), tour);
  const entry = { _id: review._id, guideId: guide._id, explorerId: review.userId };
  await enqueue({ ...entry, ...fields });
  return { ...entry, id: review._id.toString() };
}

async function account(fields: Partial<AccountMail> = {}): Promise<string> {
  const to = { email: "ann@example.test", account: null };
  const mail = { subject: "Hello", text: "Hi", html: "<p>Hi", ...fields };
  await inTransaction((session) => queueMail(to, mail, session));
  const { _id } = (await Notification.findOne({ kind: "account" }).sort({ _id: -1 }).lean())!;
  return _id.toString();
}

const refuse = async () => {
  standIn.answer = () => 400;
  await worker().drain();
  standIn.answer = () => 202;
  standIn.attempts.length = 0;
};

describe("an e-mail that was given up", () => {
  test("is sent again as if it were new, to the guide's present address", async () => {
    const { id, _id } = await reported();
    await refuse();
    expect(await stored(_id)).toMatchObject({
      state: "dead",
      attempts: 1,
      failure: expect.stringContaining("SendGrid: 400 the stand-in says no"),
    });
    time.now += 3 * RETRY_MS;
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
    expect(await retryMail(id)).toBe(1);
    const due = await stored(_id);
    expect(due).toMatchObject({ state: "pending", dueAt: clock(), attempts: 0 });
    expect(due.retryUntil.getTime()).toBe(time.now + RETRY_MS);
    // Else the database itself would delete it 30 days after it was given up.
    expect(due.endedAt).toBeUndefined();
    await worker().drain();
    expect(standIn.mails).toHaveLength(1);
    expect(standIn.mails[0]!.personalizations[0]!.to).toEqual([{ email: "gwen@mended.test" }]);
    expect(await stored(_id)).toMatchObject({ state: "sent", attempts: 1 });
    await expect(retryMail(id)).rejects.toThrow(`E-mail ${id}: it has been sent already`);
  });

  test("is not sent to a guide who wants none by now, or has no address, or of a review that is gone", async () => {
    const { id, guideId } = await reported();
    await refuse();
    await User.updateOne({ _id: guideId }, { reviewMails: "none" });
    await expect(retryMail(id)).rejects.toThrow("the guide wants no e-mails about reviews");
    await User.deleteOne({ _id: guideId });
    await expect(retryMail(id)).rejects.toThrow("the guide has no e-mail address");
    await Review.deleteOne({ _id: id });
    await expect(retryMail(id)).rejects.toThrow("the review has been deleted");
    await worker().drain();
    expect(standIn.attempts).toHaveLength(0);
  });

  test("has all reviews of a daily one, each as last edited, and none of another day", async () => {
    const kind = "digest";
    const first = await reported({ kind });
    const author = await makeUser();
    const tour = await makeTour({ createdById: first.guideId });
    const second = await makeReview(author, tour);
    await enqueue({ _id: second._id, kind, guideId: first.guideId });
    await refuse();
    time.now += 24 * HOUR;
    const other = await makeReview(await makeUser(), tour);
    await enqueue({ _id: other._id, kind, guideId: first.guideId });
    await refuse();
    await Review.updateOne({ _id: second._id }, { rating: 1, comment: "Changed my mind" });
    expect(await retryMail(first.id)).toBe(2);
    await worker().drain();
    expect(standIn.attempts).toHaveLength(1);
    expect(standIn.mails[0]!.subject).toContain("2");
    expect(standIn.mails[0]!.content[0]!.value).toContain("Changed my mind");
    expect(await stored(other._id)).toMatchObject({ state: "dead" });
  });

  test("about an account is sent again if it had no link; what had one is gone", async () => {
    const notice = await account();
    const link = await account({ expiresAt: new Date(time.now + HOUR) });
    await refuse();
    await expect(retryMail(link)).rejects.toThrow("its text has been removed");
    expect(await retryMail(notice)).toBe(1);
    await worker().drain();
    expect(standIn.mails).toMatchObject([{ subject: "Hello" }]);
    // And then it is gone, too.
    expect(JSON.stringify(await Notification.collection.find().toArray())).not.toContain("ann@");
  });
});

test("an e-mail that waits after a failure is due now, unless a worker has it", async () => {
  const { id, _id } = await reported();
  standIn.answer = () => 503;
  await worker().drain();
  await Notification.updateOne({ _id }, { lease: "a worker's" });
  await expect(retryMail(id)).rejects.toThrow("it is being sent");
  await Notification.updateOne({ _id }, { $unset: { lease: 1 } });
  expect(await retryMail(id)).toBe(1);
  await expect(retryMail(id)).rejects.toThrow("it is due already");
});

test("an unknown id, and a captured e-mail, are refused", async () => {
  for (const id of ["nonsense", new Types.ObjectId().toString()])
    await expect(retryMail(id)).rejects.toMatchObject({
      status: 404,
      message: `There is no e-mail ${id} in the outbox`,
    });
  const { id } = await reported();
  await new OutboxWorker(null).drain();
  await expect(retryMail(id)).rejects.toThrow("it was captured");
});
