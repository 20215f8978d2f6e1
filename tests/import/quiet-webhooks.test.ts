import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { importData } from "~/import/import.server";
import { listChanges } from "~/reviews/list-changes.server";
import { postReview } from "~/reviews/post.server";
import { resend } from "~/reviews/webhooks/addresses.server";
import { WebhookSender } from "~/reviews/webhooks/sender.server";
import { Change } from "#models/change";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { folder, outcome, useCommands } from "../support/commands";
import { databaseUri, useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";
import { commandsOf } from "../support/explain";
import { review, user } from "../support/import-records";
import { countWaiting, KEY, Receiver, tellAtOnce } from "../support/webhooks";

// docs/rules/webhooks.md: no address is told of an import with --quiet-webhooks, and each of all else.

useCommands();
useDatabase();

let receiver: Receiver;
let senders: WebhookSender[];
beforeEach(async () => {
  receiver = await new Receiver().listen();
  senders = [];
  await sender().wake();
  await tellAtOnce();
});
afterEach(async () => {
  await Promise.all(senders.map((one) => one.stop()));
  await receiver.close();
});

/** One of several processes. */
function sender(): WebhookSender {
  const made = new WebhookSender([receiver.url], { secrets: [KEY], timeoutMs: 60_000 });
  senders.push(made);
  return made;
}

const recordsOf = (tour: TourDocument, count: number, from = 0) => ({
  users: Array.from({ length: count }, (_, n) => user(from + n)),
  reviews: Array.from({ length: count }, (_, n) =>
    review(from + n, { tourId: tour._id.toString(), rating: 1 + (n % 5) }),
  ),
});

async function post(tour: TourDocument): Promise<void> {
  const tourId = tour._id.toString();
  await postReview(as(await makeBookedExplorer(tour)), { tourId, rating: 4, comment: null });
}

const deliver = () => Promise.all(senders.map((one) => one.wake()));

it("the command keeps its events from an address, and none of the others", async () => {
  const [tour, other] = [await makeTour(), await makeTour()];
  await post(tour);
  const file = join(folder, "old.json");
  await writeFile(file, JSON.stringify(recordsOf(tour, 120)));
  const env = { DATA_DIR: join(folder, "unused"), MONGODB_URI: databaseUri() };
  expect(await outcome(["db-import", file, "--quiet-webhooks"], env)).toMatchObject({ code: 0 });
  await post(tour);
  await post(other);
  await deliver();
  expect(receiver.versions()).toEqual({
    [tour._id.toString()]: [1, 122],
    [other._id.toString()]: [1],
  });
  // The log of changes is whole.
  expect(await Change.countDocuments({ tourId: tour._id })).toBe(122);
  const { changes } = await listChanges(tour._id.toString(), {});
  expect(changes.map(({ version }) => version)).toEqual(
    Array.from({ length: changes.length }, (_, n) => n + 1),
  );
  expect(JSON.stringify(changes)).not.toContain("Quiet");
  await resend(receiver.url, new Date(0));
  const before = receiver.events.length;
  await deliver();
  expect(receiver.events).toHaveLength(before + 3);
});

it("an import without the wish tells of each review, in a command for each transaction", async () => {
  const tour = await makeTour();
  const sent = await commandsOf(() => importData(recordsOf(tour, 600)));
  expect(sent.filter((command) => command === "insert tourReviews.notifications")).toHaveLength(2);
  expect(await countWaiting()).toBe(600);
  await deliver();
  expect(receiver.versions()).toEqual({
    [tour._id.toString()]: Array.from({ length: 600 }, (_, n) => n + 1),
  });
  expect(new Set(receiver.events.map(({ event }) => event.type))).toEqual(
    new Set(["review.imported"]),
  );
});

it("also tours that a review leaves, and ratings that are mended, are told to no address", async () => {
  const [tour, other, mended] = [await makeTour(), await makeTour(), await makeTour()];
  const records = recordsOf(tour, 1);
  await importData(records, { quietWebhooks: true });
  await Review.collection.insertOne({ tourId: mended._id, rating: 2, createdAt: new Date() });
  const moved = [review(0, { tourId: other._id.toString(), rating: 5 })];
  const [tourId, createdById] = [mended._id.toString(), mended.createdById.toString()];
  await importData(
    {
      users: [...records.users, user(1, { id: createdById })],
      tours: [{ id: tourId, title: mended.title, slug: mended.slug, createdById }],
      reviews: moved,
    },
    { quietWebhooks: true },
  );
  expect(await Change.countDocuments({ tourId: mended._id })).toBe(1);
  expect(await Change.countDocuments({ tourId: tour._id })).toBe(2);
  expect(await Change.countDocuments({ isQuiet: true })).toBe(await Change.countDocuments());
  await deliver();
  expect(receiver.attempts).toEqual([]);
});
