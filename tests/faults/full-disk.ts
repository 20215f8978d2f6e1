import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { checkRatings } from "~/reviews/ratings.server";
import { findDatabase } from "../../scripts/database/index";
import { mountSmallDisk, type SmallDisk } from "../support/outages";
import type { PartReport } from "./report";
import { serveByTwo, statusOf, until, withFolder } from "./support";
import { lostReviews, Writers } from "./writers";

const DISK_MEGABYTES = 400;
const WRITERS = 20;
const TOURS = 5;
const ROUNDS = 3;
/** How many changes are acknowledged before and after each failure. */
const CHANGES = 50;

/** Fills the disk of a site's embedded database again and again under load, and kills its keeper. */
export default async function fullDisk(report: PartReport): Promise<void> {
  await withFolder(async (folder) => {
    const disk = mountSmallDisk(folder, DISK_MEGABYTES);
    if (!disk) return report.check("skipped: no file system can be mounted here", "", true);
    try {
      await prove(report, disk, join(folder, "data"));
    } finally {
      disk.unmount();
    }
  });
}

async function prove(report: PartReport, disk: SmallDisk, dataDir: string): Promise<void> {
  const site = await serveByTwo("", { DATA_DIR: dataDir });
  const uri = (await findDatabase(dataDir))!;
  await connectDatabase(uri);
  try {
    const writers = await Writers.make(WRITERS, TOURS);
    writers.start(site);
    await writers.wrote(CHANGES);
    const lines = () => site.log().match(/No space left on device: the server is started/g) ?? [];
    let told = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      await disk.fill();
      await until(() => lines().length === round);
      await until(async () => (await statusOf(site, "/healthz")) === 503);
      if ((await statusOf(site, "/livez")) === 200) told++;
      await disk.free();
      await writers.wrote(CHANGES);
    }
    const { pid } = JSON.parse(readFileSync(join(dataDir, "database.json"), "utf8")) as {
      pid: number;
    };
    process.kill(pid, "SIGKILL");
    await writers.wrote(CHANGES);
    const health = await statusOf(site, "/healthz");
    await writers.stop();
    const known = writers.acknowledged;
    const [lost, wrong] = [await lostReviews(known), await checkRatings()];
    report.check(
      `a disk that is full ${ROUNDS} times under load, and a keeper that is killed: reviews that are lost`,
      `${lost.length} of ${known.size}, ${wrong.length} ratings wrong`,
      lost.length + wrong.length === 0 && known.size === WRITERS,
    );
    report.check(
      "full disks of which the log and /healthz tell, while /livez does not mind",
      `${told} of ${ROUNDS}, then /healthz ${health}`,
      told === ROUNDS && health === 200,
    );
  } finally {
    await disconnectDatabase();
    await site.stop();
  }
}
