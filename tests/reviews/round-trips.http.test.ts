import mongoose from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { action as reviews } from "~/routes/api.reviews";
import { action as review } from "~/routes/api.reviews_.$id";
import { action as tourPage } from "~/routes/tours.$slug";
import { postReview } from "~/reviews/post.server";
import { requestScope } from "~/infra/request-scope.server";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { sessionOf, tokenOf } from "../support/app";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";

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
  // The first change of a tour looks for earlier lines.
  const first = await makeBookedExplorer(tour);
  await postReview(as(first), { tourId: tour._id.toString(), rating: 3 });
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

describe("at most so many round trips take", () => {
  test("a POST with a session: 14, and 7 to be refused", async () => {
    const posted = await post();
    expect(posted.status).toBe(201);
    expect(posted.trips.length).toBeLessThanOrEqual(14);
    const refused = await post();
    expect(refused.status).toBe(400);
    expect(refused.trips.length).toBeLessThanOrEqual(7);
  });

  test("a POST with a token and an Idempotency-Key: 17, and 5 to give an earlier answer again", async () => {
    const headers = { authorization: `Bearer ${await tokenOf(ann)}`, "idempotency-key": "a" };
    const posted = await post(headers);
    expect(posted.status).toBe(201);
    expect(posted.trips.length).toBeLessThanOrEqual(17);
    const again = await post(headers);
    expect(again.status).toBe(201);
    expect(again.trips.length).toBeLessThanOrEqual(5);
  });

  test("a POST from the tour's page: 15", async () => {
    const form = new URLSearchParams({ rating: "5", comment: "Fine" });
    const posted = await send(tourPage, { method: "POST", body: form }, { slug: tour.slug });
    expect(posted.status).toBe(302);
    expect(posted.trips.length).toBeLessThanOrEqual(15);
  });

  test("a PATCH: 14, and a DELETE: 15", async () => {
    await post();
    const id = (await Review.findOne({ userId: ann._id }).lean())!._id.toString();
    const edit = { method: "PATCH", body: JSON.stringify({ rating: 2 }) };
    for (const [init, most] of [
      [edit, 14],
      [{ method: "DELETE" }, 15],
    ] as const) {
      const changed = await send(review, init, { id });
      expect(changed.status).toBe(200);
      expect(changed.trips.length).toBeLessThanOrEqual(most);
    }
  });
});
