import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { checkRatings } from "~/reviews/ratings.server";
import { Review } from "#models/review";
import { acquireDatabase } from "../../scripts/database/index";
import { say } from "../../scripts/lib/command";
import type { PartReport } from "./report";
import { run, serveByTwo, withFolder } from "./support";
import { lostReviews, Writers } from "./writers";

const WRITERS = 200;
const TOURS = 20;
/** How many of the writers have posted when each backup begins; under so much load some posts may be refused. */
const SHARE = [0.1, 0.5, 0.9];

/**
 * Backups of a database that 200 explorers write to. Each is restored elsewhere, and has everything that was
 * acknowledged before it.
 */
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
      const writers = await Writers.make(WRITERS, TOURS);
      const site = await serveByTwo(uri, { DATA_DIR: dataDir });
      writers.start(site);
      let [exact, reviews] = [0, 0];
      for (let n = 0; n < SHARE.length; n++) {
        // The first backup runs during posts, the others during edits.
        while (writers.acknowledged.size < WRITERS * SHARE[n]!) await sleep(100);
        const before = new Map(writers.acknowledged);
        const into = join(folder, `restored-${n}`);
        const made = [await command("db-backup"), await command("db-restore", into)];
        for (const { code, output } of made) if (code !== 0) say(output);
        if ((await isExact(into, before)) && made.every(({ code }) => code === 0)) exact++;
        reviews += before.size;
        await connectDatabase(uri, { indexes: false });
      }
      await writers.stop();
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

/** Whether a restored data folder has everything that was acknowledged, with ratings that match. */
async function isExact(dataDir: string, acknowledged: Map<string, number>): Promise<boolean> {
  const { uri, release } = await acquireDatabase({ dataDir });
  await disconnectDatabase();
  await connectDatabase(uri, { indexes: false });
  try {
    const [lost, wrong] = [await lostReviews(acknowledged), await checkRatings()];
    if (lost.length + wrong.length > 0) {
      const found = await Review.find({ _id: { $in: lost } }, { comment: 1 }).lean();
      const expected = lost.map((id) => [id, acknowledged.get(id)]);
      say(`  ${JSON.stringify({ expected, found, wrong })}`);
    }
    return lost.length + wrong.length === 0;
  } finally {
    await disconnectDatabase();
    await release();
  }
}
