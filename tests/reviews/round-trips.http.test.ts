import mongoose from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { action as reviews } from "~/routes/api.reviews";
import { action as review } from "~/routes/api.reviews_.$id";
import { postReview } from "~/reviews/post.server";
import { requestScope } from "~/infra/request-scope.server";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { sessionOf } from "../support/app";
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

/** Sends a request; returns its status and what it asked the database for, round trip by round trip. */
async function send(
  action: typeof reviews,
  init: RequestInit,
  params: Record<string, string> = {},
) {
  const headers = { cookie, ...(init.headers as Record<string, string>) };
  const request = new Request("http://localhost/api/reviews", { ...init, headers });
  trips = [];
  answered = true;
  const answer = (await requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, () =>
    action({ request, params, context: {} }),
  )) as Response;
  return { status: answer.status, trips: trips.map((commands) => commands.sort()) };
}

const post = () =>
  send(reviews, {
    method: "POST",
    body: JSON.stringify({ tourId: tour._id.toString(), rating: 5, comment: "Fine" }),
  });

test("a change of a review waits for the database a bounded number of times", async () => {
  const posted = await post();
  expect(posted.status).toBe(201);
  expect(posted.trips.length).toBeLessThanOrEqual(14);
  const id = (await Review.findOne({ userId: ann._id }).lean())!._id.toString();
  const edit = { method: "PATCH", body: JSON.stringify({ rating: 2 }) };
  for (const init of [edit, { method: "DELETE" }]) {
    const changed = await send(review, init, { id });
    expect(changed.status).toBe(200);
    expect(changed.trips.length).toBeLessThanOrEqual(15);
  }
});
