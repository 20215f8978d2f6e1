import { isArgon2 } from "~/accounts/log-in/hashing.server";
import { Emails } from "./emails.server";
import { KeyTable } from "./key-table.server";
import type { PictureFiles } from "./pictures.server";
import {
  type Entries,
  type Entry,
  type Issue,
  parseRecord,
  perKind,
  type Problems,
  type Records,
} from "./records.server";
import type { Spool } from "./spool.server";

export type ReadFile = Awaited<ReturnType<typeof readRecords>>;

const MOST_STATUSES = 1_000;

export const EMAIL_TAKEN = "is taken by another user";
export const SLUG_TAKEN = "is taken by another tour";
export const IN_FUTURE: Issue = { field: "createdAt", message: "must not be in the future" };

interface ReadOptions {
  now: Date;
  pictures: PictureFiles;
  stopped?: AbortSignal;
}

/**
 * Adds to `problems` what is wrong with each record and which of them contradict another one of the file. Ends with an
 * `AbortError` when `stopped` aborts.
 */
export async function readRecords(
  entries: Entries,
  spool: Spool,
  problems: Problems,
  { now, pictures, stopped }: ReadOptions,
) {
  const ids = perKind(() => new KeyTable());
  /** The numbers of users and tours, by their ids. */
  const numbers = { users: new Map<string, number>(), tours: new Map<string, number>() };
  const file = {
    spool,
    numbers,
    /** The numbers of a tour's reviews, by its id. */
    reviewsOf: new Map<string, number[]>(),
    /** The ids of tours with bookings. */
    booked: new Set<string>(),
    /** How many bookings there are of each status, of the first thousand statuses. */
    statuses: new Map<string, number>(),
    /** The numbers of users who take the address that others of the file have in the database. */
    takers: new Map<number, number[]>(),
    /** How many users have only a hash that no log-in here can use. */
    foreignHashes: 0,
  };
  const slugs = new Set<string>();
  const emails = new Emails();
  const addEntry = async (entry: Entry) => {
    if ("problem" in entry) return problems.add(entry.problem);
    const { kind, value, line } = entry;
    const { record, issues } = parseRecord(kind, value);
    if (kind === "users" && dropForeignHash(record)) file.foreignHashes++;
    if (kind === "tours") issues.push(...(await pictures.name(record)));
    const number = spool.add(kind, record, line);
    const report = (field: string, message: string) => problems.addTo(kind, number, field, message);
    for (const { field, message } of issues) report(field, message);
    if (record.id && ids[kind].add(record.id, number) !== undefined)
      report("id", "stands in the file twice");
    else if (record.id && (kind === "users" || kind === "tours"))
      numbers[kind].set(record.id, number);
    if (kind === "users") {
      const { email } = record as Partial<Records["users"]>;
      if (email && emails.add(email, number)) report("email", EMAIL_TAKEN);
    } else if (kind === "tours") {
      const slug = (record as Partial<Records["tours"]>).slug?.normalize();
      if (slug && slugs.has(slug)) report("slug", SLUG_TAKEN);
      else if (slug) slugs.add(slug);
    } else if (kind === "bookings") {
      const { tourId, status = "" } = record as Partial<Records["bookings"]>;
      if (tourId) file.booked.add(tourId);
      const count = file.statuses.get(status) ?? 0;
      if (count > 0 || file.statuses.size < MOST_STATUSES) file.statuses.set(status, count + 1);
    } else {
      const { tourId, createdAt } = record as Partial<Records["reviews"]>;
      if (createdAt && createdAt > now) report(IN_FUTURE.field, IN_FUTURE.message);
      const reviews = file.reviewsOf.get(tourId ?? "");
      if (reviews) reviews.push(number);
      else if (tourId) file.reviewsOf.set(tourId, [number]);
    }
  };
  for await (const some of entries) {
    stopped?.throwIfAborted();
    for (const entry of some) await addEntry(entry);
  }
  for (const number of emails.repeats()) problems.addTo("users", number, "email", EMAIL_TAKEN);
  return file;
}

/** Returns whether the user then has no password. */
function dropForeignHash(user: Partial<Records["users"]>): boolean {
  if (user.passwordHash === undefined || isArgon2(user.passwordHash)) return false;
  delete user.passwordHash;
  return user.password === undefined;
}
