import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/infra/database.server";
import { checkRatings } from "~/store/reviews/ratings.server";
import { Booking, COMPLETED } from "../../models/booking";
import { Review } from "../../models/review";
import { User } from "../../models/user";
import { acquireDatabase } from "../../scripts/database/index";
import { say } from "../../scripts/lib/command";
import { call, tokenOf } from "../support/app";
import { makeTour } from "../support/factories";
import { touchTokens } from "../support/mutations";
import type { PartReport } from "./report";
import { eachOf, run, serveByTwo, withFolder } from "./support";

const WRITERS = 200;
const TOURS = 20;
/** How many of the writers have posted when each backup begins; some may be refused under so much load. */
const SHARE = [0.1, 0.5, 0.9];

/** Backups of a database that 200 explorers write to; restored elsewhere, each has all that was acknowledged before. */
export default async function backup(report: PartReport): Promise<void> {
  await withFolder(async (folder) => {
    const dataDir = join(folder, "data");
    const { uri, release } = await acquireDatabase({ dataDir, onProgress: say });
    const command = (name: string, into = dataDir) =>
      run(process.execPath, ["scripts/run.mjs", name, join(folder, "backup.tar")], {
        env: { DATA_DIR: into, MONGODB_URI: "" },
      });
    try {
      await connectDatabase(uri);
      const tokens = await makeWriters();
      const site = await serveByTwo(uri, { DATA_DIR: dataDir });
      /** The comment that was acknowledged last, a number that grows, by review. */
      const acknowledged = new Map<string, number>();
      let running = true;
      const writing = eachOf(tokens, WRITERS, async ({ token, tourId }) => {
        const body = { tourId, rating: 5, comment: "0" };
        const posted = await call<Posted>(site, "POST", "/api/reviews", { token, body });
        const id = posted.json?.review?.id;
        if (!id) return;
        acknowledged.set(id, 0);
        for (let n = 1; running; n++) {
          const edit = { rating: 1 + (n % 5), comment: String(n) };
          const options = { token, body: edit };
          const { status } = await call(site, "PATCH", `/api/reviews/${id}`, options);
          if (status === 200) acknowledged.set(id, n);
        }
      });
      let [exact, reviews] = [0, 0];
      for (let n = 0; n < SHARE.length; n++) {
        // The first one meets posts, the others edits.
        while (acknowledged.size < WRITERS * SHARE[n]!) await sleep(100);
        const before = new Map(acknowledged);
        const into = join(folder, `restored-${n}`);
        const made = [await command("db-backup"), await command("db-restore", into)];
        for (const { code, output } of made) if (code !== 0) say(output);
        const found = await restoredReviews(into);
        const lost = [...before].filter(([id, least]) => !(found.reviews.get(id)! >= least));
        if (lost.length === 0 && found.mismatches === 0 && made.every(({ code }) => code === 0))
          exact++;
        reviews += before.size;
        await connectDatabase(uri, { indexes: false });
      }
      running = false;
      await writing;
      await site.stop();
      report.check(
        `backups while ${WRITERS} explorers write, restored elsewhere: all that was acknowledged before, ratings that match`,
        `${exact} of ${SHARE.length} (${reviews} reviews)`,
        exact === SHARE.length && reviews > 0,
      );
    } finally {
      await disconnectDatabase();
      await release();
    }
  });
}

type Posted = { review?: { id: string } };

async function makeWriters() {
  const tours = await Promise.all(Array.from({ length: TOURS }, () => makeTour()));
  const users = await User.insertMany(
    Array.from({ length: WRITERS }, (_, n) => ({ name: `E${n}`, email: `${n}@backup.test` })),
  );
  const tourOf = (n: number) => tours[n % TOURS]!._id;
  await Booking.insertMany(
    users.map(({ _id }, n) => ({ userId: _id, tourId: tourOf(n), status: COMPLETED })),
  );
  const tokens = await Promise.all(users.map((user) => tokenOf(user)));
  await touchTokens();
  return tokens.map((token, n) => ({ token, tourId: tourOf(n).toString() }));
}

/** What a restored data folder has: the number that each review's comment is, and the tours that do not match. */
async function restoredReviews(dataDir: string) {
  const { uri, release } = await acquireDatabase({ dataDir });
  await disconnectDatabase();
  await connectDatabase(uri, { indexes: false });
  try {
    const found = await Review.find().lean();
    const reviews = new Map(found.map(({ _id, comment }) => [_id.toString(), Number(comment)]));
    return { reviews, mismatches: (await checkRatings()).length };
  } finally {
    await mongoose.disconnect();
    await release();
  }
}
