import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { sitemapPart } from "~/tours/sitemap.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import { PASSWORD, makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import { call, logIn, tokenOf } from "../support/app";
import { allToursListed, api, app, get, useApp } from "../support/shared-app";

useApp();

let token: string;
beforeEach(async () => void (token = await createServiceToken("Platform")));

const recordOf = ({ title, slug, createdById }: TourDocument) => ({
  title,
  slug,
  createdById: createdById.toString(),
});
const pathOf = ({ _id }: { _id: Types.ObjectId }) => `/api/tours/${_id.toString()}`;

describe("a tour that is closed", () => {
  test("leaves list and sitemap, keeps its page and reviews, and comes back", async () => {
    const [tour, other] = [await makeTour(), await makeTour()];
    await Tour.updateOne({ _id: tour._id }, { $set: { bookingUrl: "https://book.example/a" } });
    await makeReview(await makeUser(), tour, { comment: "A fine walk" });
    const guest = await makeBookedExplorer(tour);
    for (let times = 0; times < 2; times++) {
      const { status, json } = await api("DELETE", pathOf(tour), { token });
      expect([status, json]).toEqual([200, { message: "Tour closed successfully" }]);
    }
    await tourRefresh.renew();
    expect((await sitemapPart(1))!.slugs).toEqual([other.slug]);
    const page = await get(`/tours/${tour.slug}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("This tour is no longer offered. Its reviews stay.");
    expect(page.text).toContain("A fine walk");
    expect(page.text).not.toContain("https://book.example");
    // Users who took part may still say so (docs/rules/reviews.md, Posting).
    const body = { tourId: tour._id.toString(), rating: 4 };
    const posted = await api("POST", "/api/reviews", { token: await tokenOf(guest), body });
    expect(posted.status).toBe(201);

    const reopened = await api("PUT", pathOf(tour), { token, body: recordOf(tour) });
    expect([reopened.status, reopened.json]).toEqual([200, { result: "changed" }]);
    await tourRefresh.renew();
    expect((await sitemapPart(1))!.slugs.sort()).toEqual([tour.slug, other.slug].sort());
    expect((await get(`/tours/${tour.slug}`)).text).not.toContain("no longer offered");
  });

  test("is shown by no list and no search from then on, and again within seconds of its return", async () => {
    const [tour, other] = [await makeTour({ title: "Lantern walk" }), await makeTour()];
    await allToursListed();
    const listed = async () => {
      const paths = ["/", "/?q=lantern", "/api/tours?limit=9", "/api/tours?q=lantern"];
      const pages = await Promise.all(paths.map((path) => get(path)));
      return pages.map(({ text }) => text.includes(tour.slug));
    };
    expect(await listed()).toEqual([true, true, true, true]);
    await api("DELETE", pathOf(tour), { token });
    expect(await listed()).toEqual([false, false, false, false]);
    const { text } = await get("/");
    expect([text.includes(other.slug), text.includes("2 tours")]).toEqual([true, false]);

    await api("PUT", pathOf(tour), { token, body: recordOf(tour) });
    await expect.poll(listed, { timeout: 30_000 }).toEqual([true, true, true, true]);
  });

  test("says so in frame, badge and on its guide's pages, and has no departure to come", async () => {
    const guide = await makeUser();
    const date = new Date(Date.now() + 30 * 24 * 3_600_000);
    const tour = await makeTour({ createdById: guide._id, date });
    await Tour.updateOne({ _id: tour._id }, { $set: { bookingUrl: "https://book.example/a" } });
    const cookie = await logIn(app, guide.email, PASSWORD);
    const pages = async () => [
      await get(`/embed/tours/${tour.slug}`),
      await get(`/tours/${tour.slug}/badge.svg`),
      await get(`/guides/${guide._id.toString()}`),
      await get("/guide", cookie),
    ];
    for (const { status, text } of await pages())
      expect([status, text.includes("no longer offered")]).toEqual([200, false]);
    await api("DELETE", pathOf(tour), { token });
    for (const { status, text } of await pages()) {
      expect([status, text]).toEqual([
        200,
        expect.stringContaining("This tour is no longer offered."),
      ]);
      expect(text).not.toMatch(/book\.example|Next:/);
    }
  });

  test("has been there", async () => {
    const unknown = pathOf({ _id: new Types.ObjectId() });
    const { status, json } = await api("DELETE", unknown, { token });
    expect([status, json]).toEqual([404, { error: "Tour not found" }]);
  });
});

describe("a booking that is deleted", () => {
  test("verifies no review any more, unless there is another one", async () => {
    const tour = await makeTour();
    const guest = await makeBookedExplorer(tour);
    const first = await Booking.findOne({ userId: guest._id }).orFail();
    const { _id, ...fields } = first.toObject();
    const second = await Booking.create({ ...fields, _id: new Types.ObjectId() });
    const review = await makeReview(guest, tour);
    await Review.updateOne({ _id: review._id }, { $set: { verified: true } });
    await Absence.create({
      ...{ bookingId: second._id, userId: guest._id, tourId: tour._id, at: new Date() },
    });
    const remove = (id: Types.ObjectId) =>
      api("DELETE", `/api/bookings/${id.toString()}`, { token });
    const verified = async () => (await Review.findById(review._id).lean())!.verified;
    expect((await remove(_id)).json).toEqual({ message: "Booking deleted successfully" });
    expect(await verified()).toBe(true);
    expect((await remove(second._id)).status).toBe(200);
    expect(await verified()).toBe(false);
    expect([await Booking.countDocuments(), await Absence.countDocuments()]).toEqual([0, 0]);
    const again = await remove(second._id);
    expect([again.status, again.json]).toEqual([404, { error: "Booking not found" }]);
  });
});

test("a page that is kept under a slug is not shown once its tour has another one", async () => {
  const tour = await makeTour({ slug: "kept-garden" });
  const review = await makeReview(await makeUser(), tour);
  await Tour.updateOne({ _id: tour._id }, { $set: { ratingsVersion: 1 } });
  const reported = `/report?url=${encodeURIComponent(`${app.url}/reviews/${review._id.toString()}`)}`;
  for (let times = 0; times < 2; times++)
    expect((await get("/tours/kept-garden")).status).toBe(200);
  expect((await get(`/reviews/${review._id.toString()}`)).text).toContain("/tours/kept-garden");
  const etag = (await get("/tours/kept-garden")).headers.get("etag")!;
  expect(etag).toBeTruthy();
  await api("PUT", pathOf(tour), { token, body: { ...recordOf(tour), slug: "moved-garden" } });
  for (const tag of ["none", etag]) {
    const moved = await call(app, "GET", "/tours/kept-garden", {
      headers: { "If-None-Match": tag },
    });
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/tours/moved-garden"]);
  }
  const page = await get(`/reviews/${review._id.toString()}`);
  expect(page.text).toContain("/tours/moved-garden");
  expect(page.text).not.toContain("kept-garden");
  // A reported review has no slug in its address.
  expect((await get(reported)).text).not.toContain("There is nothing to report");
  const other = await makeTour();
  await api("PUT", pathOf(other), { token, body: { ...recordOf(other), slug: "kept-garden" } });
  expect((await get("/tours/kept-garden")).text).toContain(other.title);
});

test("a slug that a tour had leads to its present one", async () => {
  const tour = await makeTour({ slug: "old-gärden" });
  for (const slug of ["new garden", "garden"].map((name) => name.replace(" ", "-")))
    await api("PUT", pathOf(tour), { token, body: { ...recordOf(tour), slug } });
  for (const former of [encodeURIComponent("old-gärden"), "new-garden"])
    for (const [path, to] of [
      [`/tours/${former}?stars=5`, "/tours/garden?stars=5"],
      [`/tours/${former}/badge.svg`, "/tours/garden/badge.svg"],
      [`/tours/${former}/reviews.atom`, "/tours/garden/reviews.atom"],
      [`/tours/${former}/changes`, "/tours/garden/changes"],
      [`/embed/tours/${former}`, "/embed/tours/garden"],
    ] as const) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get("location")]).toEqual([path, 301, to]);
    }
  const url = encodeURIComponent(`${app.url}/tours/new-garden`);
  const embedded = await get(`/oembed?url=${url}`);
  expect([embedded.status, embedded.text.includes("/tours/garden/badge.svg")]).toEqual([200, true]);
  // Another tour may take it, and has it then.
  const other = await makeTour();
  await api("PUT", pathOf(other), { token, body: { ...recordOf(other), slug: "new-garden" } });
  expect((await get("/tours/new-garden")).text).toContain(other.title);
});
