import { expect, it } from "vitest";
import type { UserDocument } from "#models/user";
import { call, sessionOf, shown } from "../support/app";
import { makeBooking, makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

useApp();

/** Ann's review has a completed booking behind it, Ben's has none; Gwen leads the tour. */
async function makeReviews() {
  const gwen = await makeUser({ name: "Gwen" });
  const tour = await makeTour({ createdById: gwen._id });
  const ann = await makeReview(await makeUser({ name: "Ann" }), tour, { verified: true });
  const ben = await makeReview(await makeUser({ name: "Ben" }), tour);
  return { gwen, tour, ann, ben };
}

/** The word below each author's name, which links to its explanation. */
const words = (text: string) =>
  [
    ...text.matchAll(
      /<strong><bdi translate="no">(\w+)<\/bdi><\/strong><span class="rating">(?:(?!<bdi).)*?<a [^>]*href="\/about\/reviews#verified"[^>]*>(.*?)<\/a>/g,
    ),
  ].map(([, name, word]) => `${name}: ${word!.replaceAll(/<.*?>/g, "")}`);

it("every page says of each review whether there is a completed booking, and claims nothing more", async () => {
  const { gwen, tour, ann, ben } = await makeReviews();
  const read = async (path: string, as?: UserDocument) =>
    (await call(app, "GET", path, as && { cookie: await sessionOf(as) })).text;
  const both = ["Ben: Booking not checked", "Ann: Verified booking"];
  expect(words(await read(`/tours/${tour.slug}`))).toEqual(both);
  expect(words(await read(`/guides/${gwen._id.toString()}`))).toEqual(both);
  expect(words(await read("/guide", gwen))).toEqual(both);
  expect(words(await read(`/reviews/${ann._id.toString()}`))).toEqual([both[1]]);
  expect(words(await read(`/reviews/${ben._id.toString()}`))).toEqual([both[0]]);
});

it("explains both words next to them, and on the page that they link to", async () => {
  const { tour } = await makeReviews();
  const page = await get(`/tours/${tour.slug}`);
  expect(page.text.match(/id="verified"/g)).toHaveLength(1);
  for (const word of [
    "Verified booking:",
    "Booking not checked: the review came from another site",
  ])
    expect(shown(page)).toContain(word);
  const about = await get("/about/reviews");
  expect(about.text).toContain('id="verified"');
  for (const word of ["The meaning of “Verified booking”", "“Booking not checked”"])
    expect(shown(about)).toContain(word);
  for (const { text } of [page, about, await get("/")]) {
    expect(text).not.toMatch(/every review (here )?comes from a completed booking/i);
    expect(shown({ text })).toContain("every review with “Verified booking”");
  }
});

it("every page says of each review when its author had taken part, where a booking says so", async () => {
  const gwen = await makeUser();
  const tour = await makeTour({ createdById: gwen._id, timeZone: "Asia/Tokyo" });
  const [ann, ben] = [await makeUser(), await makeUser()];
  const createdAt = new Date("2026-11-15T12:00:00Z");
  const at = "2026-11-11T22:30:00.000Z";
  await makeBooking(ann, tour, { date: new Date(at) });
  await makeBooking(ben, tour, { date: new Date("2026-11-16T22:30:00Z") });
  const review = await makeReview(ann, tour, { createdAt });
  await makeReview(ben, tour, { createdAt });
  for (const [path, as] of [
    [`/tours/${tour.slug}`, null],
    [`/guides/${gwen._id.toString()}`, null],
    [`/reviews/${review._id.toString()}`, null],
    ["/me", ann],
    ["/guide", gwen],
  ] as const) {
    const { text } = await call(app, "GET", path, as ? { cookie: await sessionOf(as) } : {});
    // With its year once that is long ago.
    const visits = [
      ...text.matchAll(/\u00A0· visited <time dateTime="(.*?)">12 Nov( 2026)?<\/time>/g),
    ];
    expect(
      visits.map(([, date]) => date),
      path,
    ).toEqual([at]);
  }
  const { text } = await call(app, "GET", "/me", { cookie: await sessionOf(ben) });
  expect(text).not.toContain("\u00A0· visited ");
});

it("structured data says exactly the same", async () => {
  const { tour } = await makeReviews();
  const { text } = await get(`/tours/${tour.slug}`);
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)!;
  const { review } = JSON.parse(json!) as { review: Record<string, unknown>[] };
  const claims = review.map(({ keywords, publishingPrinciples }) => [
    keywords,
    publishingPrinciples,
  ]);
  const principles = `${app.url}/about/reviews`;
  expect(claims).toEqual([
    ["Booking not checked", principles],
    ["Verified booking", principles],
  ]);
});
