import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { checkRatings } from "~/reviews/ratings.server";
import { AccountDeletion } from "#models/account-deletion";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, sessionOf, startApp } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser, PASSWORD } from "../support/factories";

useDatabase();

test(
  "an account's deletion that kill -9 stops half-way is done after the next start",
  { timeout: 300_000 },
  async () => {
    const ann = await makeUser();
    const tours = await Promise.all(Array.from({ length: 6 }, () => makeTour()));
    const ago = (n: number) => new Date(Date.now() - n * 60_000);
    for (const [n, tour] of tours.entries()) await makeReview(ann, tour, { createdAt: ago(n) });
    const app = await startApp(databaseUri());
    // Another change of the fourth tour, which stays open: the deletion gets no further.
    const session = await Tour.startSession();
    session.startTransaction();
    await Tour.updateOne({ _id: tours[3]!._id }, { $inc: { ratingsVersion: 1 } }, { session });

    const answer = await call(app, "POST", "/me/account/delete", {
      cookie: await sessionOf(ann),
      raw: new URLSearchParams({ password: PASSWORD }),
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(await User.exists({ _id: ann._id })).toBeNull();
    const left = () => Review.countDocuments({ userId: ann._id });
    await vi.waitFor(async () => expect(await left()).toBe(3), 30_000);
    app.process.kill("SIGKILL");
    await once(app.process, "exit");
    await session.abortTransaction();
    await session.endSession();
    expect(await left()).toBe(3);
    expect(await checkRatings()).toEqual([]);
    expect(await AccountDeletion.countDocuments()).toBe(1);

    // A minute later.
    await AccountDeletion.updateMany({}, { $set: { leasedUntil: new Date() } });
    const next = await startApp(databaseUri());
    try {
      // On a busy machine a try may fail; a server of MongoDB may also keep the killed process's transaction for a minute.
      const waits = () => AccountDeletion.countDocuments();
      await expect.poll(waits, { timeout: 150_000 }).toBe(0);
      expect(await left()).toBe(0);
      expect(await checkRatings()).toEqual([]);
    } finally {
      await next.stop();
    }
  },
);
