import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { nextDigest } from "~/mail/outbox.server";
import {
  getSubscription,
  getMailSettings,
  setMails,
  type Stoppable,
  unsubscribe,
  unsubscribeUrl,
} from "~/mail/mail-settings.server";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import type { ReviewMails } from "#models/user";
import { Notification, type ReviewNotification } from "#models/notification";
import { GWEN, enqueue, standIn, useOutbox, worker } from "../support/mail";
import { as, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { HOME } from "../support/services";
import { setTime } from "../support/time";

useOutbox();

// Near now, like all times of these tests: no TTL index reaches there.
const TODAY = (time: string) => `${new Date().toISOString().slice(0, 10)}T${time}Z`;

const tokenOf = ({ _id }: { _id: Types.ObjectId }, about: Stoppable = "reviews") =>
  unsubscribeUrl(_id, about).split("/").at(-1)!;

test("every mail says how to stop it, to its reader and to the reader's mail program", async () => {
  await enqueue();
  await enqueue({ kind: "digest" });
  await worker().drain();
  expect(standIn.mails).toHaveLength(2);
  for (const { headers, content } of standIn.mails) {
    const url = unsubscribeUrl(GWEN);
    expect(headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<${url}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(content.map(({ value }) => value.includes(url))).toEqual([true, true]);
  }
});

test("a token stops its guide's e-mails, and a forged one stops nobody's", async () => {
  const [guide, other] = [await makeUser(), await makeUser()];
  const token = tokenOf(guide);
  const ofOther = tokenOf(other).slice(0, 24) + token.slice(24);
  for (const forged of ["", guide._id.toString(), token.slice(0, -1), ofOther]) {
    await expect(unsubscribe(forged, HOME), forged).rejects.toMatchObject({ status: 404 });
    await expect(getSubscription(forged), forged).rejects.toMatchObject({ status: 404 });
  }
  expect(await getSubscription(token)).toEqual({ about: "reviews", mails: "each" });
  await unsubscribe(token, HOME);
  await unsubscribe(token, HOME);
  expect(await getSubscription(token)).toEqual({ about: "reviews", mails: "none" });
  expect(await getSubscription(tokenOf(other))).toEqual({ about: "reviews", mails: "each" });
});

test("a link that stops mails counts against whoever uses it, not against its guide", async () => {
  const guide = await makeUser();
  for (let time = 0; time < 10; time++) await unsubscribe(tokenOf(guide), HOME);
  await expect(unsubscribe(tokenOf(guide), "198.51.100.8")).rejects.toMatchObject({
    status: 429,
    message: "Too many requests with this link. Please wait 1 minute and try again.",
  });
  await setMails(guide._id.toString(), "reviews", "each");
  await unsubscribe(tokenOf(await makeUser()), HOME);
});

describe("what a guide wants", () => {
  async function review(reviewMails: ReviewMails | undefined, at: string) {
    const guide = await makeUser({ reviewMails });
    const tour = await makeTour({ createdById: guide._id });
    const guest = await makeBookedExplorer(tour);
    const body = { tourId: tour._id.toString(), rating: 3 };
    setTime(new Date(at));
    const { id } = (await postReview(as(guest), body)).review;
    const notification = (await Notification.findById(id).lean<ReviewNotification>())!;
    return { guide, guest, notification };
  }

  test.each([undefined, "each"] as const)("%s: a mail at once", async (reviewMails) => {
    const { guide, notification } = await review(reviewMails, TODAY("06:30:00.000"));
    const { createdAt: dueAt } = notification;
    const retryUntil = new Date(dueAt.getTime() + 48 * 3_600_000);
    expect(notification).toMatchObject({ kind: "review", guideId: guide._id, dueAt, retryUntil });
  });

  test.each([
    // Around both changes of the clocks: always at 07:00, once a day.
    ["Europe/Rome", "2026-03-28T06:00:00.000Z", "2026-03-29T05:00:00.000Z"],
    ["America/New_York", "2026-10-31T11:00:00.000Z", "2026-11-01T12:00:00.000Z"],
    // On both sides of the date line, over the end of a month and a year.
    ["Asia/Tokyo", "2026-11-30T22:00:00.000Z", "2026-12-01T22:00:00.000Z"],
  ])("daily in %s: what is written at %s is due at %s", (zone, at, due) => {
    expect(nextDigest(new Date(at), zone).toISOString()).toBe(due);
  });

  test.each(["each", "daily"] as const)(
    "%s: of a review that is edited or deleted before",
    async (mails) => {
      const { guest, notification } = await review(mails, TODAY("06:30:00.000"));
      const edit = { rating: 1, comment: "On second thoughts" };
      const { _id } = notification;
      await editReview(as(guest), _id.toString(), edit);
      // A mail of its own says what was posted; one that tells of a day says what is there.
      const inputs = { ...notification.inputs, ...(mails === "daily" && edit) };
      expect(await Notification.findById(_id).lean()).toEqual({ ...notification, inputs });
      await deleteReview(as(guest), _id.toString());
      expect(await Notification.countDocuments()).toBe(0);
    },
  );

  test("none drops what waits for this guide, and nothing else", async () => {
    const guide = await makeUser({ reviewMails: "daily" });
    const of = { guideId: guide._id };
    const dropped = [await enqueue({ ...of, kind: "digest" }), await enqueue(of)];
    const left = [await enqueue({ kind: "digest" }), await enqueue({ ...of, state: "sent" })];

    await setMails(guide._id.toString(), "reviews", "each");
    expect(await Notification.countDocuments()).toBe(4);
    await setMails(guide._id.toString(), "reviews", "none");
    expect((await getMailSettings(guide._id.toString())).reviews).toBe("none");
    expect(await Notification.find({ _id: { $in: dropped } })).toEqual([]);
    expect(await Notification.countDocuments({ _id: { $in: left } })).toBe(2);
  });
});

test("e-mails about replies are stopped by their own link, which drops those that wait, and no other e-mail", async () => {
  const [ann, other] = [await makeUser(), await makeUser()];
  const now = new Date();
  const times = { createdAt: now, dueAt: now, retryUntil: now };
  const mail = { to: { email: "a@example.test" }, subject: "s", text: "t", html: "h" };
  const url = "https://example.com/unsubscribe/x";
  for (const { _id } of [ann, other])
    for (const unsubscribeUrl of [url, undefined])
      await Notification.create({
        kind: "account",
        state: "pending",
        attempts: 0,
        owner: _id.toString(),
        mail: { ...mail, unsubscribeUrl },
        ...times,
      });
  const token = tokenOf(ann, "replies");
  expect(await getSubscription(token)).toEqual({ about: "replies", mails: "each" });
  await unsubscribe(token, HOME);
  expect(await getSubscription(token)).toEqual({ about: "replies", mails: "none" });
  expect(await getSubscription(tokenOf(ann))).toEqual({ about: "reviews", mails: "each" });
  const left = await Notification.find({ owner: ann._id.toString() }).lean<
    { mail: { unsubscribeUrl?: string } }[]
  >();
  expect(left.map(({ mail }) => mail.unsubscribeUrl)).toEqual([undefined]);
  expect(await Notification.countDocuments({ owner: other._id.toString() })).toBe(2);
});
