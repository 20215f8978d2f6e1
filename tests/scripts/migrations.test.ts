import mongoose, { Types } from "mongoose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { postReview } from "~/reviews/post.server";
import { Change } from "#models/change";
import { IdempotencyKey } from "#models/idempotency-key";
import { Layout } from "#models/layout";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { renameFormerCollections } from "../../scripts/migrations/former-names";
import { LAYOUT, LEASE_MS, migrate } from "../../scripts/migrations/index";
import { outcome } from "../support/commands";
import { contents, databaseUri, useDatabase } from "../support/database";
import { dropDatabase } from "../support/collections";
import { as, makeBookedExplorer, makeTour, makeUser } from "../support/factories";

// A database that earlier releases wrote, brought to the present layout.

useDatabase();

const said = vi.fn();
beforeEach(() => void said.mockClear());
const upgrade = (embedded = true) => migrate({ embedded, onProgress: said });

const HOUR = 60 * 60 * 1_000;
const raw = (name: string) =>
  mongoose.connection.db!.collection<{ _id: string | Types.ObjectId } & Record<string, unknown>>(
    name,
  );
const layout = () => Layout.findById("layout").lean();

/**
 * Reviews as they were posted here before `verified` existed: by a guest with a completed booking, and by one without.
 */
async function earlierReviews() {
  const tour = await makeTour({ ratingsVersion: 2 });
  const platforms = await makeTour();
  const review = async (tourId: Types.ObjectId, userId: Types.ObjectId, fields = {}) => {
    const _id = new Types.ObjectId();
    const review = { _id, tourId, userId, rating: 4, createdAt: new Date(), ...fields };
    await raw("reviews").insertOne(review);
    return _id;
  };
  return {
    booked: await review(tour._id, (await makeBookedExplorer(tour))._id),
    stranger: await review(tour._id, (await makeUser())._id),
    looked: await review(tour._id, (await makeBookedExplorer(tour))._id, { verified: false }),
    platforms: await review(platforms._id, (await makeBookedExplorer(platforms))._id),
  };
}

const verified = async (id: Types.ObjectId) => (await Review.findById(id).lean())!.verified;

describe("an upgrade", () => {
  it("renames collections, completes e-mails and says of reviews whether they have a booking, once", async () => {
    const ids = await earlierReviews();
    await raw("sessions").insertOne({ _id: "s", data: {}, expiresAt: new Date(Date.now() + HOUR) });
    await raw("tourReviews.notifications").insertOne({
      _id: new Types.ObjectId(),
      guideId: new Types.ObjectId(),
      inputs: {},
      attempts: 1,
      state: "kept",
      createdAt: new Date(),
      dueAt: new Date(),
    });
    await upgrade();

    expect(await Session.countDocuments({ _id: "s" })).toBe(1);
    expect(await Notification.findOne().lean()).toMatchObject({
      kind: "review",
      state: "captured",
    });
    expect(await verified(ids.booked)).toBe(true);
    expect(await verified(ids.stranger)).toBeUndefined();
    // One that was checked before, and a platform's own: both are for `npm run reviews -- verify`.
    expect([await verified(ids.looked), await verified(ids.platforms)]).toEqual([false, undefined]);
    expect(await layout()).toMatchObject({ number: LAYOUT, leasedUntil: new Date(0) });
    expect(said).toHaveBeenCalledTimes(LAYOUT);

    const before = await contents();
    await upgrade();
    expect(said).toHaveBeenCalledTimes(LAYOUT);
    expect(await contents()).toEqual(before);
  });

  it("keeps Idempotency-Keys, without the words that they held", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    const body = { tourId: tour._id.toString(), rating: 4, comment: "Fine" };
    const { review } = await postReview(as(ann), body, { key: "a" });
    await raw("tourReviews.idempotencyKeys").updateOne({ key: "a" }, [
      { $set: { answer: JSON.stringify(review) } },
      { $unset: ["reviewId", "bodyHash", "createdAt", "author"] },
    ]);
    await upgrade();
    expect(await postReview(as(ann), body, { key: "a" })).toEqual({ review, replayed: true });
    expect(await raw("tourReviews.idempotencyKeys").findOne({ answer: /./ })).toBeNull();
  });

  it("begins the changes of tours that have reviews, once", async () => {
    const { booked } = await earlierReviews();
    const { tourId } = (await Review.findById(booked).lean())!;
    await upgrade();
    await Layout.updateOne({}, { number: 0 });
    await upgrade();
    expect(await Change.find().lean()).toMatchObject([
      { tourId, version: 1, type: "checkpoint", ratings: [[4, 3]], count: 3, mean: 4 },
    ]);
  });

  it("leaves collections with those names alone in a platform's database", async () => {
    await raw("sessions").insertOne({ _id: "theirs" });
    await upgrade(false);
    expect(await raw("sessions").findOne({ _id: "theirs" })).not.toBeNull();
    await raw("sessions").drop();
  });

  it("is made by one process, and others wait for it", async () => {
    const { booked } = await earlierReviews();
    await Promise.all([1, 2, 3].map(() => upgrade()));
    expect(said).toHaveBeenCalledTimes(LAYOUT);
    expect(await verified(booked)).toBe(true);
  });

  it("continues with the migration at which it was interrupted", async () => {
    const { booked } = await earlierReviews();
    const find = vi.spyOn(Tour, "find").mockImplementationOnce(() => {
      throw new Error("the disk is full");
    });
    await expect(upgrade()).rejects.toThrow("the disk is full");
    find.mockRestore();
    const { number } = (await layout())!;
    said.mockClear();
    await upgrade();
    expect(said).toHaveBeenCalledTimes(LAYOUT - number);
    expect(await verified(booked)).toBe(true);
  });

  it("is taken over from a process that has died, but from no other", async () => {
    const { booked } = await earlierReviews();
    const leasedUntil = new Date(Date.now() + LEASE_MS);
    await Layout.create({ _id: "layout", number: 0, lease: "another", leasedUntil });
    const waiting = upgrade();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(said).not.toHaveBeenCalled();
    await Layout.updateOne({ lease: "another" }, { leasedUntil: new Date(Date.now() - 1) });
    await waiting;
    expect(await verified(booked)).toBe(true);
  });
});

