import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { importData } from "~/import/import.server";
import { listChanges } from "~/reviews/list-changes.server";
import { postReview } from "~/reviews/post.server";
import { resend } from "~/reviews/webhooks/addresses.server";
import { placeAt } from "~/reviews/webhooks/progress.server";
import { WebhookWorker } from "~/reviews/webhooks/worker.server";
import { Change } from "#models/change";
import { Review } from "#models/review";
import type { TourDocument } from "#models/tour";
import { Webhook } from "#models/webhook";
import { folder, outcome, useCommands } from "../support/commands";
import { databaseUri, useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";
import { review, user } from "../support/import-records";
import { addLine, KEY, Receiver, storedWebhook } from "../support/webhooks";

// docs/rules/webhooks.md: no address is told of an import with --quiet-webhooks, and each of all else.

useCommands();
useDatabase();

let receiver: Receiver;
let workers: WebhookWorker[];
beforeEach(async () => {
  receiver = await new Receiver().listen();
  workers = [];
  await worker().deliver();
});
afterEach(async () => {
  await Promise.all(workers.map((one) => one.stop()));
  await receiver.close();
  vi.restoreAllMocks();
});

/** One of several processes. */
function worker(): WebhookWorker {
  const made = new WebhookWorker(receiver.url, { secrets: [KEY], timeoutMs: 60_000 });
  workers.push(made);
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

/** Until nothing waits, whatever a look has missed. */
async function deliver(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await Webhook.updateOne({}, { dueAt: new Date(0) });
    await Promise.all(workers.map((one) => one.deliver()));
  }
}

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

it("an import without the wish tells of each review", async () => {
  const tour = await makeTour();
  await importData(recordsOf(tour, 3));
  await deliver();
  expect(receiver.events.map(({ event }) => event.type)).toEqual(
    Array.from({ length: 3 }, () => "review.imported"),
  );
});

it("loses no other event, of two processes and of an attempt under way", async () => {
  const [tour, other] = [await makeTour(), await makeTour()];
  workers.push(worker());
  let release = () => {};
  receiver.answer = (nth) =>
    nth > 1 ? 204 : new Promise((resolve) => (release = () => resolve(204)));
  await post(tour);
  const turn = deliver();
  await expect.poll(() => receiver.attempts.length).toBe(1);
  await importData(recordsOf(tour, 600), { quietWebhooks: true });
  await post(other);
  await post(tour);
  release();
  await turn;
  await deliver();
  expect(receiver.versions()).toEqual({
    [tour._id.toString()]: [1, 602],
    [other._id.toString()]: [1],
  });
});

it("an event before such an import comes before the tour's next one, though a look has missed it", async () => {
  const [tourId, now] = [(await makeTour())._id, Date.now()];
  await Webhook.updateOne({}, { place: placeAt(new Date(now - 60_000)) });
  // A short look does not see it.
  await addLine(new Date(now - 30_000), { tourId, version: 1 });
  for (const version of [2, 3]) {
    const { _id } = await addLine(new Date(now), { tourId, version });
    await Change.updateOne({ _id }, { isQuiet: true });
  }
  await addLine(new Date(now), { tourId, version: 4 });
  await Webhook.updateOne({}, { dueAt: new Date(now + 60_000) });
  await workers[0]!.deliver();
  expect(receiver.versions()).toEqual({ [tourId.toString()]: [1, 4] });
  expect((await storedWebhook()).attempts).toBe(0);
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
