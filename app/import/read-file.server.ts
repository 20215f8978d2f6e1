import { Emails } from "./emails.server";
import { KeyTable } from "./key-table.server";
import {
  ARGON2,
  type Entries,
  type Entry,
  type Kind,
  parseRecord,
  type Problems,
  type Records,
} from "./records.server";
import { Spool } from "./spool.server";

export interface ReadFile {
  spool: Spool;
  numbers: Record<"users" | "tours", KeyTable>;
  reviewsOf: Map<string, number[]>;
  booked: Set<string>;
  /** How many bookings there are of each status, of the first thousand statuses. */
  statuses: Map<string, number>;
  /** How many users have only a hash that no log-in here can use. */
  foreignHashes: number;
}

/**
 * Adds to `problems` what is wrong with each record and which of them contradict another one of the file. Ends with an
 * `AbortError` when `stopped` aborts.
 */
export async function readRecords(
  entries: Entries,
  spool: Spool,
  problems: Problems,
  { now, stopped }: { now: Date; stopped?: AbortSignal },
): Promise<ReadFile> {
  const table = () => new KeyTable();
  const ids = { users: table(), tours: table(), bookings: table(), reviews: table() };
  const file: ReadFile = {
    spool,
    // Those of bookings and reviews, which may be millions, are not needed any more once all are read.
    numbers: { users: ids.users, tours: ids.tours },
    reviewsOf: new Map(),
    booked: new Set(),
    statuses: new Map(),
    foreignHashes: 0,
  };
  const [slugs, pairs, emails] = [table(), table(), new Emails()];
  const add = (entry: Entry) => {
    if ("problem" in entry) return problems.add(entry.problem);
    const { kind, value, line } = entry;
    const { record, issues } = parseRecord(kind, value);
    const number = spool.count(kind);
    const report: Report = (field, message) =>
      problems.add(problemOf(kind, number, field, message, line));
    for (const { field, message } of issues) report(field, message);
    if (record.id && ids[kind].add(record.id, number) !== undefined)
      report("id", "stands in the file twice");
    if (kind === "users") {
      const user = record as Partial<Records["users"]>;
      if (dropForeignHash(user)) file.foreignHashes++;
      if (user.email && emails.add(user.email, number)) report("email", EMAIL_TAKEN);
    } else if (kind === "tours") {
      const { slug } = record as Partial<Records["tours"]>;
      if (slug && slugs.add(slug.normalize(), number) !== undefined) report("slug", SLUG_TAKEN);
    } else if (kind === "bookings") {
      const { tourId, status = "" } = record as Partial<Records["bookings"]>;
      if (tourId) file.booked.add(tourId);
      const count = file.statuses.get(status) ?? 0;
      if (count > 0 || file.statuses.size < MOST_STATUSES) file.statuses.set(status, count + 1);
    } else {
      const { userId, tourId, createdAt } = record as Partial<Records["reviews"]>;
      if (createdAt && createdAt > now) report("createdAt", "must not be in the future");
      if (userId && tourId && pairs.add(userId + tourId, number) !== undefined)
        report("tourId", REVIEWED);
      const reviews = file.reviewsOf.get(tourId ?? "");
      if (reviews) reviews.push(number);
      else if (tourId) file.reviewsOf.set(tourId, [number]);
    }
    spool.add(kind, record);
  };
  for await (const some of entries) {
    stopped?.throwIfAborted();
    some.forEach(add);
  }
  for (const number of emails.repeats())
    problems.add(problemOf("users", number, "email", EMAIL_TAKEN));
  return file;
}

const MOST_STATUSES = 1_000;

type Report = (field: string, message: string) => void;

export const EMAIL_TAKEN = "is taken by another user";
export const SLUG_TAKEN = "is taken by another tour";
export const REVIEWED = "is reviewed by this user already";

/** `users[3].email: must be an e-mail address`, with the line of a file in which a record is a line. */
export function problemOf(
  kind: Kind,
  number: number,
  field: string,
  message: string,
  line?: number,
): string {
  const where = `${kind}[${number}]${field && `.${field}`}`;
  return `${where}: ${message}${line === undefined ? "" : ` (line ${line})`}`;
}

/** Returns whether the user then has no password. */
function dropForeignHash(user: Partial<Records["users"]>): boolean {
  if (user.passwordHash === undefined || ARGON2.test(user.passwordHash)) return false;
  delete user.passwordHash;
  return user.password === undefined;
}
