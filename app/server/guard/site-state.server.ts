import { connectedDatabase } from "~/db/connection.server";
import { Layout, type LayoutDocument } from "#models/layout";
import { countDeletions } from "~/personal-data/deletion-worker.server";
import { countMails, secondsSinceFirstDue } from "~/mail/outbox-metrics.server";
import { version } from "../../../package.json";

/** For an operator at the machine; times in seconds. */
export async function siteState() {
  const [server, layout, outbox, firstDue, accountDeletions] = await Promise.all([
    connectedDatabase().admin().buildInfo(),
    Layout.findById("layout").lean<LayoutDocument>(),
    countMails(),
    secondsSinceFirstDue(),
    countDeletions(),
  ]);
  return {
    version,
    database: { version: String(server.version), layout: layout?.number ?? null },
    outbox: { ...outbox, oldestPendingSeconds: Math.round(firstDue) },
    jobs: { accountDeletions },
  };
}
