import { expect, test } from "vitest";
import { renderReplyNotification } from "#emails/reply-notification";
import { renderReviewDigest } from "#emails/review-digest";
import { renderReviewNotification } from "#emails/review-notification";
import type { ReviewDocument } from "#models/review";
import type { UserDocument } from "#models/user";
import { inSubject } from "~/lib/shortened.server";

const SITE = {
  appUrl: "https://tours.example.test",
  unsubscribeUrl: "https://tours.example.test/u",
};
const INPUTS = {
  id: "0".repeat(24),
  guideName: "Gwen",
  guideEmail: "gwen@example.test",
  explorerName: "Ann",
  rating: 5,
  comment: null,
  tourSlug: "walk",
};

/** The subjects of all e-mails that name a tour of that title to somebody who stops them. */
const subjectsOf = (tourTitle: string) => {
  const inputs = { ...INPUTS, tourTitle };
  const other = { ...inputs, tourSlug: "other" };
  const reply = {
    author: { name: "Ann", email: "ann@example.test" } as UserDocument,
    guideName: "Gwen",
    tourTitle,
    text: "Thanks",
    review: { _id: "0".repeat(24) } as unknown as ReviewDocument,
  };
  return [
    renderReviewNotification(INPUTS.id, inputs, SITE),
    renderReplyNotification(reply, SITE),
    renderReviewDigest([inputs, other], 2, { ...SITE, sentAt: "07:00" }),
  ].map(({ subject }) => subject);
};

test("a subject is short, ends between two words, and says what it is about", () => {
  const [review, reply, digest] = subjectsOf("Old town walk ".repeat(35));
  const title = `${"Old town walk ".repeat(7)}…`;
  expect(review).toBe(`New 5-star review of ${title}`);
  expect(reply).toBe(`A reply to your review of ${title}`);
  expect(digest).toBe(`2 new reviews of ${title} and 1 other tour`);
  for (const subject of [review, reply, digest]) expect(subject!.length).toBeLessThanOrEqual(150);
});

test("the title in a subject is cut between characters, and stays isolated", () => {
  const [review] = subjectsOf("جولة".repeat(100));
  expect(review).toMatch(/^New 5-star review of \u2068(جولة)+ …\u2069$/);
  expect(subjectsOf("👨‍👩‍👧‍👦".repeat(170))[0]).toMatch(/^New 5-star review of (👨‍👩‍👧‍👦)+ …$/u);
  expect(inSubject("Old Town Walk")).toBe("Old Town Walk");
});
