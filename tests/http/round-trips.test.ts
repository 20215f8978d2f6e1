import mongoose from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { action as reviews } from "~/routes/api.reviews";
import { action as review } from "~/routes/api.reviews_.$id";
import { action as tourPage } from "~/routes/tours.$slug";
import { requestScope } from "~/infra/request-scope.server";
import { Review } from "../../models/review";
import type { TourDocument } from "../../models/tour";
import { User, type UserDocument } from "../../models/user";
import { sessionOf, tokenOf } from "../support/app";
import { useDatabase } from "../support/database";
import { makeBookedExplorer, makeTour } from "../support/factories";

// How often a change of a review waits for the database. The routes run in this process, as Remix runs them, because
// the driver reports here when each command begins and ends.

useDatabase();

/** The commands of the present request. Each list has those that ran at the same time. */
let trips: string[][] = [];
/** Whether a command of the last list has been answered: the next command has then waited for it. */
let answered = true;
const begins = ({ commandName, command }: CommandStartedEvent) => {
  const { [commandName]: target } = command as Record<string, unknown>;
  if (answered) trips.push([]);
  answered = false;
  trips.at(-1)!.push(typeof target === "string" ? `${commandName} ${target}` : commandName);
};
const ends = () => (answered = true);

/** Enough connections that no command waits for one. */
const connect = () => Promise.all(Array.from({ length: 12 }, () => User.findOne().lean()));

beforeAll(async () => {
  await connect();
  const client = mongoose.connection.getClient();
  client.on("commandStarted", begins).on("commandSucceeded", ends).on("commandFailed", ends);
});
afterAll(() => {
  const client = mongoose.connection.getClient();
  client.off("commandStarted", begins).off("commandSucceeded", ends);
  client.off("commandFailed", ends);
});

let tour: TourDocument;
let ann: UserDocument;
let cookie: string;
beforeEach(async () => {
  tour = await makeTour();
  ann = await makeBookedExplorer(tour);
  cookie = await sessionOf(ann);
});

type Action = typeof reviews | typeof tourPage;

/** Sends a request; returns its status and what it asked the database for, round trip by round trip. */
async function send(action: Action, init: RequestInit, params: Record<string, string> = {}) {
  const headers = { cookie, ...(init.headers as Record<string, string>) };
  const request = new Request("http://localhost/api/reviews", { ...init, headers });
  trips = [];
  answered = true;
  const answer = (await requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, () =>
    action({ request, params, context: {} }),
  )) as Response;
  return { status: answer.status, trips: trips.map((commands) => commands.sort()) };
}

const body = (rating: number) =>
  JSON.stringify({ tourId: tour._id.toString(), rating, comment: "Fine" });
const post = (headers: Record<string, string> = {}) =>
  send(reviews, { method: "POST", body: body(5), headers });
const idOfMine = async () => (await Review.findOne({ userId: ann._id }).lean())!._id.toString();

const SESSION = [["aggregate tourReviews.sessions"]];
const READS = ["find bookings", "find reviews", "find tours"];
const CHECKS = [[...READS, "insert tourReviews.rateLimits"]];
const CLAIM = [["update tours"]];
const CREATE = [["aggregate bookings"], ["insert reviews"], ["insert tourReviews.notifications"]];
const RECOMPUTE = [["aggregate reviews"], ["update tours"], ["commitTransaction"]];

describe("a POST", () => {
  test("takes 9 round trips with a session", async () => {
    const trips = [...SESSION, ...CHECKS, ...CLAIM, ...CREATE, ...RECOMPUTE];
    expect(await post()).toEqual({ status: 201, trips });
    expect(trips).toHaveLength(9);
  });

  test("takes 10 round trips with a token", async () => {
    const authorization = `Bearer ${await tokenOf(ann)}`;
    // The first use in a minute also stores the time of use.
    const TOKEN = [
      ["find tourReviews.accessTokens"],
      ["find users", "update tourReviews.accessTokens"],
    ];
    const trips = [...TOKEN, ...CHECKS, ...CLAIM, ...CREATE, ...RECOMPUTE];
    expect(await post({ authorization })).toEqual({ status: 201, trips });
    expect(trips).toHaveLength(10);
  });

  test("takes 11 with an Idempotency-Key, and 2 to give an earlier answer again", async () => {
    const LOOK = [["find tourReviews.idempotencyKeys"]];
    const STORE = [["update tourReviews.idempotencyKeys"]];
    const [DECIDE, ...INSERTS] = CREATE;
    const trips = [
      ...SESSION,
      ...LOOK,
      ...CHECKS,
      ...CLAIM,
      DECIDE,
      ...STORE,
      ...INSERTS,
      ...RECOMPUTE,
    ];
    expect(await post({ "idempotency-key": "a" })).toEqual({ status: 201, trips });
    expect(trips).toHaveLength(11);
    expect(await post({ "idempotency-key": "a" })).toEqual({
      status: 201,
      trips: [...SESSION, ...LOOK],
    });
  });

  test("takes 2 to be refused", async () => {
    await post();
    const COUNTED = [[...READS, "findAndModify tourReviews.rateLimits"].sort()];
    expect(await post()).toEqual({ status: 400, trips: [...SESSION, ...COUNTED] });
  });

  test("takes 11 from the tour's page: it also finds the tour, and stores the notice", async () => {
    const form = new URLSearchParams({ rating: "5", comment: "Fine" });
    const trips = [
      ...SESSION,
      ["find tours"],
      ...CHECKS,
      ...CLAIM,
      ...CREATE,
      ...RECOMPUTE,
      ["update tourReviews.sessions"],
    ];
    expect(await send(tourPage, { method: "POST", body: form }, { slug: tour.slug })).toEqual({
      status: 302,
      trips,
    });
    expect(trips).toHaveLength(11);
  });
});

describe("one's own review", () => {
  const COUNT = "findAndModify tourReviews.rateLimits";
  beforeEach(() => post());

  test("takes 8 round trips to edit", async () => {
    const trips = [
      ...SESSION,
      ["find reviews", "find users", COUNT],
      ...CLAIM,
      ["update reviews"],
      ["update tourReviews.notifications"],
      ...RECOMPUTE,
    ];
    const id = await idOfMine();
    const edit = { method: "PATCH", body: JSON.stringify({ rating: 2 }) };
    expect(await send(review, edit, { id })).toEqual({ status: 200, trips });
    expect(trips).toHaveLength(8);
  });

  test("takes 9 round trips to delete", async () => {
    const trips = [
      ...SESSION,
      ["find reviews", COUNT],
      ...CLAIM,
      ["delete reviews"],
      ["delete tourReviews.replies"],
      ["delete tourReviews.notifications"],
      ...RECOMPUTE,
    ];
    const id = await idOfMine();
    expect(await send(review, { method: "DELETE" }, { id })).toEqual({ status: 200, trips });
    expect(trips).toHaveLength(9);
  });
});
