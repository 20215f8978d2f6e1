import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { Review } from "#models/review";
import { User } from "#models/user";
import { installChromium, launchOptions } from "../../scripts/lib/browsers";
import { say } from "../../scripts/lib/command";
import { freePort } from "../../scripts/lib/ports";
import { demoLogins } from "../../scripts/demo/index";
import { importDemoData } from "../../scripts/lib/demo-data";
import { sessionOf } from "../support/app";
import type { PartReport } from "./report";
import { median, serve, withDatabase } from "./support";

/** How often each page is measured, as Lighthouse advises, because a busy machine makes a page look slow. */
const LOOKS = 5;
/** The lowest allowed score in each category, of 100. */
const LEAST = 95;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/** Lighthouse's scores of the demo's pages, as on a mid-range phone. */
export default async function lighthousePart(report: PartReport): Promise<void> {
  await installChromium();
  await withDatabase(async (uri) => {
    await importDemoData();
    const [, author, guide] = await Promise.all(
      demoLogins.map(({ email }) => User.findOne({ email }).orFail()),
    );
    const review = await Review.findOne({ userId: author!._id }).sort({ createdAt: -1 }).orFail();
    const app = await serve(uri);
    const port = await freePort();
    const { args, ...options } = launchOptions();
    const browser = await chromium.launch({
      ...options,
      args: [...args, `--remote-debugging-port=${port}`],
    });
    try {
      const guideSession = await sessionOf(guide!);
      for (const [name, path, cookie] of [
        ["home", "/"],
        ["tour", "/tours/porto-sarrava-by-lantern"],
        ["review", `/reviews/${review._id.toString()}`],
        ["log-in", "/login"],
        ["guide", "/guide", guideSession],
      ] as const) {
        const looks: number[][] = [];
        for (let look = 0; look < LOOKS; look++)
          looks.push(await scoresOf(app.url + path, port, cookie));
        const scores = CATEGORIES.map((_, index) => median(looks.map((look) => look[index]!)));
        report.check(
          `Lighthouse, ${name}: ${CATEGORIES.join(", ")}`,
          `${scores.join(", ")} (${LEAST} or more)`,
          scores.every((score) => score >= LEAST),
        );
      }
    } finally {
      await browser.close();
      await app.stop();
    }
  });
}

/** The score in each category, of 100. With a `cookie` the page is a user's own, which search engines do not read. */
async function scoresOf(url: string, port: number, cookie?: string): Promise<number[]> {
  const result = await lighthouse(url, {
    port,
    logLevel: "silent",
    onlyCategories: CATEGORIES,
    ...(cookie && { extraHeaders: { Cookie: cookie }, skipAudits: ["is-crawlable"] }),
  });
  const { categories, audits } = result!.lhr;
  for (const { id, auditRefs } of Object.values(categories))
    for (const { id: audit, weight } of auditRefs) {
      const { score, title } = audits[audit]!;
      if (weight > 0 && score !== null && score < 0.9) say(`  ${url}, ${id}: ${title} (${score})`);
    }
  return CATEGORIES.map((id) => Math.round(100 * (categories[id]!.score ?? 0)));
}
