import { setTimeout as sleep } from "node:timers/promises";
import mongoose, { mongo } from "mongoose";
import { withDatabaseName } from "~/config/mongodb-uri";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { dropDatabase } from "../support/collections";
import { fillPlatform, foreignBytes, visitPlatform } from "../support/platform";
import type { PartReport } from "./report";
import { serve, withDatabase } from "./support";

/** The database deletes expired documents once a minute, and completion looks every 15 seconds. */
const WAIT_MS = 130_000;

/** The app as a guest in a platform's database, which keeps collections of names like ours. */
export default async function platform(report: PartReport): Promise<void> {
  await withDatabase(async (server) => {
    await disconnectDatabase();
    const uri = withDatabaseName(server, `platform_${process.pid}`);
    const client = await mongo.MongoClient.connect(uri);
    const db = client.db();
    try {
      const own = await fillPlatform(db);
      const before = await foreignBytes(db);
      const app = await serve(uri, { BOOKING_COMPLETION: "platform" });
      await connectDatabase(uri);
      const { wrong, answers } = await visitPlatform(app, own);
      report.check(
        "every page and operation on a platform's database with malformed records",
        `${answers} answers, ${wrong.length} wrong ${wrong.join("; ").slice(0, 500)}`.trim(),
        wrong.length === 0,
      );
      await sleep(WAIT_MS);
      const after = await foreignBytes(db);
      const changed = Object.keys({ ...before, ...after }).filter(
        (key) => before[key] !== after[key],
      );
      report.check(
        `foreign documents and indexes that are another byte ${WAIT_MS / 1_000} s later`,
        `${changed.length} of ${Object.keys(before).length} ${changed.join(", ").slice(0, 500)}`.trim(),
        changed.length === 0,
      );
      await app.stop();
    } finally {
      await dropDatabase(mongoose.connection).catch(() => {});
      await client.close();
    }
  });
}
