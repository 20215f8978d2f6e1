import mongoose from "mongoose";
import { expect, test } from "vitest";
import { action as reviews } from "~/routes/api.reviews";
import { action as review } from "~/routes/api.reviews_.$id";
import { postReview } from "~/reviews/post.server";
import { requestScope } from "~/lib/request-scope.server";
import { Review } from "#models/review";
import { User } from "#models/user";
import { sessionOf } from "../support/app";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";

// How often a change of a review waits for the database. The routes run in this process, as Remix runs them, because
// the driver reports here when each command begins and ends.

useDatabase();

/** How often `work` waits; commands that run at the same time count once. */
async function waitsOf(work: () => Promise<unknown>): Promise<number> {
  let waits = 0;
  let answered = true;
  const begins = () => {
    if (answered) waits++;
    answered = false;
  };
  const ends = () => (answered = true);
  const client = mongoose.connection.getClient();
  client.on("commandStarted", begins).on("commandSucceeded", ends).on("commandFailed", ends);
  await work();
  client.off("commandStarted", begins).off("commandSucceeded", ends).off("commandFailed", ends);
  return waits;
}

test("a change of a review waits for the database fifteen times at most", async () => {
  // Enough connections that no command waits for one.
  await Promise.all(Array.from({ length: 12 }, () => User.findOne().lean()));
  const tour = await makeTour();
  const tourId = tour._id.toString();
  // The first change of a tour looks for earlier lines.
  await postReview(as(await makeBookedExplorer(tour)), { tourId, rating: 3 });
  const ann = await makeBookedExplorer(tour);
  const headers = { cookie: await sessionOf(ann) };
  let id = "";
  for (const [action, method, body, status] of [
    [reviews, "POST", JSON.stringify({ tourId, rating: 5, comment: "Fine" }), 201],
    [review, "PATCH", JSON.stringify({ rating: 2 }), 200],
    [review, "DELETE", null, 200],
  ] as const) {
    const request = new Request(`http://localhost/api/reviews/${id}`, { method, body, headers });
    const waits = await waitsOf(() =>
      requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, async () => {
        const answer = await action({ request, params: { id }, context: {} });
        expect(answer).toMatchObject({ status });
      }),
    );
    expect(waits, method).toBeLessThanOrEqual(15);
    id = String((await Review.findOne({ userId: ann._id }))?._id);
  }
});
