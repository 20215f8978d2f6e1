import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { Booking } from "../models/booking";
import { Review } from "../models/review";
import { Session } from "../models/session";
import { User } from "../models/user";
import { unsubscribeUrl } from "~/services/mail-settings.server";
import { call, logIn, startApp, type App } from "./support/app";
import { databaseUri, useDatabase } from "./support/database";
import {
  makeBooking,
  makeGuest,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "./support/factories";

// What holds for every route, also for one that is added tomorrow: the list is Remix' own.

interface Route {
  id: string;
  path?: string;
  children?: Route[];
}

const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
const manifest = JSON.parse(
  execFileSync(process.execPath, [remix, "routes", "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as Route[];

/** Every route's pattern, such as `/tours/:slug`, and its id. */
function routes({ id, path = "", children = [] }: Route, parent = ""): [string, string][] {
  const here = [parent, path].filter(Boolean).join("/");
  return [[`/${here}`, id], ...children.flatMap((child) => routes(child, here))];
}

const ROUTES = manifest.flatMap((route) => routes(route)).sort();
const PATTERNS = [...new Set(ROUTES.map(([pattern]) => pattern))];
const isApi = (pattern: string) => /^\/(api(\/|$)|healthz$)/.test(pattern);
const WRITING = ["POST", "PUT", "PATCH", "DELETE"];

useDatabase();
let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri());
});
afterAll(() => app.stop());

// Somebody who may do anything: log out, edit and delete a review, write another one.
let ids: {
  tour: string;
  slug: string;
  review: string;
  newTour: string;
  ownTour: string;
  token: string;
};
let cookie: string;
let email: string;
beforeEach(async () => {
  const [tour, newTour] = [await makeTour(), await makeTour()];
  const user = await makeGuest(tour);
  const review = await makeReview(user, tour);
  await mongoose.connection.collection("bookings").insertOne({
    userId: user._id,
    tourId: newTour._id,
    status: "COMPLETED",
  });
  const ownTour = await makeTour({ createdById: user._id });
  await makeBooking(await makeUser(), ownTour, { status: "CONFIRMED" });
  ids = {
    tour: tour._id.toString(),
    slug: tour.slug,
    review: review._id.toString(),
    newTour: newTour._id.toString(),
    ownTour: ownTour._id.toString(),
    token: unsubscribeUrl(user._id).split("/").at(-1)!,
  };
  email = user.email;
  cookie = await logIn(app, email);
});

/** An address of that pattern which names what is there to be changed. */
function address(pattern: string): string {
  const id = /tours\/:/.test(pattern) ? ids.tour : ids.review;
  return pattern
    .replace("*", "some/where")
    .replace(/:slug\b/, ids.slug)
    .replace(/:token\b/, ids.token)
    .replace(/:\w+/g, id)
    .replaceAll("?", "");
}

/** A body that would do for any operation that is known. */
function bodyFor(pattern: string) {
  const fields = { tourId: ids.newTour, rating: 1, comment: "written from elsewhere" };
  if (isApi(pattern)) return { body: fields };
  const form = { ...fields, rating: "1", reviewId: ids.review, email, password: PASSWORD };
  const account = {
    tokenName: "elsewhere",
    currentPassword: PASSWORD,
    newPassword: "from elsewhere",
  };
  const guide = { reviewMails: "none", date: "", "List-Unsubscribe": "One-Click" };
  const intents: Record<string, string> = { "/me/account": "create-token", "/guide": "complete" };
  const raw = new URLSearchParams({ ...form, ...account, ...guide, name: "elsewhere" });
  raw.set("intent", intents[pattern] ?? "delete");
  if (pattern === "/guide") raw.set("tourId", ids.ownTour);
  return { raw };
}

/** Everything that is stored, to see that nothing was written. */
async function stored(): Promise<string> {
  const collections = await mongoose.connection.db!.collections();
  const contents = collections.map(async (collection) => [
    collection.collectionName,
    await collection.find().sort({ _id: 1 }).toArray(),
  ]);
  return JSON.stringify((await Promise.all(contents)).sort());
}

it("the list has the routes that are known to be there", () => {
  expect(PATTERNS).toEqual(
    expect.arrayContaining(["/", "/*", "/api/reviews", "/api/reviews/:id", "/login", "/logout"]),
  );
});

describe("a request of another site with the visitor's cookie writes nothing", () => {
  test.each(ROUTES)("%s (%s)", async (pattern, id) => {
    const path = address(pattern);
    const before = await stored();
    // A document's post, and the ways in which Remix' scripts post to the same actions.
    const requests: [string, string][] = WRITING.map((method) => [method, path]);
    const data = path === "/" ? "/_root.data" : `${path}.data`;
    const byId = `${path}?_data=${encodeURIComponent(id)}`;
    for (const target of [data, byId, `${path}?index`, path.replace(/\/?$/, "/")])
      requests.push(["POST", target]);
    for (const [method, target] of requests)
      for (const headers of [
        { origin: "https://evil.example" },
        { "sec-fetch-site": "cross-site" },
      ] as Record<string, string>[]) {
        const options = { cookie, headers, ...bodyFor(pattern) };
        const { status, headers: answered } = await call(app, method, target, options);
        const allowed = isApi(target.split("?")[0]!.replace(/(.)\/$/, "$1"))
          ? [401, 404, 405]
          : [403];
        expect(allowed, `${method} ${target}: ${status}`).toContain(status);
        expect(answered.get("set-cookie")).toBeNull();
      }
    expect(await stored()).toBe(before);
  });

  it("where the same request of this site writes", async () => {
    const own = (method: string, path: string, pattern: string) =>
      call(app, method, path, { cookie, headers: { origin: app.url }, ...bodyFor(pattern) });
    expect((await own("POST", "/api/reviews", "/api/reviews")).status).toBe(201);
    const review = `/api/reviews/${ids.review}`;
    expect((await own("PATCH", review, "/api/reviews/:id")).status).toBe(200);
    expect((await own("DELETE", review, "/api/reviews/:id")).status).toBe(200);
    expect(await Review.find({}, "comment -_id").lean()).toEqual([
      { comment: "written from elsewhere" },
    ]);
    expect((await own("POST", "/guide", "/guide")).status).toBe(302);
    expect(await Booking.exists({ tourId: ids.ownTour, status: "COMPLETED" })).not.toBeNull();
    const unsubscribe = address("/unsubscribe/:token");
    expect((await own("POST", unsubscribe, "/unsubscribe/:token")).status).toBe(200);
    expect(await User.exists({ email, reviewMails: "none" })).not.toBeNull();
    expect((await own("POST", "/logout", "/logout")).status).toBe(302);
    expect(await Session.countDocuments()).toBe(0);
    expect((await own("POST", "/login", "/login")).status).toBe(302);
    expect(await Session.countDocuments()).toBe(1);
  });
});

describe("reading writes nothing, wherever the link to it was", () => {
  test.each(PATTERNS)("%s", async (pattern) => {
    const before = await stored();
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const method of ["GET", "HEAD"]) {
      const { status } = await call(app, method, address(pattern), { cookie, headers });
      expect(status).toBeLessThan(500);
    }
    expect(await stored()).toBe(before);
  });
});

describe("a body over 64 KiB is too large", () => {
  const raw = "x".repeat(70_000);

  test.each(PATTERNS)("%s", async (pattern) => {
    for (const method of WRITING)
      for (const options of [{ raw }, { raw, cookie }]) {
        const answer = await call(app, method, address(pattern), options);
        expect([method, answer.status]).toEqual([method, 413]);
        if (isApi(pattern)) expect(answer.json).toEqual({ error: "Request body too large" });
        else expect(answer.headers.get("content-type")).toMatch(/^text\/html\b/);
      }
  });
});
