import { expect, it } from "vitest";
import type { TourDocument } from "#models/tour";
import { call, startApp, type App } from "../support/app";
import { databaseUri } from "../support/database";
import { makeTour } from "../support/factories";
import { app, useApp } from "../support/shared-app";

useApp();

/** Where a tour's page says that it is booked, and the host that it names; null where it says nothing. */
async function bookingOf(site: Pick<App, "url" | "log">, { slug }: Pick<TourDocument, "slug">) {
  const { status, text } = await call(site, "GET", `/tours/${encodeURIComponent(slug)}`);
  expect(status).toBe(200);
  const link = /<a [^>]*><span>See dates and book<\/span>.*?<\/a>.*?<bdi[^>]*>([^<]*)<\/bdi>/s.exec(
    text,
  );
  expect(text.includes("See dates and book")).toBe(link !== null);
  if (!link) return null;
  expect(link[0]).toContain('rel="external noopener"');
  return [/href="([^"]*)"/.exec(link[0])![1], link[1]];
}

const OWN = "https://tours.example.com/harbour?lang=en#dates";
const ODD = ["http://tours.example.com/", "javascript:alert(1)", "//evil.example", "/guide"];

it("a tour's page leads to where it is booked, and nowhere else than to an https address", async () => {
  expect(await bookingOf(app, await makeTour({ bookingUrl: OWN }))).toEqual([
    OWN,
    "tours.example.com",
  ]);
  for (const bookingUrl of [null, ...ODD])
    expect(await bookingOf(app, await makeTour({ bookingUrl }))).toBe(null);
});

it("a tour without an address of its own has the one of the settings", async () => {
  const BOOKING_URL = "https://book.example.org:8443/{slug}?tour={slug}";
  const site = await startApp(databaseUri(), { BOOKING_URL });
  const odd = await makeTour({ slug: "Tea & $& Ünder" });
  const name = encodeURIComponent(odd.slug);
  expect(await bookingOf(site, odd)).toEqual([
    `https://book.example.org:8443/${name}?tour=${name}`,
    "book.example.org:8443",
  ]);
  expect(await bookingOf(site, await makeTour({ bookingUrl: OWN }))).toContain(OWN);
  const { slug } = await makeTour({ bookingUrl: "javascript:alert(1)" });
  expect(await bookingOf(site, { slug })).toContain(
    `https://book.example.org:8443/${slug}?tour=${slug}`,
  );
  await site.stop();
});

it("the API says nothing of it", async () => {
  const { _id } = await makeTour({ bookingUrl: OWN });
  const { text } = await call(app, "GET", `/api/tours/${_id.toString()}`);
  expect(text).not.toContain("example.com");
});
