import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseEnv } from "~/config/env.server";
import { DEMO_PASSWORD_HASH } from "~/accounts/log-in/demo-log-ins.server";
import { importData } from "~/import/import.server";
import { checkRatings } from "~/reviews/ratings.server";
import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { Change } from "#models/change";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { connected as connectedTo } from "../../scripts/lib/database-copy";
import { provideDemoData, removeDemoData } from "../../scripts/lib/demo-data";
import { databaseUri, emptyDatabase } from "../support/database";
import { booking, id, review, tour, user } from "../support/import-records";

// Importing the real data takes seconds; tests/scripts/commands.test.ts checks it.
vi.mock("../../scripts/demo/index", () => ({
  demoLogins: [{ email: "demo@example.test" }],
  demoData: () => ({
    users: [user(0, { email: "demo@example.test", passwordHash: DEMO_PASSWORD_HASH }), user(1)],
    tours: [tour(0, { createdById: id("a", 0) })],
    bookings: [
      booking(9, { status: "NO_SHOW", date: new Date(Date.now() - 86_400_000).toISOString() }),
    ],
    reviews: [review(0, { userId: id("a", 1), tourId: id("b", 0) })],
    replies: [
      {
        reviewId: id("d", 0),
        tourId: id("b", 0),
        userId: id("a", 0),
        text: "Thank you.",
        createdAt: "2026-01-03T00:00:00.000Z",
      },
    ],
  }),
}));

const uri = databaseUri(`demo_${process.pid}`);
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tour-reviews-demo-"));
  await connected(emptyDatabase);
});
afterEach(async () => {
  await connected(emptyDatabase);
  await rm(dataDir, { recursive: true });
});

const connected = <Result>(work: () => Promise<Result>) => connectedTo(uri, work);

const usersNow = () => connected(() => User.countDocuments());

/** Starts the site. Returns how many demo log-ins it announces, and how many users there are. */
async function start({ embedded = true, demo = false, APP_URL = "", NODE_ENV = "" } = {}) {
  const env = parseEnv({ DATA_DIR: dataDir, APP_URL, NODE_ENV, EMBEDDED_DATABASE: "true" });
  const logIns = await connected(() => provideDemoData({ embedded, env, demo }));
  return { logIns: logIns.length, users: await usersNow() };
}

const FILLED = { logIns: 1, users: 2 };
const EMPTY = { logIns: 0, users: 0 };

test("the first start fills the embedded database, and a later start leaves it empty if it was emptied", async () => {
  expect(await start()).toEqual(FILLED);
  expect(await start()).toEqual(FILLED);
  await connected(emptyDatabase);
  expect(await start()).toEqual(EMPTY);
  expect(await start({ demo: true })).toEqual(FILLED);
});

test("a database that had records at the first start is not filled later, nor mixed with the demo data", async () => {
  await connected(() => importData({ users: [user(5)] }));
  expect(await start()).toEqual({ logIns: 0, users: 1 });
  for (const embedded of [true, false])
    await expect(start({ embedded, demo: true })).rejects.toThrow(
      /^--demo is for a database without/,
    );
  expect(await usersNow()).toBe(1);
  await connected(emptyDatabase);
  expect(await start()).toEqual(EMPTY);
});

test.each([
  ["a site with a public name", { APP_URL: "https://reviews.example.com" }],
  ["a database of one's own", { embedded: false }],
  ["a production", { NODE_ENV: "production" }],
])("%s gets the demo data only on request", async (_, settings) => {
  expect(await start(settings)).toEqual(EMPTY);
  expect(await start({ ...settings, demo: true })).toEqual(FILLED);
  // As the command of a container requests it at every start.
  expect(await start({ ...settings, demo: true })).toEqual(FILLED);
});

test("a demo user who has changed their password is no demo log-in any more", async () => {
  await start();
  await connected(() =>
    User.updateOne({ email: "demo@example.test" }, { passwordHash: "$argon2id$another" }),
  );
  expect(await start()).toEqual({ logIns: 0, users: 2 });
  // They still belong to the demo data.
  expect(await start({ demo: true })).toEqual({ logIns: 0, users: 2 });
});

