import { readFileSync } from "node:fs";
import mongoose from "mongoose";
import type { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, expect, inject } from "vitest";
import { clearCaches } from "~/lib/cache.server";
import type { PublicReview } from "~/reviews/list/public-review.server";
import type { PublicTour } from "~/tours/tours.server";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { type Answer, type App, call, startApp, tokenOf } from "./app";
import { keepDocuments } from "./collections";
import { databaseUri, emptyDatabase, useSharedDatabase } from "./database";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "./factories";
import { expectDocumented, operationOf } from "./openapi";
import type { SharedApp } from "./setup-http";
import { makeWorld, type World } from "./world";

const apps = inject("apps") as SharedApp[] | undefined;
if (!apps) throw new Error("Only a test named .http has a served app");
const shared = apps[Number(process.env.VITEST_POOL_ID) - 1]!;

/** The app that the test files of this worker share, one after another. */
export const app: Pick<App, "url" | "log"> = {
  url: shared.url,
  log: () => readFileSync(shared.logFile, "utf8"),
};

/**
 * Gives this file's tests that app and its database, emptied before each test or only once. A file starts an app of
 * its own if its tests stop an app or fill what it keeps in memory.
 */
export function useApp({ emptied = "each" }: { emptied?: "each" | "once" } = {}): void {
  useSharedDatabase(shared.database, emptied);
}

export const get = (path: string, cookie?: string): Promise<Answer> =>
  call(app, "GET", path, { cookie });

/** Sends a form, as a browser does. */
export const post = (
  path: string,
  fields: Record<string, string>,
  cookie?: string,
): Promise<Answer> => call(app, "POST", path, { cookie, raw: new URLSearchParams(fields) });

/** The path of the next page of a list of the API, as a client takes it from `Link`; null on the last one. */
export function nextPage(headers: Headers): string | null {
  const link = headers.get("link");
  if (link === null) return null;
  const [, address] = /^<([^>]+)>; rel="next"$/.exec(link)!;
  const { origin, pathname, search } = new URL(address!);
  expect(origin).toBe(new URL(app.url).origin);
  return pathname + search;
}

/**
 * Waits until the app lists every tour, of which a hundred are counted: a look of its own that came between two new ones
 * shows the second one only at the next look.
 */
export async function allToursListed(): Promise<void> {
  const listed = async () =>
    (await call<{ tours: object[] }>(app, "GET", "/api/tours?limit=100")).json!.tours.length;
  await expect.poll(listed).toBe(await Tour.countDocuments());
}

// The API as a client uses it: the built app in a process of its own, over HTTP.

type ReviewBody = PublicReview & { rating: number };
/** Every field that any answer of the API may contain. */
interface Body {
  error?: string;
  message?: string;
  status?: string;
  review?: ReviewBody;
  reviews?: ReviewBody[];
  tour?: PublicTour;
}
export type Options = Parameters<typeof call>[3];

export const REVIEW_FIELDS = ["comment", "createdAt", "id", "rating", "tourId", "user", "userId"];

/** Sends one request, and checks what all answers have in common, and the answer against the document of the API. */
export async function api(
  method: string,
  path: string,
  options?: Options,
  server: Pick<App, "url"> = app,
): Promise<Answer<Body>> {
  const answer = await call<Body>(server, method, path, options);
  // All addresses of the factories end like this; no answer of the API shows one.
  expect(answer.text).not.toContain("@example.test");
  expect(answer.text).not.toContain("argon2");
  if (answer.text !== "") {
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toBeTypeOf("object");
  }
  const operation = operationOf(method, path);
  if (operation) expectDocumented(operation.id, answer);
  return answer;
}

export const refusal = ({ status, json }: Answer<Body>) => [status, json];
export const refused = (status: number, error: string) => [status, { error }];

interface Identified {
  _id: Types.ObjectId;
}
export const list = async (tour: Identified) =>
  (await api("GET", `/api/reviews?tourId=${tour._id.toString()}`)).json?.reviews;
export const tourState = async (tour: Identified) =>
  (await api("GET", `/api/tours/${tour._id.toString()}`)).json?.tour;

/** A tour with its guide, and an explorer who may review it. */
export async function scene() {
  const guide = await makeUser({ name: "Gwen Guide", image: "https://img.example/gwen.png" });
  const tour = await makeTour({ createdById: guide._id, title: "Old Town Walk" });
  const guest = await makeBookedExplorer(tour, {
    name: "Ann",
    image: "https://img.example/ann.png",
  });
  const token = await tokenOf(guest);
  return { guide, tour, guest, token, tourId: tour._id.toString() };
}

export async function reviewed(fields: Parameters<typeof makeReview>[2] = {}) {
  const scenery = await scene();
  const { guest, tour } = scenery;
  const review = await makeReview(guest, tour, { comment: "as it was", ...fields });
  return { ...scenery, review, path: `/api/reviews/${review._id.toString()}` };
}

/** Serves this file's database by two processes; returns them in turn, so that requests alternate. */
export function useTwoApps(): () => Pick<App, "url"> {
  useApp();
  let second: App;
  let turn = 0;
  beforeAll(async () => {
    second = await startApp(databaseUri());
  });
  afterAll(() => second.stop());
  return () => [app, second][turn++ % 2]!;
}

/** Gives these tests the app that files share, and a world that is as new before each of them; returns the world. */
export const useWorld = (): (() => World) => useScene(makeWorld);

/**
 * The same with what `make` creates in the empty database. It is created anew only after one of its users was deleted:
 * the app goes on removing what belonged to them.
 */
export function useScene<Scene>(make: () => Promise<Scene>): () => Scene {
  useApp({ emptied: "once" });
  let scene: Scene;
  let users: Types.ObjectId[];
  let restore: () => Promise<void>;
  const create = async () => {
    scene = await make();
    users = await User.distinct("_id");
    restore = await keepDocuments(mongoose.connection);
  };
  beforeAll(create);
  beforeEach(async () => {
    if ((await User.countDocuments({ _id: { $in: users } })) < users.length) {
      await emptyDatabase();
      await create();
    }
    await restore();
    clearCaches();
  });
  return () => scene;
}

/**
 * Checks that scripts and other sites cannot read the cookie and, with https, that it stays on this host and is
 * encrypted.
 */
export function expectStrict(server: Pick<App, "url">, setCookie: string): void {
  const [value, ...attributes] = setCookie.split("; ");
  expect(value).toMatch(server === app ? /^session=/ : /^__Host-session=/);
  const flags = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
  const strict = ["HttpOnly", "Path=/", "SameSite=Lax", ...(server === app ? [] : ["Secure"])];
  expect(flags.sort()).toEqual(strict.sort());
}
