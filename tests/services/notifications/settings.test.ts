import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import {
  findSubscription,
  getReviewMails,
  setReviewMails,
  unsubscribe,
  unsubscribeUrl,
} from "~/services/notifications/settings.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import type { ReviewMails } from "../../../models/user";
import { Notification, type ReviewNotification } from "../../../models/notification";
import { GWEN, enqueue, standIn, useOutbox, worker } from "../../support/outbox";
import { as, makeGuest, makeTour, makeUser } from "../../support/factories";

useOutbox();

test("every mail says how to stop it, to its reader and to the reader's mail program", async () => {
  await enqueue();
  await enqueue({ kind: "digest" });
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
      notification: await Notification.findById(id).lean<ReviewNotification>(),
    };
  }

  test.each([undefined, "each"] as const)("%s: a mail at once", async (reviewMails) => {
    const { guide, notification } = await review(reviewMails, "2026-05-01T06:30:00Z");
    expect(notification!.dueAt).toEqual(notification!.createdAt);
    expect(notification!.guideId).toEqual(guide._id);
    expect(notification!.kind).toBe("review");
  });

  test.each([
    ["2026-05-01T06:59:59.999Z", "2026-05-01T07:00:00.000Z"],
    ["2026-05-01T07:00:00.000Z", "2026-05-02T07:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2027-01-01T07:00:00.000Z"],
  ])("daily: what is written at %s is due at %s", async (at, due) => {
    const { notification } = await review("daily", at);
    expect(notification).toMatchObject({ state: "pending", kind: "digest", dueAt: new Date(due) });
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
    const dropped = [await enqueue({ ...of, kind: "digest" }), await enqueue(of)];
    const left = [await enqueue({ kind: "digest" }), await enqueue({ ...of, state: "sent" })];

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
