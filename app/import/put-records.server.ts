import type { ClientSession } from "mongoose";
import type { UserDocument } from "#models/user";
import { platformId } from "~/db/platform-ids.server";
import { BusyError, ServiceError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { isAborted, requestScope } from "~/lib/request-scope.server";
import { texts } from "~/lib/refusal-texts";
import { isObject } from "~/lib/validation.server";
import { notifications } from "~/mail/delivery.server";
import { findOtherEmails } from "./emails.server";
import { exchangeEmails, exchangeSlugs } from "./exchanges.server";
import { replaceAccess } from "./new-access.server";
import { PUT_KINDS, putRecord, type PutResult } from "./put-record.server";
import { putReview } from "./put-review.server";
import { EMAIL_TAKEN, SLUG_TAKEN } from "./read-file.server";
import { KINDS, requireObject, parseRecord, type Records } from "./records.server";
import { ownersOfSlug } from "./slugs.server";

export const MOST_RECORDS = 100;

/** Longer texts of a bad record are not repeated in its result. */
const LONGEST_NAME = 100;

interface Result {
  /** The line of the body, or the place in a list, from 1. */
  line: number;
  type?: string;
  id?: string;
  result?: PutResult["result"];
  allowsReview?: false;
  error?: string;
}

/** A record of a body. Its result says that it came too late until there is another result. */
export interface SentRecord {
  /** The parsed object; undefined if the line is not a JSON object. */
  value: Record<string, unknown> | undefined;
  result: Result;
}

/**
 * Returns the records of NDJSON or of a list of JSON, each with its `type`. Throws `ServiceError` 400 without any, and
 * for more than a hundred.
 */
export function readBodyOfRecords(text: string): SentRecord[] {
  const records = isList(text) ? recordsOfList(text) : recordsOfLines(text);
  if (!records || records.length === 0 || records.length > MOST_RECORDS)
    throw new ServiceError(400, texts.tooManyRecords);
  return records;
}

export const isList = (text: string) => text.trimStart().startsWith("[");

function recordsOfList(text: string): SentRecord[] | undefined {
  const list = parsed(text);
  return Array.isArray(list) ? list.map((value, at) => sentRecord(value, at + 1)) : undefined;
}

const recordsOfLines = (text: string): SentRecord[] =>
  text
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [sentRecord(parsed(line), at + 1)]));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sentRecord(found: unknown, line: number): SentRecord {
  const value = isObject(found) ? found : undefined;
  const id = Number.isSafeInteger(value?.id) ? String(value?.id) : value?.id;
  const named = { line, ...shortTexts({ type: value?.type, id }) };
  return { value, result: { ...named, error: texts.recordLate } };
}

const shortTexts = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => typeof value === "string" && value.length <= LONGEST_NAME,
    ),
  );

/** Stores the records one after another, each by itself, and gives each its result as soon as there is one. */
export async function putRecords(records: SentRecord[]): Promise<void> {
  const moved = new Set<string>();
  for (const [at, record] of records.entries()) {
    // The answer has said already that this one and those after it are late.
    if (isAborted(requestScope.getStore())) throw new BusyError();
    const { error: _, ...named } = record.result;
    record.result = { ...named, ...(await storeOrExchange(record, records.slice(at + 1), moved)) };
  }
}

/**
 * Stores a record. Where it takes an address or a slug from others, which follow it, they exchange theirs, and their ids
 * are added to `moved`.
 */
async function storeOrExchange(
  { value }: SentRecord,
  others: SentRecord[],
  moved: Set<string>,
): Promise<Partial<Result>> {
  try {
    const sent = requireObject(value);
    const stored = await putSentRecord(sent).catch(async (error: unknown) => {
      if (!isTaken(error)) throw error;
      const exchanged = await exchangeTaken(sent, others);
      if (exchanged.length === 0) throw error;
      for (const id of exchanged) moved.add(id);
      return putSentRecord(sent);
    });
    const isMoved = stored.result === "unchanged" && moved.has(platformId(sent.id) ?? "");
    return { ...stored, ...(isMoved && { result: "changed" }) };
  } catch (error) {
    if (error instanceof ServiceError) return { error: error.message };
    log.error({ err: error }, texts.recordFailed);
    return { error: texts.recordFailed };
  }
}

async function putSentRecord(value: Record<string, unknown>): Promise<Omit<PutResult, "tag">> {
  const id = value.id as string;
  if (value.type === "reviews") return { result: await putReview(id, value) };
  const kind = PUT_KINDS.find((known) => known === value.type);
  if (!kind) throw new ServiceError(400, `type: must be ${KINDS.join(", ")}`);
  const { tag: _, ...result } = await putRecord(kind, id, value);
  return result;
}

const isTaken = (error: unknown) =>
  error instanceof ServiceError &&
  [`email: ${EMAIL_TAKEN}`, `slug: ${SLUG_TAKEN}`].includes(error.message);

/**
 * Exchanges addresses or slugs: where all owners of those that the record takes are among the others, with other ones,
 * each gets what its record says. Returns their ids; none otherwise.
 */
async function exchangeTaken(
  sent: Record<string, unknown>,
  others: SentRecord[],
): Promise<string[]> {
  const { type } = sent;
  const good = new Map<string, ExchangedRecord>();
  // Of several records of one id the first counts.
  for (const value of [sent, ...others.map((other) => other.value)].reverse()) {
    const { record, issues } = parseRecord(type as "users" | "tours", value);
    if (record.id && value?.type === type && issues.length === 0)
      good.set(record.id, record as ExchangedRecord);
  }
  const taker = good.get(platformId(sent.id) ?? "");
  if (!taker) return [];
  const group = [taker];
  const has = (id: string) => group.some((one) => one.id === id);
  for (const one of group)
    for (const owner of (await findOwners(one)).filter((id) => !has(id))) {
      const record = good.get(owner);
      if (!record) return [];
      group.push(record);
    }
  if (type === "tours") await exchangeSlugs(group as Records["tours"][]);
  else {
    const moved = (before: UserDocument, newEmail: string, session: ClientSession) =>
      replaceAccess({ ...before }, { password: false, newEmail }, session);
    await exchangeEmails(group as Records["users"][], { moved });
  }
  notifications.wake();
  return group.map(({ id }) => id);
}

type ExchangedRecord = Records["users"] | Records["tours"];

async function findOwners(record: ExchangedRecord): Promise<string[]> {
  if ("slug" in record) return ownersOfSlug(record.slug, record.id);
  return (await findOtherEmails([{ ...record, number: 0 }])).get(0) ?? [];
}
