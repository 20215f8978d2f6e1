import mongoose, { Types } from "mongoose";
import { beforeEach, expect, it } from "vitest";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { Session } from "#models/session";
import { renameFormerCollections } from "../../scripts/migrations/former-names";
import { contents, useDatabase } from "../support/database";

useDatabase();

const HOUR = 60 * 60 * 1_000;
/** More documents than are moved at a time. */
const SESSIONS = 250;

const rename = () => renameFormerCollections(mongoose.connection.db!);
const old = (name: string) =>
  mongoose.connection.db!.collection<{ _id: unknown; [field: string]: unknown }>(name);
const names = async () =>
  (await mongoose.connection.db!.collections()).map(({ collectionName }) => collectionName);

const sessions = Array.from({ length: SESSIONS }, (_, n) => ({
  _id: `session-${n}`,
  data: { notice: "Saved" },
  expiresAt: new Date(Date.now() + HOUR),
}));
const mail = {
  _id: new Types.ObjectId(),
  guideId: new Types.ObjectId(),
  explorerId: new Types.ObjectId(),
  inputs: { tourTitle: "Old Town Walk", rating: 4, comment: null },
  state: "pending",
  createdAt: new Date(),
  dueAt: new Date(),
  attempts: 3,
};

beforeEach(async () => {
  await old("sessions").insertMany(sessions);
  await old("notifications").insertOne(mail);
  await old("users").insertOne({ _id: "a user" });
});

it("moves every session and waiting e-mail, and nothing else", async () => {
  await rename();
  expect(await Session.find().sort({ _id: 1 }).lean()).toEqual(
    [...sessions].sort((a, b) => (a._id < b._id ? -1 : 1)),
  );
  expect(await Notification.find().lean()).toEqual([mail]);
  expect(await old("users").find().toArray()).toEqual([{ _id: "a user" }]);
  expect(await names()).not.toContain("sessions");
  expect(await names()).not.toContain("notifications");

  const before = await contents();
  await rename();
  expect(await contents()).toEqual(before);
});

it("goes on where it was interrupted, and keeps what has changed since", async () => {
  await old("tourReviews.sessions").insertMany(sessions.slice(0, 150));
  await old("tourReviews.notifications").insertOne({ ...mail, state: "sent", sentAt: new Date() });
  await rename();
  expect(await Session.countDocuments()).toBe(SESSIONS);
  expect(await Notification.find().lean()).toMatchObject([{ state: "sent" }]);
  expect(await names()).not.toContain("sessions");
});

it("may be done by two commands at the same time", async () => {
  await Promise.all([rename(), rename()]);
  expect(await Session.countDocuments()).toBe(SESSIONS);
  expect(await Notification.countDocuments()).toBe(1);
  expect(await names()).not.toContain("sessions");
});

it("stops at a failure and loses nothing that it has not moved", async () => {
  const key = {
    userId: new Types.ObjectId(),
    key: "k",
    answer: "{}",
    expiresAt: new Date(Date.now() + HOUR),
  };
  await old("idempotencyKeys").insertOne({ _id: new Types.ObjectId(), ...key });
  await mongoose.connection
    .db!.command({
      create: "tourReviews.idempotencyKeys",
      validator: { answer: "something else" },
    })
    .catch(() =>
      mongoose.connection.db!.command({
        collMod: "tourReviews.idempotencyKeys",
        validator: { answer: "something else" },
      }),
    );
  await expect(rename()).rejects.toThrow();
  expect(await old("idempotencyKeys").countDocuments()).toBe(1);
  expect(await IdempotencyKey.countDocuments()).toBe(0);
  await mongoose.connection.db!.dropCollection("tourReviews.idempotencyKeys");
  await rename();
  expect(await IdempotencyKey.countDocuments()).toBe(1);
});
