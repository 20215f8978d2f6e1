import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { say } from "../../scripts/lib/command";
import { acquireDatabase, type EmbeddedDatabase } from "../../scripts/database/index";
import { answeringProcesses, type App } from "../support/app";
import type { SendGridStandIn } from "../support/mail";
import { serveByTwo } from "./support";

/** The keeper of the embedded database gives up if its server dies five times within a minute. */
export const DEATHS_A_KEEPER = 4;
/** How long a tour is left alone that a killed server process may have claimed, in milliseconds. */
export const CLAIM_MS = 12_000;

/** A site of two server processes on an embedded database, to which Mongoose is connected; all of them can be killed. */
export class KilledSite {
  private constructor(
    private readonly dataDir: string,
    private readonly database: EmbeddedDatabase,
    readonly app: App,
  ) {}

  static async open(
    dataDir: string,
    sendGrid: SendGridStandIn,
    settings: Record<string, string> = {},
  ): Promise<KilledSite> {
    const database = await acquireDatabase({ dataDir, onProgress: say });
    await connectDatabase(database.uri);
    const app = await serveByTwo(database.uri, {
      SENDGRID_API_KEY: "SG.of-the-crashes",
      SENDGRID_BASE_URL: sendGrid.url,
      MAIL_FROM: "reviews@example.test",
      ...settings,
    });
    return new KilledSite(dataDir, database, app);
  }

  async close(): Promise<void> {
    await this.app.stop();
    await disconnectDatabase();
    await this.database.release();
  }

  /** Kills one of the two server processes, or both; `npm start` replaces them. */
  async killServers(both: boolean): Promise<void> {
    const pids = await answeringProcesses(this.app);
    for (const pid of both ? pids : pids.slice(1)) process.kill(pid, "SIGKILL");
  }

  /** Kills the embedded database's server, which its keeper starts again at the same port. */
  async killDatabase(): Promise<void> {
    const serverPid = async () => {
      const state = await readFile(join(this.dataDir, "database.json"), "utf8");
      return (JSON.parse(state) as { serverPid: number }).serverPid;
    };
    const killed = await serverPid();
    process.kill(killed, "SIGKILL");
    while ((await serverPid()) === killed) await sleep(20);
  }
}
