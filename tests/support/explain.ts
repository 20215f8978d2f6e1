import type { CommandStartedEvent, CommandSucceededEvent } from "mongodb";
import mongoose from "mongoose";
import type { Model } from "mongoose";
import { expect } from "vitest";
import { models } from "#models/index";

// How the database executes each of the app's commands, from its own explanation.

/** A command that reads or changes documents by a filter. */
export interface Sent {
  name: string;
  collection: string;
  command: Record<string, unknown>;
}

const EXPLAINED = ["find", "aggregate", "update", "findAndModify", "delete", "count", "distinct"];

/** The fields of a command that belong to its connection and transaction, and not to its work. */
const FRAME =
  /^(lsid|txnNumber|startTransaction|autocommit|stmtIds?|readConcern|writeConcern|maxTimeMS|\$.*)$/;

/** Calls `record` with each such event of the driver during `work`. */
async function during<Event>(
  name: "commandStarted" | "commandSucceeded",
  record: (event: Event) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const client = mongoose.connection.getClient();
  client.on(name, record as never);
  try {
    await work();
  } finally {
    client.off(name, record as never);
  }
}

/** The commands with a filter that the driver sends during `work`. */
export async function sentBy(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const record = ({ commandName: name, command }: CommandStartedEvent) => {
    if (!EXPLAINED.includes(name)) return;
    const own = Object.entries(command).filter(([field]) => !FRAME.test(field));
    sent.push({ name, collection: command[name], command: Object.fromEntries(own) });
  };
  await during("commandStarted", record, work);
  return sent;
}

/** All commands that the driver sends during `work`, each with its collection, such as `find reviews`. */
export async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const record = ({ commandName, command }: CommandStartedEvent) =>
    sent.push(`${commandName} ${String((command as Record<string, unknown>)[commandName])}`);
  await during("commandStarted", record, work);
  return sent;
}

export async function rowsOfAnswers<Stored>(
  { collection }: Model<Stored>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const rows: number[] = [];
  const record = ({ reply }: CommandSucceededEvent) => {
    const cursor = (reply as { cursor?: Answer } | undefined)?.cursor;
    if (cursor?.ns.endsWith(`.${collection.name}`))
      rows.push((cursor.firstBatch ?? cursor.nextBatch ?? []).length);
  };
  await during("commandSucceeded", record, work);
  return rows;
}

interface Answer {
  ns: string;
  firstBatch?: unknown[];
  nextBatch?: unknown[];
}

/**
 * Whether the server's explanation is true: MongoDB's is, and so is that of the embedded native server, which names
 * its engine. The default one describes plans that it does not follow.
 */
export async function explains(): Promise<boolean> {
  const { secantusVersion } = await serverInfo();
  return secantusVersion === undefined || isNativeServer();
}

/** Whether it is the embedded native server, which cannot be patched. */
export async function isNativeServer(): Promise<boolean> {
  const { secantusVersion, allocator } = await serverInfo();
  return secantusVersion !== undefined && allocator !== undefined;
}

const serverInfo = () => mongoose.connection.db!.admin().buildInfo();

export interface Plan {
  /** All stages, such as IXSCAN and SORT. */
  stages: string[];
  documents: number;
  keys: number;
}

export async function explain({ command }: Sent): Promise<Plan> {
  const found = await mongoose.connection.db!.command({
    explain: command,
    verbosity: "executionStats",
  });
  const plan: Plan = { stages: [], documents: 0, keys: 0 };
  collect(found, plan);
  if (plan.stages.length === 0) throw new Error(`No plan: ${JSON.stringify(found)}`);
  return plan;
}

/** An aggregation's plan is within its first stage; with several shards there are several plans. */
function collect(value: unknown, plan: Plan): void {
  if (typeof value !== "object" || value === null) return;
  for (const [field, inside] of Object.entries(value)) {
    if (field === "rejectedPlans" || field === "command") continue;
    if (field === "stage" && typeof inside === "string") plan.stages.push(inside);
    if (field === "totalDocsExamined") plan.documents = Math.max(plan.documents, Number(inside));
    if (field === "totalKeysExamined") plan.keys = Math.max(plan.keys, Number(inside));
    collect(inside, plan);
  }
}

/** The fields of what a command looks for: an aggregation in its first stage, an update in each of its own. */
export function fieldsOf({ command }: Sent): string[] {
  const { filter, query, pipeline, updates, deletes } = command as Record<
    string,
    Record<string, object>[] & object
  >;
  const changes = [...(updates ?? []), ...(deletes ?? [])].map(({ q }) => q);
  return [filter, query, pipeline?.[0]?.$match, ...changes].flatMap((one) =>
    Object.keys(one ?? {}),
  );
}

/** The fields by which a find sorts, each with its direction; the driver sends them as a Map. */
export const sortOf = (command: Sent["command"]) =>
  command.sort instanceof Map
    ? ([...command.sort] as [string, number][])
    : Object.entries((command.sort ?? {}) as Record<string, number>);

/**
 * The index of the models that serves this find without sorting: it begins with the fields that the find compares
 * with one value, in any order, followed by those of its sort, in their directions or all reversed.
 */
export function indexInOrder({ collection, command }: Sent): string | undefined {
  const filter = command.filter as Record<string, unknown>;
  const sort = sortOf(command);
  if (sort.length === 0) return undefined;
  const equal = Object.keys(filter).filter((field) => isOneValue(filter[field]));
  const model = models.find((model) => model.collection.name === collection);
  const found = model?.schema.indexes().find(([fields]) => {
    const keys = Object.entries(fields);
    const rest = keys.slice(equal.length);
    const turned = Number(rest[0]?.[1]) * sort[0]![1];
    return (
      keys.slice(0, equal.length).every(([field]) => equal.includes(field)) &&
      rest.length === sort.length &&
      sort.every(([field, direction], at) => {
        return rest[at]![0] === field && Number(rest[at]![1]) === direction * turned;
      })
    );
  });
  return found && JSON.stringify(found[0]);
}

const isOneValue = (condition: unknown) =>
  condition instanceof mongoose.Types.ObjectId ||
  typeof condition !== "object" ||
  (condition !== null && "$eq" in condition);

/**
 * None reads a collection, and each reads at most so many documents, an aggregation `aggregated`. None has an operator
 * beside its fields, for which the embedded database reads all.
 */
export async function expectReads(
  sent: Sent[],
  documents: number,
  { aggregated = documents } = {},
): Promise<void> {
  expect(sent).not.toEqual([]);
  const operators = (one: Sent) => fieldsOf(one).some((field) => field.startsWith("$"));
  expect(sent.filter(operators)).toEqual([]);
  if (!(await explains())) return;
  for (const one of sent) {
    const plan = await explain(one);
    const what = JSON.stringify(one.command);
    expect(plan.stages, what).not.toContain("COLLSCAN");
    const most = one.name === "aggregate" ? aggregated : documents;
    expect(plan.documents, what).toBeLessThanOrEqual(most);
  }
}
