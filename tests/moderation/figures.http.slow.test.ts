import { Types } from "mongoose";
import { expect, it, onTestFinished } from "vitest";
import { Decision } from "#models/decision";
import { StoredFigures } from "#models/figures";
import { Report } from "#models/report";
import { call, startApp, words } from "../support/app";
import { databaseUri } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { useApp } from "../support/shared-app";

// docs/rules/moderation.md, Figures: what the page and its JSON say. How it is counted: tests/moderation/figures.test.ts

useApp({ emptied: "once" });

const NOTHING = "There is nothing to show yet.";

const CONTACT_URL = "mailto:help@example.com";

it("show what was reported and decided, are the same for a day, and say whom to ask", async () => {
  const site = await startApp(databaseUri(), { CONTACT_URL });
  onTestFinished(async () => void (await site.stop()));
  const pageOf = async () => words(await call(site, "GET", "/about/reviews")).replace(/\s+/g, " ");
  const jsonOf = () => call(site, "GET", "/about/reviews.json");
  expect(await pageOf()).toContain(NOTHING);
  const { status, headers, json: empty } = await jsonOf();
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(headers.get("cache-control")).toBe("public, max-age=3600");
  expect(headers.getSetCookie()).toEqual([]);
  expect(empty).toMatchObject({ reviews: 0, reports: [], decisions: [], ratings: null });

  await StoredFigures.deleteMany({});
  const id = () => new Types.ObjectId();
  const at = new Date(Date.now() - 60_000);
  for (const [reason, count] of [
    ["hateful", 11],
    ["danger", 4],
  ] as const)
    await Report.create(Array.from({ length: count }, () => ({ caseId: id(), reason, at })));
  await Decision.create(
    [1, 1, 1, 1, 1, 4].map((rating) => ({
      caseId: id(),
      reviewId: id(),
      tourId: id(),
      operatorId: id(),
      at,
      rating,
      kind: "review" as const,
      action: "redact" as const,
      ground: "hateful" as const,
      onAppeal: false,
      overturns: false,
      waitedSince: new Date(at.getTime() - 90 * 60_000),
    })),
  );
  await makeReview(await makeUser(), await makeTour());
  const page = await pageOf();
  for (const said of [
    "Reason Number It is insulting or hateful 10 to 14",
    "Reviews that were posted in these months and can be read here: 1.",
    "Ground words removed insulting or hateful 5 to 9",
    "1 star 5 to 9 2 stars fewer than 5",
    "4 stars fewer than 5",
    "Decisions about appeals: fewer than 5. Those that changed the earlier decision: fewer than 5.",
    "Median time from a report to the decision: 1.5 hours.",
  ])
    expect(page).toContain(said);
  expect(page).not.toContain(NOTHING);
  const { json, text } = await jsonOf();
  expect(json).toMatchObject({
    reports: [{ reason: "hateful", count: 10 }],
    reviews: 1,
    decisions: [{ ground: "hateful", action: "redact", count: 5 }],
    decisionsByStars: [{ stars: 1, action: "redact", count: 5 }],
    medianHours: 1.5,
  });
  // Neither whose review it was, nor who decided.
  expect(text).not.toMatch(/[0-9a-f]{24}/);
  await Report.deleteMany({});
  expect((await jsonOf()).text).toBe(text);
  expect((await call(site, "GET", "/about/reviews")).text).toContain(
    `<a href="${CONTACT_URL}" translate="no">help@example.com</a>`,
  );
});
