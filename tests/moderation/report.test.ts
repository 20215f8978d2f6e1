import { expect, it } from "vitest";
import { waitingCases, type WaitingCases } from "~/moderation/cases.server";
import { findReported, reportItem } from "~/moderation/reports/report.server";
import { newCase } from "~/moderation/reports/stored-report.server";
import { findCaseView } from "~/moderation/case-page.server";
import { moderationTexts } from "~/moderation/refusal-texts";
import { Case } from "#models/case";
import { Notification } from "#models/notification";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";
import { useDatabase } from "../support/database";
import { makeReply } from "../support/factories";

// docs/rules/moderation.md, Reports.

useDatabase();

it("is found by the address of a review's page, of its reply, or of its place on a tour's page", async () => {
  const { review, guide } = await makeCaseScene();
  const id = review._id.toString();
  const shown = { kind: "review", reviewId: id, author: "Ann Author", rating: 1 };
  for (const url of [
    `/tours/harbour#review-${id}`,
    `https://reviews.example/${"x/".repeat(200)}reviews/${id.toUpperCase()}/edit?x`,
    ` reviews.example/reviews/${id}/ `,
  ])
    expect(await findReported(url), url).toMatchObject(shown);
  expect(await findReported(`/reviews/${id}#reply`)).toBeNull();
  await makeReply(guide, review, { text: "Thank you." });
  const reply = { kind: "reply", author: "Gwen Guide", text: "Thank you.", rating: null };
  expect(await findReported(`/reviews/${id}#reply`)).toMatchObject(reply);
  for (const url of ["", `/reviews/${"0".repeat(24)}`, "/tours/harbour", `/reviews/#${id}`])
    expect(await findReported(url), url).toBeNull();
});

it("opens a case with the text as it was reported, which later reports join", async () => {
  const { review, author } = await makeCaseScene();
  const first = await report(addressOf(review), { reason: "off-topic", words: " Off\r\ntopic. " });
  await Review.updateOne({ _id: review._id }, { comment: "Something else." });
  await report(addressOf(review), { reason: "danger" });
  const cases = await Case.find().lean();
  expect(cases).toHaveLength(1);
  expect(cases[0]).toMatchObject({
    state: "open",
    rank: 0,
    reports: 2,
    reasons: ["off-topic", "danger"],
    version: 1,
    authorId: author._id,
    tourId: review.tourId,
    kind: "review",
    snapshot: { rating: 1, text: "Call him at 555-0100." },
  });
  expect(await Report.findOne().lean()).toMatchObject({ words: "Off\ntopic.", email: null });
  expect(await findCaseView(first)).toMatchObject({
    ...{ isReporter: true, state: "open", isChanged: true, content: null, appealUntil: null },
  });
});

it("joins one case when several come at once", async () => {
  const { review } = await makeCaseScene();
  await Promise.all(Array.from({ length: 6 }, () => report(addressOf(review))));
  expect(await Case.find().lean()).toMatchObject([{ reports: 6, version: 1 }]);
  expect(await Report.countDocuments()).toBe(6);
});

it("is refused with the reason for each field, and stores nothing", async () => {
  const { review } = await makeCaseScene();
  const empty = { reason: "boring", words: " ", email: "nobody", goodFaith: "" };
  await expect(report(addressOf(review), empty)).rejects.toMatchObject({
    fields: {
      reason: "Choose a reason.",
      words: "Write what is wrong with it.",
      email: "Enter an e-mail address, such as name@example.com.",
      goodFaith: "Confirm that you believe what you report to be true.",
    },
  });
  await expect(report(addressOf(review), { words: "🌊".repeat(5_001) })).rejects.toMatchObject({
    fields: { words: "Write at most 5,000 characters." },
  });
  const nothing = { status: 404, field: "url", message: moderationTexts.nothingToReport };
  await expect(report("/reviews/1")).rejects.toMatchObject(nothing);
  expect(await Case.countDocuments()).toBe(0);
  expect(await Report.countDocuments()).toBe(0);
});

it("counts against its network's limit, whatever is at its address", async () => {
  const { review } = await makeCaseScene();
  const form = { reason: "personal-data", words: "Look.", name: "", email: "", goodFaith: "yes" };
  const send = (url: string) => reportItem(null, { ...form, url }, "198.51.100.1");
  for (let count = 0; count < 20; count++)
    await expect(send("/reviews/1")).rejects.toMatchObject({ status: 404 });
  for (const url of [addressOf(review), "/reviews/1"])
    await expect(send(url)).rejects.toMatchObject({ status: 429 });
});

it("of a decided text needs another reason or another text", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review));
  await decideAs(operator, await caseOf(review), { action: "keep" });
  const refusal = { status: 403, message: moderationTexts.alreadyDecided };
  await expect(report(addressOf(review))).rejects.toMatchObject(refusal);
  await report(addressOf(review), { reason: "hateful" });
  await decideAs(operator, await caseOf(review), { action: "keep" });
  await Review.updateOne({ _id: review._id }, { comment: "Call him at 555-0199." });
  await report(addressOf(review));
  expect(await Case.countDocuments()).toBe(3);
});

it("tells an address that it was received, with no word of anybody, and not without end", async () => {
  const { review } = await makeCaseScene();
  const email = "rita@example.test";
  for (let count = 0; count < 11; count++)
    await report(addressOf(review), { email, words: "Unheard-of words.", name: "Rita" });
  const mails = await Notification.find({ "mail.to.email": email }).lean();
  expect(mails).toHaveLength(10);
  const said = JSON.stringify(mails);
  for (const word of ["Unheard-of", "Rita", "Ann Author", "555-0100", "Harbour"])
    expect(said).not.toContain(word);
  expect(await Report.countDocuments()).toBe(11);
});

it("waits in a queue with danger to life first, then the oldest, page by page", async () => {
  const { review, guide } = await makeCaseScene();
  const { _id: reviewId, tourId } = review;
  const item = { kind: "review" as const, reviewId, tourId, authorId: guide._id, snapshot: null };
  // Several of one moment, on the edge of a page too.
  const cases = Array.from({ length: 45 }, (_, n) => {
    const since = new Date(Date.UTC(2026, 10, 1) + Math.floor(n / 4));
    const opened = newCase({ ...item, tag: String(n) }, since);
    return {
      ...opened,
      state: n % 3 ? ("open" as const) : ("appealed" as const),
      rank: 1 as const,
    };
  });
  const made = (await Case.insertMany(cases)).map(({ _id }) => _id);
  await Case.updateOne({ _id: made[10] }, { state: "decided" });
  await Case.updateOne({ _id: made[44] }, { rank: 0 });
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const found: WaitingCases = await waitingCases(after);
    seen.push(...found.items.map(({ id }) => id));
    after = found.next;
  } while (after !== null);
  const expected = [made[44], ...made.slice(0, 10), ...made.slice(11, 44)];
  expect(seen).toEqual(expected.map(String));
});