test("an interrupted import is completed by the next start, but only in the embedded database", async () => {
  await start();
  await writeFile(join(dataDir, "demo-data"), "loading\n");
  await connected(() => User.deleteOne({ email: "user1@example.test" }));
  // Records that a user has changed meanwhile stay.
  await connected(() => Reply.updateOne({}, { text: "Thank you both." }));
  expect(await start({ embedded: false })).toEqual({ logIns: 1, users: 1 });
  expect(await start()).toEqual(FILLED);
  expect(await connected(() => Reply.find().lean())).toMatchObject([{ text: "Thank you both." }]);
  expect(await readFile(join(dataDir, "demo-data"), "utf8")).not.toContain("loading");
});

describe("a removal", () => {
  /** A tour, a user and reviews of others, beside the demo data and attached to it. */
  const fill = () =>
    connected(() =>
      importData({
        users: [user(5), user(6)],
        tours: [tour(5, { createdById: id("a", 6) })],
        bookings: [
          booking(0, { userId: id("a", 5), tourId: id("b", 0) }),
          booking(1, { userId: id("a", 1), tourId: id("b", 5) }),
          booking(2, { userId: id("a", 5), tourId: id("b", 5) }),
        ],
        reviews: [
          review(5, { tourId: id("b", 0) }),
          review(1, { tourId: id("b", 5), rating: 1 }),
          review(7, { userId: id("a", 5), tourId: id("b", 5), rating: 4 }),
        ],
      }),
    );

  test("removes tours and users of the demo data with everything that belongs to them, and nothing else", async () => {
    await start();
    const oids = { _id: new Types.ObjectId(id("d", 0)), userId: new Types.ObjectId(id("a", 0)) };
    expect(await connected(() => Reply.find().lean())).toMatchObject([{ ...oids, editedAt: null }]);
    await fill();
    // Another guide's: it stays, unless it belongs to a tour of the demo data.
    const reply = (review: number, tour: number) => ({
      _id: id("d", review),
      tourId: id("b", tour),
      userId: id("a", 6),
      text: "Thanks.",
      createdAt: new Date(),
    });
    await connected(() => Reply.insertMany([reply(5, 0), reply(7, 5)]));
    expect(await connected(() => Absence.find().lean())).toMatchObject([
      { bookingId: new Types.ObjectId(id("c", 9)), guideId: new Types.ObjectId(id("a", 0)) },
    ]);
    expect(await connected(removeDemoData)).toEqual({ tours: 1, users: 2 });
    await connected(async () => {
      expect(await Absence.countDocuments()).toBe(0);
      expect(await Change.distinct("tourId")).toEqual([new Types.ObjectId(id("b", 5))]);
      const left = [];
      for (const { collection } of [User, Tour, Booking, Review, Reply])
        left.push((await collection.distinct("_id")).map(String));
      const [reviewLeft, replyLeft] = [[id("d", 7)], [id("d", 7)]];
      expect(left).toEqual([
        [id("a", 5), id("a", 6)],
        [id("b", 5)],
        [id("c", 2)],
        reviewLeft,
        replyLeft,
      ]);
      expect(await Tour.findOne().lean()).toMatchObject({ avgRating: 4, reviewCount: 1 });
      expect(await checkRatings()).toEqual([]);
    });
    expect(await connected(removeDemoData)).toEqual({ tours: 0, users: 0 });
    // It can be requested again, and no start loads it unasked.
    expect(await start()).toEqual({ logIns: 0, users: 2 });
    await connected(emptyDatabase);
    expect(await start({ demo: true })).toEqual(FILLED);
  });

  test("that was interrupted is completed by the next one", async () => {
    await start();
    await fill();
    const find = vi.spyOn(Booking, "deleteMany").mockImplementationOnce(() => {
      throw new Error("the disk is full");
    });
    await expect(connected(removeDemoData)).rejects.toThrow("the disk is full");
    find.mockRestore();
    expect(await connected(removeDemoData)).toEqual({ tours: 1, users: 2 });
    expect(await connected(() => Booking.countDocuments())).toBe(1);
  });
});