it("a new database has the present layout at once", async () => {
  await dropDatabase(mongoose.connection);
  await upgrade();
  expect(await layout()).toMatchObject({ number: LAYOUT });
  expect(said).not.toHaveBeenCalled();
});

it("a newer layout stops every command with one line, and is not changed", async () => {
  await Layout.create({ _id: "layout", number: LAYOUT + 1, leasedUntil: new Date(0) });
  await Review.collection.insertOne({ rating: 4 });
  const before = await contents();
  for (const command of [["start"], ["ratings", "rebuild"]] as [string, ...string[]][])
    expect(
      await outcome(command, { MONGODB_URI: databaseUri(), SESSION_SECRET: "s".repeat(43) }),
    ).toMatchObject({
      code: 1,
      errors: [
        `The database has layout ${LAYOUT + 1}, and this release of Tour Reviews knows layouts up to ${LAYOUT}: install the newer release again, or restore a backup from before the upgrade (docs/operations.md)`,
      ],
    });
  expect(await contents()).toEqual(before);
});

describe("collections with the names of an earlier version", () => {
  /** More documents than are moved at a time. */
  const SESSIONS = 250;

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

  const rename = () => renameFormerCollections(mongoose.connection.db!);
  const names = async () =>
    (await mongoose.connection.db!.collections()).map(({ collectionName }) => collectionName);

  beforeEach(async () => {
    await raw("sessions").insertMany(sessions);
    await raw("notifications").insertOne(mail);
    await raw("users").insertOne({ _id: "a user" });
  });

  it("moves every session and waiting e-mail, and nothing else, also by two commands at once", async () => {
    await Promise.all([rename(), rename()]);
    expect(await Session.find().sort({ _id: 1 }).lean()).toEqual(
      [...sessions].sort((a, b) => (a._id < b._id ? -1 : 1)),
    );
    expect(await Notification.find().lean()).toEqual([mail]);
    expect(await raw("users").find().toArray()).toEqual([{ _id: "a user" }]);
    expect(await names()).not.toContain("sessions");
    expect(await names()).not.toContain("notifications");
    const before = await contents();
    await rename();
    expect(await contents()).toEqual(before);
  });

  it("goes on where it was interrupted, and keeps what has changed since", async () => {
    await raw("tourReviews.sessions").insertMany(sessions.slice(0, 150));
    await raw("tourReviews.notifications").insertOne({
      ...mail,
      state: "sent",
      sentAt: new Date(),
    });
    await rename();
    expect(await Session.countDocuments()).toBe(SESSIONS);
    expect(await Notification.find().lean()).toMatchObject([{ state: "sent" }]);
    expect(await names()).not.toContain("sessions");
  });

  it("stops at a failure and loses nothing that it has not moved", async () => {
    const expiresAt = new Date(Date.now() + HOUR);
    const key = { userId: new Types.ObjectId(), key: "k", answer: "{}", expiresAt };
    await raw("idempotencyKeys").insertOne({ _id: new Types.ObjectId(), ...key });
    const ours = "tourReviews.idempotencyKeys";
    const db = mongoose.connection.db!;
    await db.createCollection(ours).catch(() => {});
    await db.command({ collMod: ours, validator: { answer: "something else" } });
    await expect(rename()).rejects.toThrow();
    expect(await raw("idempotencyKeys").countDocuments()).toBe(1);
    expect(await IdempotencyKey.countDocuments()).toBe(0);
    await db.dropCollection(ours);
    await rename();
    expect(await IdempotencyKey.countDocuments()).toBe(1);
  });
});
