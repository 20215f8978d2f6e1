import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { checkRatings } from "~/reviews/ratings.server";
import { acquireDatabase, type EmbeddedDatabase } from "../../scripts/database/index";
import { say } from "../../scripts/lib/command";
import { progressBar } from "../../scripts/lib/progress";
import { answeringProcesses, type App } from "../support/app";
import { random } from "../support/factories";
import { type SendGridStandIn, startSendGrid } from "../support/mail";
import type { PartReport } from "./report";
import { serveByTwo, withFolder } from "./support";

/** The keeper of the embedded database gives up if its server dies five times within a minute. */
const DEATHS_A_KEEPER = 4;
/** How long a tour is left alone that a killed server process may have claimed, in milliseconds. */
const CLAIM_MS = 12_000;
/** Its keeper starts the database again long before; it gives up when another program has taken the port. */
const START_MS = 60_000;
export const CLIENTS = 16;

/** Something that clients change; no two clients do so at a time. */
interface Item {
  tour: { restsUntil: number };
  busy: boolean;
}

/**
 * A site of two server processes on an embedded database. They are killed while clients change its data, and after
 * each kill the data is compared with what was acknowledged.
 */
export abstract class KilledSite<Changed extends Item> {
  protected abstract readonly kills: ("servers" | "database")[];
  /** How many changes are acknowledged at least; with fewer nothing is proven. */
  protected readonly least: number = 300;
  protected readonly items: Changed[] = [];
  protected app!: App;
  #database!: EmbeddedDatabase;
  #running = false;
  #done = 0;
  #unknown = 0;
  #looks = 0;
  readonly #inexact: string[] = [];
  protected readonly lost: string[] = [];
  /** Answers that nothing explains. */
  protected readonly refused: string[] = [];
  protected readonly draw: () => number;

  constructor(
    seed: number,
    private readonly dataDir: string,
    protected readonly sendGrid: SendGridStandIn,
    private readonly settings: Record<string, string> = {},
  ) {
    this.draw = random(seed);
  }

  /** Fills the database, and `items`. */
  protected abstract make(): Promise<void>;
  /** Makes one change of an item, or notes that its outcome is unknown. */
  protected abstract change(item: Changed): Promise<void>;
  /** Compares what is stored with what was acknowledged, while nothing is being changed. */
  protected abstract look(): Promise<void>;
  /** Reports what only this proof looks at. */
  protected abstract conclude(report: PartReport): Promise<void>;

  async run(report: PartReport): Promise<void> {
    const progress = progressBar("kills");
    await this.#open();
    try {
      await this.make();
      let deaths = 0;
      for (const [n, target] of this.kills.entries()) {
        if (target === "database" && ++deaths > DEATHS_A_KEEPER) {
          await this.#close();
          await this.#open();
          deaths = 1;
        }
        this.#running = true;
        const clients = Array.from({ length: CLIENTS }, () => this.#client());
        const watcher = this.#watch();
        await sleep(300 + this.draw() * 900);
        await (target === "servers" ? this.#killServers() : this.#killDatabase());
        this.#running = false;
        await Promise.all([...clients, watcher]);
        // By then everything has arrived that was on its way to the database when its sender died or gave up.
        await sleep(500);
        await this.look();
        this.#compare(await checkRatings());
        progress(n + 1, this.kills.length);
      }
      await this.#goOn();
      this.#report(report);
      await this.conclude(report);
    } finally {
      this.#running = false;
      await this.#close();
    }
  }

  /** Makes what is missing of the changes, without further kills. */
  async #goOn(): Promise<void> {
    this.#running = true;
    const clients = Array.from({ length: CLIENTS }, () => this.#client());
    while (this.#done < this.least) await sleep(100);
    this.#running = false;
    await Promise.all(clients);
    await this.look();
    this.#compare(await checkRatings());
  }

  async #open(): Promise<void> {
    this.#database = await acquireDatabase({ dataDir: this.dataDir, onProgress: say });
    await connectDatabase(this.#database.uri);
    this.app = await serveByTwo(this.#database.uri, {
      SENDGRID_API_KEY: "SG.of-the-crashes",
      SENDGRID_BASE_URL: this.sendGrid.url,
      MAIL_FROM: "reviews@example.test",
      ...this.settings,
    });
  }

  async #close(): Promise<void> {
    await this.app.stop();
    await disconnectDatabase();
    await this.#database.release();
  }

  /** Makes one change after another until the load ends. */
  async #client(): Promise<void> {
    while (this.#running) {
      const item = this.oneOf(this.items);
      if (item.busy || item.tour.restsUntil > Date.now()) {
        await sleep(1);
        continue;
      }
      item.busy = true;
      // The reads before a change fail while the database is dead.
      await this.change(item).catch(() => sleep(20));
      item.busy = false;
    }
  }

