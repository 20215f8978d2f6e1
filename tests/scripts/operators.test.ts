import { join } from "node:path";
import mongoose, { Types } from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, outcome, type Site, start, until, useCommands } from "../support/commands";

// What operators do with commands while the site runs.

useCommands();

let site: Site;
let uri: string;
beforeAll(async () => {
  site = await start(join(folder, "site"));
  uri = (await outcome(["db-uri"], site.settings)).last!;
});

const npm = (...args: [string, ...string[]]) => outcome(args, site.settings);

async function withDb<Result>(work: (db: mongoose.mongo.Db) => Promise<Result>): Promise<Result> {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    return await work(connection.db!);
  } finally {
    await connection.close();
  }
}

describe("npm run mails", () => {
  const unknown = new Types.ObjectId().toString();

  it("lists what was given up, and has the site send it again", async () => {
    const id = await withDb(async (db) => {
      const review = (await db.collection("reviews").findOne({}))!;
      const tour = (await db.collection("tours").findOne({ _id: review.tourId }))!;
      const at = new Date(Date.now() - 3 * 60 * 60 * 1_000);
      await db.collection("tourReviews.notifications").insertOne({
        ...{ _id: review._id, guideId: tour.createdById, explorerId: review.userId },
        ...{ kind: "review", state: "dead", attempts: 1, failure: "SendGrid: 400 no" },
        ...{ createdAt: at, dueAt: at, retryUntil: at, endedAt: at },
        inputs: {
          ...{ guideName: "Gwen", guideEmail: "gwen@example.test", explorerName: "Ann" },
          ...{ tourTitle: "Walk", tourSlug: "walk", rating: 5, comment: null },
        },
      });
      return review._id.toString();
    });

    const listed = await npm("mails", "list");
    expect(listed).toMatchObject({
      code: 0,
      stdout: `${id} given-up review to g…@example.test: 3 h old, 1 attempt: SendGrid: 400 no\n`,
      errors: ["0 waiting", "1 given-up"],
    });
    expect((await npm("mails", "list", "--state", "captured")).stdout).toBe("");

    const retried = await npm("mails", "retry", "--given-up");
    expect(retried).toMatchObject({
      code: 0,
      stdout: "",
      errors: ["1 due now; the running site sends it, or the next one that starts."],
    });
    const mails = () => npm("mails", "list", "--state", "captured");
    await until(async () => (await mails()).stdout.startsWith(`${id} captured review to `));
    const again = await npm("mails", "retry", id);
    expect(again).toMatchObject({
      code: 1,
      errors: [`E-mail ${id}: it was captured, because there was no SENDGRID_API_KEY`],
    });
  });

  it("refuses an id that is unknown", async () => {
    expect(await npm("mails", "retry", unknown)).toMatchObject({
      code: 1,
      stdout: "",
      errors: [`There is no e-mail ${unknown} in the outbox`],
    });
  });
});
