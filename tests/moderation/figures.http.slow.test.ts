import { Types } from "mongoose";
import { expect, it } from "vitest";
import { Decision } from "#models/decision";
import { StoredFigures } from "#models/figures";
import { Report } from "#models/report";
import { type App, call, startApp, words } from "../support/app";
import { databaseUri } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { useApp } from "../support/shared-app";

// docs/rules/moderation.md, Figures: what the page and its JSON say. How it is counted: tests/moderation/figures.test.ts

useApp({ emptied: "once" });

const NOTHING = "Nothing has been reported yet.";

/** An app with settings of its own. */
async function withSite(
  test: (site: App) => Promise<void>,
  settings: Record<string, string>,
): Promise<void> {
  const site = await startApp(databaseUri(), settings);
  try {
    await test(site);
  } finally {
    await site.stop();
  }
}

const pageOf = async (site: App) =>
  words(await call(site, "GET", "/about/reviews")).replace(/\s+/g, " ");
const jsonOf = (site: App) => call(site, "GET", "/about/reviews.json");

/** The link of the page to whoever runs the site. */
const contactOf = (href: string, name: string) => `<a href="${href}" translate="no">${name}</a>`;

it("say that nothing has been reported yet, and whom to ask by e-mail", () =>
  withSite(
    async (app) => {
      expect(await pageOf(app)).toContain(NOTHING);
      const { status, headers, json } = await jsonOf(app);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(headers.get("cache-control")).toBe("public, max-age=3600");
      expect(headers.getSetCookie()).toEqual([]);
      expect(json).toMatchObject({ reviews: 0, reports: [], decisions: [], ratings: null });
      const { text } = await call(app, "GET", "/about/reviews");
      expect(text).toContain(contactOf("mailto:help@example.com", "help@example.com"));
    },
    { CONTACT_URL: "mailto:help@example.com" },
  ));

it("show what was reported and decided, and are the same for a day", async () => {
  await StoredFigures.deleteMany({});
  const id = () => new Types.ObjectId();
  const at = new Date(Date.now() - 60_000);
  await Report.create([
    { caseId: id(), reason: "hateful", at },
    { caseId: id(), reason: "danger", at },
  ]);
  await Decision.create(
    [1, 1, 1, 4].map((rating) => ({
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
  const CONTACT_URL = "https://example.com/contact";
  await withSite(
    async (site) => {
      const page = await pageOf(site);
      for (const words of [
        "It is insulting or hateful 1",
        "Reason Number",
        "All 2",
        "Reviews that were posted in these months and can be read here: 1.",
        "Ground words removed insulting or hateful 4 All 4",
        "1 star 3 2 stars fewer than 3",
        "4 stars fewer than 3",
        "Decisions about appeals: 0. Those that changed the earlier decision: 0.",
        "Median time from a report to the decision: 1.5 hours.",
      ])
        expect(page).toContain(words);
      expect(page).not.toContain(NOTHING);
      const { json, text } = await jsonOf(site);
      expect(json).toMatchObject({
        reports: [
          { reason: "danger", count: 1 },
          { reason: "hateful", count: 1 },
        ],
        reviews: 1,
        decisions: [{ ground: "hateful", action: "redact", count: 4 }],
        decisionsByStars: [3, null, null, null, null, null].map((count) => ({ count })),
        medianHours: 1.5,
      });
      // Neither whose review it was, nor who decided.
      expect(text).not.toMatch(/[0-9a-f]{24}/);
      await Report.deleteMany({});
      expect((await jsonOf(site)).text).toBe(text);
      expect((await call(site, "GET", "/about/reviews")).text).toContain(
        contactOf(CONTACT_URL, CONTACT_URL),
      );
    },
    { CONTACT_URL },
  );
});
