import { expect, it } from "vitest";
import { deleteReply, putReply } from "~/reviews/replies/reply.server";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { beforeTransaction } from "../support/interrupt";
import { useDatabase } from "../support/database";
import {
  as,
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";

// Changes of a reply between its checks and its transaction (docs/rules/replies.md, Replies).

useDatabase();

async function scene() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id });
  const review = await makeReview(await makeBookedExplorer(tour), tour);
  return { guide, tour, review, id: review._id.toString() };
}

it("the guide is decided again inside the transaction", async () => {
  const { guide, tour, id } = await scene();
  const next = await makeUser();
  beforeTransaction(() => Tour.updateOne({ _id: tour._id }, { createdById: next._id }));
  await expect(putReply(as(guide), id, { text: "Thank you." })).rejects.toMatchObject({
    status: 403,
  });
  expect(await Reply.countDocuments()).toBe(0);
});

it("a guide who has just been suspended replies no more", async () => {
  const { guide, id } = await scene();
  const suspendedUntil = new Date(Date.now() + 3_600_000);
  beforeTransaction(() => User.updateOne({ _id: guide._id }, { suspendedUntil }));
  await expect(putReply(as(guide), id, { text: "Thank you." })).rejects.toMatchObject({
    status: 401,
  });
  expect(await Reply.countDocuments()).toBe(0);
});

it("the review is looked for again inside the transaction", async () => {
  const { guide, review, id } = await scene();
  beforeTransaction(() => Review.deleteOne({ _id: review._id }));
  await expect(putReply(as(guide), id, { text: "Thank you." })).rejects.toMatchObject({
    status: 404,
  });
  expect(await Reply.countDocuments()).toBe(0);
});

it("the guide who withdraws is decided again inside the transaction", async () => {
  const { guide, tour, review, id } = await scene();
  await makeReply(guide, review, { text: "Thank you." });
  const next = await makeUser();
  beforeTransaction(() => Tour.updateOne({ _id: tour._id }, { createdById: next._id }));
  await expect(deleteReply(as(guide), id)).rejects.toMatchObject({ status: 403 });
  expect((await Reply.findById(review._id).lean())!.text).toBe("Thank you.");
});

it("a reply that was removed meanwhile is not replaced", async () => {
  const { guide, review, id } = await scene();
  await makeReply(guide, review, { text: "You know where I live." });
  const hidden = { at: new Date(), ground: "danger" as const, caseId: review._id };
  beforeTransaction(() => Reply.updateOne({ _id: review._id }, { hidden }));
  await expect(putReply(as(guide), id, { text: "Another." })).rejects.toMatchObject({
    message: "This reply was removed by a decision",
  });
  expect((await Reply.findById(review._id).lean())!.text).toBe("You know where I live.");
});
