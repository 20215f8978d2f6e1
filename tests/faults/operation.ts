import { appendFile, cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkRatings } from "~/reviews/ratings.server";
import { Layout } from "#models/layout";
import { Review } from "#models/review";
import { acquireDatabase, findDatabase } from "../../scripts/database/index";
import { connected } from "../../scripts/lib/database-copy";
import { verifySite } from "../../scripts/verify";
import { call } from "../support/app";
import { outcome, type Site, start, until } from "../support/commands";
import { mountSmallDisk, type SmallDisk } from "../support/outages";
import type { PartReport } from "./report";
import { endsWithThis, run, statusOf, withFolder } from "./support";
import { lostReviews, Writers } from "./writers";

const WRITERS = 200;
const TOURS = 20;
/** How many changes are acknowledged before and after each event. */
const CHANGES = 200;
/** The share of the writers that have posted when each backup begins; the last ones run during edits. */
const BACKUPS = [0.1, 0.5, 0.9];
const DISK_MEGABYTES = 800;
const FULL_DISKS = 3;

/**
 * The tasks of a site's operators over the years, one task after another, in a fresh clone, while 200 explorers write:
 * nothing acknowledged is lost.
 */
export default async function operation(report: PartReport): Promise<void> {
  await withFolder(async (folder) => {
    const mounted = join(folder, "disk");
    await mkdir(mounted);
    const disk = mountSmallDisk(mounted, DISK_MEGABYTES);
    try {
      await new Operation(report, folder, join(mounted, "data"), disk).run();
    } finally {
      disk?.unmount();
    }
  });
}

class Operation {
  readonly #clone: string;
  #site!: Site;
  #writers!: Writers;

  constructor(
    private readonly report: PartReport,
    private readonly folder: string,
    private readonly data: string,
    /** The disk of the data folder; null if none can be mounted. */
    private readonly disk: SmallDisk | null,
  ) {
    this.#clone = join(folder, "clone");
  }

  async run(): Promise<void> {
    await this.#startAndWrite();
    for (const [n, share] of BACKUPS.entries()) await this.#backUpAndRestore(n + 1, share);
    await this.#copyTheFolder();
    await this.#upgrade();
    await this.#moveToMongoDB();
    // As many as an embedded database is for: what it acknowledges while its disk is filled at once may be lost.
    this.#writers = await this.#connected(await this.#uri(this.data), () => Writers.make(20, 5));
    this.#writers.start(this.#site);
    await this.#writers.wrote(CHANGES);
    await this.#fillTheDisk();
    await this.#killTheKeeper();
    await this.#buildUnderLoad();
    await this.#writers.stop();
    await this.#stop(this.#site);
  }

  async #startAndWrite(): Promise<void> {
    const cloned = await run("git", ["clone", "--quiet", process.cwd(), this.#clone]);
    if (cloned.code !== 0) throw new Error(cloned.output);
    this.#site = await this.#start(this.data);
    this.#writers = await this.#connected(await this.#uri(this.data), () =>
      Writers.make(WRITERS, TOURS),
    );
    this.#writers.start(this.#site);
  }

