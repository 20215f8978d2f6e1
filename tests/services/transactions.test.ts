import mongoose from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { requestReset, resetPassword } from "~/services/accounts/password-reset.server";
import { importData } from "~/services/import/import.server";
import { postReview } from "~/services/reviews/post.server";
import { deleteReview, deleteReviewOf } from "~/services/reviews/delete.server";
import { editReview } from "~/services/reviews/edit.server";
import { IdempotencyKey } from "../../models/idempotency-key";
import { Review } from "../../models/review";
import { Session } from "../../models/session";
import type { TourDocument } from "../../models/tour";
import type { UserDocument } from "../../models/user";
import { tokenTo } from "../support/mail";
import { sessionOf } from "../support/app";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import {
  id,
  review as reviewRecord,
  tour as tourRecord,
  user as userRecord,
} from "../support/import-records";
import { HOME } from "../support/services";

// What is all or nothing: every command of it carries the one transaction, and only limits are counted beside it.

useDatabase();

interface Sent {
  name: string;
  target: string;
  command: Record<string, unknown>;
}
let sent: Sent[] = [];
const record = ({ commandName: name, command }: CommandStartedEvent) =>
  sent.push({ name, target: String((command as Sent["command"])[name]), command });
beforeAll(() => mongoose.connection.getClient().on("commandStarted", record));
afterAll(() => mongoose.connection.getClient().off("commandStarted", record));

/**
 * Runs an operation and returns the commands of its transaction, each "name collection", once it is sure that there
 * was one transaction, that it reads a snapshot and commits to majority and journal, and that between its first
 * command and its commit nothing else was sent.
 */
async function transactionOf(operation: () => Promise<unknown>): Promise<string[]> {
  sent = [];
  await operation();
  const begins = sent.flatMap(({ command }, n) => (command.startTransaction ? [n] : []));
  const commits = sent.flatMap(({ name }, n) => (name === "commitTransaction" ? [n] : []));
  expect([begins.length, commits.length]).toEqual([1, 1]);
  const [first, commit] = [sent[begins[0]!]!, sent[commits[0]!]!];
  expect(first.command.readConcern).toMatchObject({ level: "snapshot" });
  expect(commit.command.writeConcern).toMatchObject({ w: "majority", j: true });
  const within = sent
    .slice(begins[0], commits[0]! + 1)
    .filter(({ target }) => target !== "tourReviews.rateLimits");
  const { lsid, txnNumber } = first.command;
  for (const { name, target, command } of within)
    expect([name, target, command.lsid, command.txnNumber, command.autocommit]).toEqual([
      ...[name, target, lsid, txnNumber, false],
    ]);
  return within.slice(0, -1).map(({ name, target }) => `${name} ${target}`);
}

let tour: TourDocument;
let ann: UserDocument;
beforeEach(async () => {
  tour = await makeTour();
  ann = await makeBookedExplorer(tour);
});
const body = (rating = 4) => ({ tourId: tour._id.toString(), rating });

describe("one transaction has all of", () => {
  test("a posted review", async () => {
    expect(await transactionOf(() => postReview(as(ann), body()))).toEqual(
      expect.arrayContaining([
        "aggregate bookings",
        "insert reviews",
        "insert tourReviews.notifications",
        "update tours",
      ]),
    );
  });

  test("one with a key", async () => {
    expect(await transactionOf(() => postReview(as(ann), body(), { key: "key" }))).toContain(
      "update tourReviews.idempotencyKeys",
    );
  });

  test("an edit, with what the guide's daily e-mail says of it", async () => {
    const posted = (await postReview(as(ann), body())).review.id;
    expect(await transactionOf(() => editReview(as(ann), posted, { rating: 2 }))).toEqual(
      expect.arrayContaining(["update reviews", "update tourReviews.notifications"]),
    );
  });

  test("a deletion, with the same", async () => {
    const posted = (await postReview(as(ann), body())).review.id;
    expect(await transactionOf(() => deleteReview(as(ann), posted))).toEqual(
      expect.arrayContaining(["delete reviews", "delete tourReviews.notifications"]),
    );
  });

  test("a deletion with the account", async () => {
    await postReview(as(ann), body());
    expect(await transactionOf(() => deleteReviewOf(ann._id, tour._id))).toEqual(
      expect.arrayContaining([
        ...["find reviews", "delete reviews", "delete tourReviews.notifications", "update tours"],
      ]),
    );
  });

  test("a new password by a link, with the end of all sessions", async () => {
    const gwen = await makeUser({ email: "gwen@example.test" });
    await sessionOf(gwen);
    await requestReset({ email: gwen.email }, HOME);
    const token = await tokenTo(gwen.email, "reset");
    const form = { newPassword: "seven blue boats", revokeTokens: true };
    const commands = await transactionOf(() => resetPassword(token, form, HOME));
    expect(commands).toEqual(
      expect.arrayContaining([
        ...["delete tourReviews.emailLinks", "update users", "delete tourReviews.sessions"],
        ...["delete tourReviews.accessTokens", "insert tourReviews.notifications"],
      ]),
    );
    expect(await Session.countDocuments({ userId: gwen._id })).toBe(0);
  });

  test("a tour's imported reviews", async () => {
    const users = [0, 1, 2].map((n) => userRecord(n));
    const tours = [tourRecord(0, { createdById: id("a", 2) })];
    const reviews = [0, 1].map((n) => reviewRecord(n, { userId: id("a", n), tourId: id("b", 0) }));
    await importData({ users, tours });
    const commands = await transactionOf(() => importData({ reviews }));
    expect(commands).toEqual(
      expect.arrayContaining(["find reviews", "find bookings", "insert reviews", "update tours"]),
    );
  });

  test("an imported review that moves, with the ratings of the tour that it leaves", async () => {
    const moved = (n: number) => reviewRecord(0, { tourId: id("b", n) });
    const tours = [0, 1].map((n) => tourRecord(n, { createdById: id("a", 1) }));
    await importData({ users: [userRecord(0), userRecord(1)], tours });
    await importData({ reviews: [moved(0)] });
    const commands = await transactionOf(() => importData({ reviews: [moved(1)] }));
    expect(commands.filter((command) => command === "update tours")).toHaveLength(4);
    expect(commands.filter((command) => command === "aggregate reviews")).toHaveLength(2);
  });
});

test("a key that was written goes with the transaction that does not commit", async () => {
  const written: number[] = [];
  const commit = vi
    .spyOn(mongoose.mongo.ClientSession.prototype, "withTransaction")
    .mockImplementationOnce(async function (this: mongoose.ClientSession, work) {
      return this.withTransaction(async (session) => {
        await work(session);
        written.push(await IdempotencyKey.countDocuments({}, { session: this }));
        throw new Error("cut off after the key was written");
      });
    });
  await expect(postReview(as(ann), body(), { key: "key" })).rejects.toThrow("cut off");
  commit.mockRestore();
  expect(written).toEqual([1]);
  expect([await IdempotencyKey.countDocuments(), await Review.countDocuments()]).toEqual([0, 0]);
  expect(await postReview(as(ann), body(), { key: "key" })).toMatchObject({ replayed: false });
});
