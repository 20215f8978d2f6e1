import type { mongo } from "mongoose";
import { Counter, Gauge, Histogram } from "prom-client";
import { log } from "~/lib/log.server";
import { processRegistry } from "~/lib/metrics.server";

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const registers = [processRegistry];

export const transactions = new Counter({
  name: "tour_reviews_transactions_total",
  help: "Transactions by how they ended; aborted ones include those that a check refused.",
  labelNames: ["result"] as const,
  registers,
});
// From the start: Prometheus does not see the increase with which a series begins.
for (const result of ["committed", "aborted"]) transactions.inc({ result }, 0);

export const transactionRetries = new Counter({
  name: "tour_reviews_transaction_retries_total",
  help: "How often a transaction began again, because another one changed the same document.",
  registers,
});

const waits = new Histogram({
  name: "tour_reviews_database_wait_seconds",
  help: "How long commands waited for a connection of the pool.",
  buckets: SECONDS,
  registers,
});

// From the pool's events: the driver's events of commands would parse each reply a second time, which slows long lists.
const commands = new Histogram({
  name: "tour_reviews_database_command_seconds",
  help: "How long commands had a connection, which is from their sending to the end of their reply.",
  buckets: SECONDS,
  registers,
});

/** The pool's connections, by address and id, and since when those in use are. */
const open = new Set<string>();
const inUse = new Map<string, number>();
let waiting = 0;

new Gauge({
  name: "tour_reviews_database_connections",
  help: "The pool's connections that are open and in use, and the commands that wait for one.",
  labelNames: ["state"] as const,
  registers,
  collect() {
    this.set({ state: "open" }, open.size);
    this.set({ state: "in_use" }, inUse.size);
    this.set({ state: "waiting" }, waiting);
  },
});

interface Connection {
  address: string;
  connectionId: number | "<monitor>";
}
const connectionKey = ({ address, connectionId }: Connection) => `${address} ${connectionId}`;

export function watchPool(client: mongo.MongoClient): void {
  open.clear();
  inUse.clear();
  waiting = 0;
  client
    .on("connectionCreated", (event) => open.add(connectionKey(event)))
    .on("connectionClosed", (event) => {
      open.delete(connectionKey(event));
      inUse.delete(connectionKey(event));
    })
    .on("connectionCheckOutStarted", () => waiting++)
    .on("connectionCheckOutFailed", () => waiting--)
    .on("connectionCheckedOut", (event) => {
      waiting--;
      waits.observe(event.durationMS / 1_000);
      // The first ones were created before anybody could listen.
      open.add(connectionKey(event));
      inUse.set(connectionKey(event), performance.now());
    })
    .on("connectionCheckedIn", (event) => {
      const began = inUse.get(connectionKey(event));
      if (began === undefined) return;
      inUse.delete(connectionKey(event));
      commands.observe((performance.now() - began) / 1_000);
    });
}

/** Logs the commands of a client with `monitorCommands` that take `slowMs` milliseconds or more. */
export function logSlowCommands(client: mongo.MongoClient, slowMs: number): void {
  const started = new Map<number, object>();
  const end = ({
    requestId,
    commandName,
    duration,
  }: mongo.CommandSucceededEvent | mongo.CommandFailedEvent) => {
    const command = started.get(requestId);
    started.delete(requestId);
    if (!command || duration < slowMs) return;
    const ms = Math.round(duration);
    log.warn({ ms, shape: commandShape(commandName, command) }, "a slow database command");
  };
  client
    .on("commandStarted", ({ requestId, command }) => started.set(requestId, command))
    .on("commandSucceeded", end)
    .on("commandFailed", end);
}

const LONGEST = 300;

/**
 * The shape of a command in logs, such as "find tours {slug}": the name, the collection and the keys of the filter, and
 * no value.
 */
export function commandShape(name: string, command: object): string {
  const { collection, filter, query, updates, deletes, pipeline, ...rest } = command as {
    [key: string]: unknown;
    updates?: { q?: object }[];
    deletes?: { q?: object }[];
    pipeline?: { $match?: object }[];
  };
  const of = name === "getMore" ? collection : rest[name];
  const looked = filter ?? query ?? updates?.[0]?.q ?? deletes?.[0]?.q ?? pipeline?.[0]?.$match;
  return [name, typeof of === "string" ? of : "", looked ? filterShape(looked) : ""]
    .filter(Boolean)
    .join(" ")
    .slice(0, LONGEST);
}

const LOGIC = new Set(["$and", "$or", "$nor"]);

/** "{a, $or: [{b}, {c}]}" of a filter. */
function filterShape(filter: object): string {
  const keys = Object.entries(filter).map(([key, value]) => {
    if (!LOGIC.has(key) || !Array.isArray(value)) return key;
    return `${key}: [${(value as object[]).map(filterShape).join(", ")}]`;
  });
  return `{${keys.join(", ")}}`;
}
