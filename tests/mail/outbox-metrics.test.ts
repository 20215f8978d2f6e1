import { Types } from "mongoose";
import { expect, it } from "vitest";
import { databaseRegistry } from "~/lib/metrics.server";
import { RETRY_MS } from "~/mail/outbox.server";
import "~/personal-data/deletion-worker.server";
import { measureOutbox } from "~/mail/outbox-metrics.server";
import { AccountDeletion } from "#models/account-deletion";
import { Notification, type NotificationState } from "#models/notification";
import { useDatabase } from "../support/database";
import { metricSamples, metricValue } from "../support/app";

useDatabase();

const HOUR = 3_600_000;

const mail = (state: NotificationState, firstDue: number) => ({
  _id: new Types.ObjectId(),
  kind: "account",
  state,
  attempts: 3,
  createdAt: new Date(),
  // Retried later.
  dueAt: new Date(Date.now() + HOUR),
  retryUntil: new Date(firstDue + RETRY_MS),
});
measureOutbox();
const read = async () => metricSamples(await databaseRegistry.metrics());

it("counts the outbox by state and account deletions, and knows the oldest e-mail that is due", async () => {
  const now = Date.now();
  // A digest waits for its morning.
  await Notification.collection.insertOne(mail("pending", now + 9 * HOUR));
  expect(metricValue(await read(), "tour_reviews_mails_oldest_seconds")).toBe(0);
  await Notification.collection.insertMany([
    mail("pending", now - 2 * HOUR),
    mail("pending", now - 3 * HOUR),
    mail("dead", now - 9 * HOUR),
    mail("sent", now),
  ]);
  const lease = { requestedAt: new Date(), leasedUntil: new Date(now + HOUR) };
  await AccountDeletion.collection.insertOne({ _id: new Types.ObjectId(), ...lease });
  const full = await read();
  const counts = ["pending", "sent", "captured", "dead"].map((state) =>
    metricValue(full, "tour_reviews_mails", { state }),
  );
  expect(counts).toEqual([3, 1, 0, 1]);
  expect(metricValue(full, "tour_reviews_mails_oldest_seconds")).toBeGreaterThanOrEqual(3 * 3_600);
  expect(metricValue(full, "tour_reviews_mails_oldest_seconds")).toBeLessThan(3.5 * 3_600);
  expect(metricValue(full, "tour_reviews_account_deletions")).toBe(1);
});
