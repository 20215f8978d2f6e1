import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { Types } from "mongoose";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { RETRY_MS } from "~/mail/outbox.server";
import { resend } from "~/reviews/webhooks/addresses.server";
import { AccountDeletion } from "#models/account-deletion";
import { Notification } from "#models/notification";
import { Webhook } from "#models/webhook";
import { freePort } from "../../scripts/lib/ports";
import {
  answeringProcesses,
  type App,
  call,
  imported,
  readMetrics,
  startSite,
  metricValue,
} from "../support/app";
import { until } from "../support/commands";
import { databaseUri, useDatabase } from "../support/database";
import { type DatabaseProxy, startDatabaseProxy } from "../support/outages";
import { type SendGridStandIn, startSendGrid } from "../support/mail";
import { addEntry, KEY, secretOf } from "../support/webhooks";

// Each alert of deploy/alerts.yml fires when its cause is there, and not before. One site goes through all causes, in
// the order of CAUSES.

useDatabase();

/** The expressions of the alerts, by name. */
const ALERTS = new Map(
  [...readFileSync("deploy/alerts.yml", "utf8").matchAll(/- alert: (\w+)\n +expr: (.+)/g)].map(
    ([, name, expression]) => [name!, expression!],
  ),
);

type Samples = Awaited<ReturnType<typeof readMetrics>>;

/**
 * Whether the expression is true. It computes less than Prometheus: a rate or an increase is the difference between
 * the two times, a ratio of nothing to nothing is false, and labels do not matter.
 */
function fires(expression: string, [before, after]: [Samples, Samples]): boolean {
  const SELECTOR = /\b([a-z]\w+)(?:\{([^}]*)\})?(\[\w+\])?(?=[\s)]|$)/g;
  const arithmetic = expression
    .replace(/ignoring\(\w+\)/g, "")
    .replace(SELECTOR, (_, name: string, selected = "", range?: string) => {
      if (name === "up") return after ? "1" : "0";
      const labels = Object.fromEntries(
        [...String(selected).matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label!, of!]),
      );
      const now = metricValue(after ?? [], name, labels);
      const earlier = range ? (metricValue(before ?? [], name, labels) ?? 0) : 0;
      return now === undefined ? "NaN" : String(now - earlier);
    })
    .replace(/\b(sum|rate|increase)\b/g, "");
  if (!/^[\d\s.()+*/<>=e-]+$/.test(arithmetic.replaceAll("NaN", "")))
    throw new Error(`What this test cannot compute: ${arithmetic}`);
  // Contains only numbers and operators.
  return runInNewContext(arithmetic) as boolean;
}

const mail = (fields: object = {}) => ({
  _id: new Types.ObjectId(),
  kind: "account",
  state: "pending",
  attempts: 0,
  mail: { to: { email: "a@example.test" }, subject: "x", text: "x", html: "x" },
  createdAt: new Date(),
  dueAt: new Date(),
  retryUntil: new Date(Date.now() + RETRY_MS),
  ...fields,
});
const nextMonth = () => new Date(Date.now() + 30 * 24 * 3_600_000);

let site: App;
let port: number;
let database: DatabaseProxy;
let sendGrid: SendGridStandIn;

/** Nobody listens there. */
const WEBHOOK = "http://127.0.0.1:9/";

/** Keeps the processor busy for as many milliseconds as the path says. */
const BLOCKED_MS = 3_000;

beforeAll(async () => {
  database = await startDatabaseProxy(databaseUri());
  sendGrid = await startSendGrid();
  port = await freePort();
  site = await startSite(database.uri, {
    METRICS_PORT: String(port),
    SENDGRID_API_KEY: "SG.key",
    SENDGRID_BASE_URL: sendGrid.url,
    MAIL_FROM: "reviews@example.test",
    WEBHOOK_URLS: WEBHOOK,
    WEBHOOK_SECRET: secretOf(KEY),
    ...imported(`
      const { URL } = globalThis;
      globalThis.URL = class extends URL {
        constructor(url, base) {
          super(url, base);
          if (globalThis.blocked || !String(url).includes("/block-it")) return;
          globalThis.blocked = true;
          for (const end = Date.now() + ${BLOCKED_MS}; Date.now() < end;);
        }
      };`),
  });
});
afterAll(async () => {
  await database.restore();
  await site.stop();
  await database.close();
  sendGrid.close();
});

const askDatabase = (count: number) =>
  Promise.allSettled(
    Array.from({ length: count }, () => call(site, "GET", `/api/reviews/${"0".repeat(24)}`)),
  );
const restore = async () => {
  await database.restore();
  await until(
    async () => metricValue((await readMetrics(port))!, "tour_reviews_database_up") === 1,
  );
};

/** Creates the cause of an alert. Returns what ends that cause, if it would disturb the next one. */
type Cause = () => Promise<void | (() => unknown)>;

const CAUSES: Record<string, Cause> = {
  MailsLate: async () => {
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000 + RETRY_MS);
    const late = mail({ dueAt: nextMonth(), retryUntil: twoHoursAgo });
    await Notification.collection.insertOne(late);
  },
  WebhookBehind: async () => {
    await until(async () => (await Webhook.countDocuments()) === 1);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await addEntry(hoursAgo(2));
    await resend(WEBHOOK, hoursAgo(3));
  },
  AccountDeletionStuck: async () => {
    const job = { _id: new Types.ObjectId(), requestedAt: new Date(), leasedUntil: nextMonth() };
    await AccountDeletion.collection.insertOne(job);
  },
  MailsFail: async () => {
    sendGrid.answer = () => 500;
    await Notification.collection.insertOne(mail());
  },
  MailsGivenUp: async () => {
    sendGrid.answer = () => 400;
    await Notification.collection.insertOne(mail());
  },
  EventLoopBlocked: async () => void (await call(site, "GET", "/block-it")),
  ProcessMissing: async () => {
    const [one] = await answeringProcesses(site);
    process.kill(one!, "SIGSTOP");
    return () => process.kill(one!, "SIGCONT");
  },
  RequestsFail: async () => {
    await database.cut();
    await askDatabase(5);
    return restore;
  },
  DatabaseDown: async () => {
    await database.cut();
    return restore;
  },
  FailuresLogged: async () => {
    await database.cut();
    await askDatabase(12);
    return restore;
  },
  RequestsSlow: async () => {
    database.hang();
    await askDatabase(5);
    return restore;
  },
  DatabaseConnectionsUsedUp: async () => {
    // For less than the two seconds after which it would count as unreachable.
    database.hang();
    const asked = askDatabase(100);
    await sleep(1_200);
    await restore();
    await asked;
  },
  ProcessesReplaced: async () => {
    for (const pid of await answeringProcesses(site)) process.kill(pid, "SIGKILL");
  },
  SiteDown: async () => void (await site.stop()),
};

it("knows the cause of each alert", () => {
  expect(Object.keys(CAUSES).sort()).toEqual([...ALERTS.keys()].sort());
});

test.each(Object.entries(CAUSES))("%s fires when its cause is there", async (name, cause) => {
  const expression = ALERTS.get(name)!;
  let before: Samples = null;
  // Not yet: first, what the previous cause has left behind must be over.
  await until(async () => {
    before = await readMetrics(port);
    return !fires(expression, [before, await readMetrics(port)]);
  });
  const end = await cause();
  await until(async () => fires(expression, [before, await readMetrics(port)]));
  await end?.();
});