  /** The site is stopped and its folder copied; then both are served at the same time. */
  async #copyTheFolder(): Promise<void> {
    await this.#writers.stop();
    await this.#stop(this.#site);
    const copy = join(this.folder, "copy");
    await cp(this.data, copy, { recursive: true });
    const acknowledged = new Map(this.#writers.acknowledged);
    this.#site = await this.#start(this.data);
    const twin = await this.#start(copy);
    this.#writers.start(this.#site);
    await this.#writers.wrote(CHANGES);
    await this.#holds("a copy of the stopped data folder, served beside the first", {
      site: twin,
      uri: await this.#uri(copy),
      acknowledged,
    });
    await this.#stop(twin);
    await this.#holds("the folder that was copied");
  }

  async #backUpAndRestore(number: number, share: number): Promise<void> {
    while (this.#writers.acknowledged.size < WRITERS * share) await sleep(100);
    const acknowledged = new Map(this.#writers.acknowledged);
    await this.#command("db-backup", [this.#backup]);
    const restored = join(this.folder, `restored-${number}`);
    await this.#command("db-restore", [this.#backup], { DATA_DIR: restored });
    const site = await this.#start(restored);
    await this.#holds(`backup ${number} of a fresh clone's site, restored elsewhere`, {
      site,
      uri: await this.#uri(restored),
      acknowledged,
    });
    await this.#stop(site);
  }

  get #backup(): string {
    return join(this.folder, "backup.tar");
  }

  /** As an earlier release leaves it: without a layout number, and without `verified`. */
  async #upgrade(): Promise<void> {
    await this.#writers.stop();
    await this.#connected(await this.#uri(this.data), async () => {
      await Layout.deleteMany({});
      await Review.updateMany({}, { $unset: { verified: 1 } });
    });
    await this.#stop(this.#site);
    this.#site = await this.#start(this.data);
    const unticked = await this.#connected(await this.#uri(this.data), () =>
      Review.countDocuments({
        _id: { $in: [...this.#writers.acknowledged.keys()] },
        verified: { $ne: true },
      }),
    );
    this.#writers.start(this.#site);
    await this.#writers.wrote(CHANGES);
    const isSaid = this.#site.stderr().includes("Upgrading the database");
    await this.#holds("the layout of an earlier release is upgraded at the start", {
      further: [`${unticked} ticks missing`, isSaid ? "said so" : "said nothing"],
      ok: unticked === 0 && isSaid,
    });
  }

  /** From the same file; a second embedded database takes the place of the operator's own. */
  async #moveToMongoDB(): Promise<void> {
    await this.#writers.stop();
    await this.#command("db-backup", [this.#backup]);
    await this.#stop(this.#site);
    const dataDir = join(this.folder, "mongodb");
    const { uri, release } = await acquireDatabase({ dataDir });
    try {
      const settings = { MONGODB_URI: uri, DATA_DIR: this.data };
      await this.#command("db-restore", [this.#backup], settings);
      const secret = await run("tar", ["-xOf", this.#backup, "session-secret"]);
      const site = await this.#start(this.data, {
        ...settings,
        SESSION_SECRET: secret.output.trim(),
      });
      this.#writers.start(site);
      await this.#writers.wrote(CHANGES);
      await this.#writers.stop();
      await this.#holds("moved to a MONGODB_URI by a backup, and written to there", { site, uri });
      await this.#stop(site);
    } finally {
      await release();
    }
    this.#site = await this.#start(this.data);
  }

  async #fillTheDisk(): Promise<void> {
    if (!this.disk) return this.report.check("a full disk: none can be mounted here", "", true);
    const said = "No space left on device: the server is started again when there is some";
    for (let round = 1; round <= FULL_DISKS; round++) {
      await this.disk.fill();
      await until(() => this.#site.stderr().split(said).length > round);
      await until(async () => (await statusOf(this.#site, "/healthz")) === 503);
      const alive = await statusOf(this.#site, "/livez");
      await this.disk.free();
      await this.#writers.wrote(CHANGES);
      await this.#holds("a disk that was full has space again", {
        further: [`/livez ${alive} meanwhile`],
        ok: alive === 200,
      });
    }
  }

  async #killTheKeeper(): Promise<void> {
    const state = await readFile(join(this.data, "database.json"), "utf8");
    process.kill((JSON.parse(state) as { pid: number }).pid, "SIGKILL");
    await this.#writers.wrote(CHANGES);
    await this.#holds("the embedded database's keeper was killed");
  }

  /**
   * The next release is built in the checkout of a running site, which serves its own build until it is restarted.
   */
  async #buildUnderLoad(): Promise<void> {
    const earlier = await lookAt(this.#site);
    await appendFile(
      join(this.#clone, "app/ui/styles/page.css"),
      ".of-the-next-release{--is-built:1}\n",
    );
    await this.#command("build", []);
    await this.#writers.wrote(CHANGES);
    const changed = [...(await lookAt(this.#site)).keys()].filter((path) => !earlier.has(path));
    await this.#holds("the next release is built while the site serves", {
      further: [`${changed.length} files are others`],
      ok: changed.length === 0,
    });
    await this.#stop(this.#site);
    this.#site = await this.#start(this.data);
    const gone: string[] = [];
    for (const path of earlier.keys())
      if ((await statusOf(this.#site, path)) !== 200) gone.push(path);
    const next = [...(await lookAt(this.#site)).keys()].filter((path) => !earlier.has(path));
    await this.#holds("and is served from the next start on", {
      further: [`${next.length} new files, ${gone.length} earlier ones gone`],
      ok: next.length > 0 && gone.length === 0,
    });
  }

  /** Reports whether a site has everything that was acknowledged, with exact ratings and correct pages. */
  async #holds(
    what: string,
    { site = this.#site, uri, acknowledged, further = [], ok = true }: Partial<Look> = {},
  ): Promise<void> {
    const known = new Map(acknowledged ?? this.#writers.acknowledged);
    const { lost, wrong } = await this.#connected(
      uri ?? (await this.#uri(this.data)),
      async () => ({ lost: await lostReviews(known), wrong: await checkRatings() }),
    );
    const { faults } = await verifySite(site.url);
    const pages = [...(await lookAt(site))]
      .filter(([, status]) => status !== 200)
      .map(([path, status]) => `${path} ${status}`);
    this.report.check(
      what,
      [
        `${lost.length} of ${known.size} reviews lost`,
        `${wrong.length} ratings wrong`,
        `${faults.length} not replayed`,
        `pages ${pages.join(", ") || "right"}`,
        ...further,
      ].join(", "),
      known.size > 0 && lost.length + wrong.length + faults.length + pages.length === 0 && ok,
    );
  }

  async #uri(dataDir: string): Promise<string> {
    const uri = await findDatabase(dataDir);
    if (!uri) throw new Error(`No database runs on ${dataDir}`);
    return uri;
  }

  #connected = <Result>(uri: string, work: () => Promise<Result>) =>
    connected(uri, work, { indexes: false });

  /** Runs a command of the clone to its end; throws with its output if it fails. */
  async #command(name: string, args: string[], settings: Record<string, string> = {}) {
    const given = { DATA_DIR: this.data, ...settings };
    const { code, errors } = await outcome([name, ...args], given, { cwd: this.#clone, npm: true });
    if (code !== 0) throw new Error(`${name}: ${errors.join("\n")}`);
  }

  async #start(dataDir: string, settings: Record<string, string> = {}): Promise<Site> {
    const given = { DATA_DIR: dataDir, LOG_LEVEL: "warn", ...settings };
    const site = await start(given, { cwd: this.#clone, npm: true });
    endsWithThis(site.child, (signal) => process.kill(-site.child.pid!, signal));
    return site;
  }

  async #stop({ child, ended }: Site): Promise<void> {
    child.kill("SIGTERM");
    await ended;
  }
}

interface Look {
  site: Site;
  uri: string;
  /** The changes that are known to be acknowledged; by default, everything acknowledged so far. */
  acknowledged: ReadonlyMap<string, number>;
  /** A description of anything else that was found, and whether it is right. */
  further: string[];
  ok: boolean;
}

/** The status of some pages, and of the scripts and styles that they name, by address. */
async function lookAt(site: Site): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const look = async (path: string): Promise<string> => {
    const { status, text } = await call(site, "GET", path);
    statuses.set(path, status);
    return text;
  };
  const home = await look("/");
  const tour = /href="(\/tours\/[^"?#]+)"/.exec(home)?.[1] ?? "/tours/missing";
  const pages = [home, await look(tour), await look("/login")];
  for (const page of pages)
    for (const [, path] of page.matchAll(/(?:href|src)="(\/build\/[^"]+)"/g))
      if (!statuses.has(path!)) await look(path!);
  return statuses;
}
