import { join } from "node:path";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import sharp from "sharp";
import { importData } from "~/import/import.server";
import type { ImportFile } from "~/import/records.server";
import { Review } from "#models/review";
import { User } from "#models/user";
import { installChromium, launchOptions } from "../../scripts/lib/browsers";
import { say } from "../../scripts/lib/command";
import { freePort } from "../../scripts/lib/ports";
import { demoLogins, demoTours } from "../../scripts/demo/index";
import { importDemoData } from "../../scripts/lib/demo-data";
import { sessionOf } from "../support/app";
import type { PartReport } from "./report";
import { median, serve, withDatabase, withFolder } from "./support";

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
    await importPictures();
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
        const looks: Look[] = [];
        for (let look = 0; look < LOOKS; look++)
          looks.push(await lookAt(app.url + path, port, cookie));
        const scores = CATEGORIES.map((_, index) =>
          median(looks.map(({ scores }) => scores[index]!)),
        );
        const shift = Math.max(...looks.map((look) => look.shift));
        report.check(
          `Lighthouse, ${name}: ${CATEGORIES.join(", ")}`,
          `${scores.join(", ")} (${LEAST} or more), layout shift ${shift}`,
          scores.every((score) => score >= LEAST) && shift === 0,
        );
      }
    } finally {
      await browser.close();
      await app.stop();
    }
  });
}

/** Gives each tour of the demo pictures of its own, with as many bytes as photographs. */
async function importPictures(): Promise<void> {
  const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
  const small = { width: 480, height: 320, channels: 3, background: "grey", noise } as const;
  await withFolder(async (images) => {
    const tours: ImportFile["tours"] = [];
    for (const { id, title, slug, createdById } of demoTours()) {
      const names = [1, 2].map((n) => `${slug}-${n}.jpg`);
      for (const name of names) {
        const picture = await sharp({ create: small }).png().toBuffer();
        await sharp(picture).resize(1_600).jpeg().toFile(join(images, name));
      }
      tours.push({ id, title, slug, createdById, images: names });
    }
    await importData({ tours }, { images });
  });
}

interface Look {
  /** In each category, of 100. */
  scores: number[];
  shift: number;
}

/** With a `cookie` the page is a user's own, which search engines do not read. */
async function lookAt(url: string, port: number, cookie?: string): Promise<Look> {
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
  return {
    scores: CATEGORIES.map((id) => Math.round(100 * (categories[id]!.score ?? 0))),
    shift: audits["cumulative-layout-shift"]!.numericValue ?? Infinity,
  };
}