  protected oneOf = <One>(list: readonly One[]): One =>
    list[Math.floor(this.draw() * list.length)]!;

  /** Whether the change was acknowledged; otherwise its outcome is unknown. */
  protected async isDone(answer: { status: number } | null): Promise<boolean> {
    const isDone = answer !== null && answer.status < 400;
    if (isDone) this.#done++;
    else this.#unknown++;
    // There was no answer because the app is dead: the next request is for its successor.
    if (!answer) await sleep(20);
    return isDone;
  }

  /** Kills one of the two server processes, while the other continues under the load, or both. They are replaced. */
  async #killServers(): Promise<void> {
    const both = this.draw() < 0.5;
    const pids = await answeringProcesses(this.app);
    for (const pid of both ? pids : pids.slice(1)) process.kill(pid, "SIGKILL");
    const restsUntil = Date.now() + CLAIM_MS;
    for (const { busy, tour } of this.items) if (busy) tour.restsUntil = restsUntil;
    if (both) this.#running = false;
    await answeringProcesses(this.app);
  }

  /** Kills the database's server, which its keeper starts again at the same port; the same load continues. */
  async #killDatabase(): Promise<void> {
    const serverPid = async () => {
      const state = await readFile(join(this.dataDir, "database.json"), "utf8");
      return (JSON.parse(state) as { serverPid: number }).serverPid;
    };
    const killed = await serverPid();
    process.kill(killed, "SIGKILL");
    for (const began = Date.now(); (await serverPid()) === killed; await sleep(20))
      if (Date.now() - began > START_MS) throw new Error("The database was not started again");
    const before = this.#done;
    for (let wait = 0; wait < 200 && this.#done < before + CLIENTS; wait++) await sleep(50);
  }

  /** Checks the aggregates while changes are being made. */
  async #watch(): Promise<void> {
    while (this.#running) {
      const mismatches = await checkRatings().catch(() => null);
      if (mismatches) this.#compare(mismatches);
      await sleep(200);
    }
  }

  #compare(mismatches: object[]): void {
    this.#looks++;
    this.#inexact.push(...mismatches.map((mismatch) => JSON.stringify(mismatch)));
  }

  #report(report: PartReport): void {
    const count = (target: string) => this.kills.filter((kill) => kill === target).length;
    report.check(
      `${count("servers")} kill -9 of one or both of two processes, ${count("database")} of the database: acknowledged changes that are lost`,
      `${this.lost.length} of ${this.#done} (${this.#unknown} without an answer)`,
      this.lost.length === 0 && this.#done >= this.least,
    );
    this.checkNone(report, "answers that nothing explains", this.refused);
    const looks = ` at ${this.#looks} looks`;
    this.checkNone(report, "aggregates that differ, at any look", this.#inexact, looks);
    for (const line of this.lost.slice(0, 5)) say(`  ${line}`);
  }

  /** Reports how many of these were found, and shows the first ones. */
  protected checkNone(report: PartReport, what: string, found: string[], more = ""): void {
    for (const line of found.slice(0, 5)) say(`  ${line}`);
    report.check(what, `${found.length}${more}`, found.length === 0);
  }
}

/** Runs such a proof with a folder of its own and a stand-in for SendGrid. */
export async function proveWithKills(
  report: PartReport,
  Proof: new (dataDir: string, sendGrid: SendGridStandIn) => Pick<KilledSite<Item>, "run">,
): Promise<void> {
  const sendGrid = await startSendGrid();
  try {
    await withFolder((dataDir) => new Proof(dataDir, sendGrid).run(report));
  } finally {
    sendGrid.close();
  }
}
