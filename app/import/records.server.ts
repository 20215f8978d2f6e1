import { z } from "zod";
import { LONGEST_TOUR, MOST_DATES } from "#models/tour";
import { isTooCostly, TOO_COSTLY } from "~/accounts/log-in/hashing.server";
import { batches } from "~/db/batches";
import { ServiceError } from "~/lib/errors.server";
import { ExpectedError } from "~/config/expected-error";
import { isObject } from "~/lib/validation.server";
import { COMMENT_MAX_LENGTH } from "~/lib/review-limits";
import type { Content } from "~/reviews/content";
import {
  bookingUrl,
  date,
  email,
  facts,
  id,
  image,
  integer,
  LABEL_MAX_LENGTH,
  name,
  notEmpty,
  number,
  orAbsent,
  password,
  reviewRequestChoice,
  text,
} from "./fields.server";

/** A file that cannot be imported; its message has a line such as `users[3].email: …` for each error. */
export class ImportError extends ExpectedError {}

const MOST_NAMED = 100;

/** Problems of a file; the first hundred are kept. */
export class Problems {
  #count = 0;
  readonly #named: string[] = [];

  constructor(private readonly findLine: (kind: Kind, number: number) => number | undefined) {}

  add(problem: string): void {
    if (this.#count++ < MOST_NAMED) this.#named.push(problem);
  }

  /** Adds `users[3].email: must be an e-mail address`, with the line of a file in which a record is a line. */
  addTo(kind: Kind, number: number, field: string, message: string): void {
    const line = this.findLine(kind, number);
    const where = `${kind}[${number}]${field && `.${field}`}`;
    this.add(`${where}: ${message}${line === undefined ? "" : ` (line ${line})`}`);
  }

  throwIfAny(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#named.length;
    if (more > 0) this.#named.push(`and ${more} more, ${this.#count} in all`);
    throw new ImportError(this.#named.join("\n"));
  }
}

const DESCRIPTION_MAX_LENGTH = 50_000;
const STATUS_MAX_LENGTH = 100;
const HASH_MAX_LENGTH = 500;

/** A hash of another kind is left out: the account then has no password. */
const passwordHash = text(HASH_MAX_LENGTH).refine((value) => !isTooCostly(value), TOO_COSTLY);

const content = {
  rating: integer(1, 5),
  comment: text(COMMENT_MAX_LENGTH)
    .transform((value) => value || null)
    .nullish(),
} satisfies Record<keyof Content, z.ZodType>;

/** The lists of a file and the fields of their records (docs/rules/import.md, Import); other fields are ignored. */
export const RECORDS = {
  users: z.object({
    id,
    name,
    email,
    image,
    reviewRequests: reviewRequestChoice,
    password: orAbsent(password),
    passwordHash: orAbsent(passwordHash),
  }),
  tours: z.object({
    id,
    title: name.pipe(notEmpty),
    slug: text(LABEL_MAX_LENGTH)
      .pipe(notEmpty)
      .refine((value) => !/[\s/?#]/.test(value), "must not hold spaces, /, ? or #"),
    createdById: id,
    description: orAbsent(text(DESCRIPTION_MAX_LENGTH)),
    date: date.nullish(),
    dates: z
      .array(date, "must be a list")
      .max(MOST_DATES, `must have at most ${MOST_DATES} dates`)
      .nullish(),
    timeZone: text(LABEL_MAX_LENGTH).nullish(),
    location: name.nullish(),
    durationMinutes: number(1, LONGEST_TOUR).nullish(),
    image,
    bookingUrl,
    ...facts,
  }),
  bookings: z.object({
    id,
    userId: id,
    tourId: id,
    status: text(STATUS_MAX_LENGTH).pipe(notEmpty),
    date: date.nullish(),
  }),
  reviews: z.object({
    id,
    userId: id,
    tourId: id,
    ...content,
    createdAt: date,
  }),
};

export type Kind = keyof typeof RECORDS;
export type Records = { [Name in Kind]: z.output<(typeof RECORDS)[Name]> };

export const KINDS = Object.keys(RECORDS) as Kind[];

/** Makes one of something for each list of a file. */
export const perKind = <Value>(make: (kind: Kind) => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, Value>;

type State = "new" | "changed" | "unchanged" | "leftOut";

/** The import's decision about each record of a kind, by the record's number. */
export type States = Record<Kind, State[]>;

export type StateCounts = Record<State, number>;

const isToWrite = (state: State | undefined) => state === "new" || state === "changed";

/** Returns the numbers of new and changed records, of all or among some. */
export const numbersToWrite = (states: State[], among: Iterable<number> = states.keys()) =>
  [...among].filter((number) => isToWrite(states[number]));

function countStates(states: State[]): StateCounts {
  const outcome = { new: 0, changed: 0, unchanged: 0, leftOut: 0 };
  for (const state of states) outcome[state]++;
  return outcome;
}

export const toOutcomes = (states: States) => perKind((kind) => countStates(states[kind]));

/** The lists of a file, as they stand in it. */
export type ImportFile = { [Name in Kind]?: z.input<(typeof RECORDS)[Name]>[] };

/** A record as it stands in a file, with the line that it ends in where that helps to find it; or what is wrong. */
export type Entry = { kind: Kind; value: unknown; line?: number } | { problem: string };

export type Entries = AsyncIterable<Entry[]> | Generator<Entry[]>;

const EXTENDED =
  "is MongoDB's Extended JSON: write ids and dates as plain text, as JSON.stringify does in mongosh";

/** Such as `{ "$oid": "…" }`, which mongoexport writes. */
const isExtended = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  /^\$(oid|date|number(Int|Long|Double|Decimal))$/.test(Object.keys(value)[0] ?? "");

export interface Issue {
  field: string;
  message: string;
}

/** The record, or as many of its fields as are good, and what is wrong with the others. */
export function parseRecord<Name extends Kind>(
  kind: Name,
  value: unknown,
): { record: Partial<Records[Name]>; issues: Issue[] } {
  const result = RECORDS[kind].safeParse(value);
  if (result.success) return { record: result.data as Records[Name], issues: [] };
  const givenFields = (value ?? {}) as Record<PropertyKey, unknown>;
  const issues = result.error.issues.map(({ path, message }) => {
    const given = givenFields[path[0] ?? ""] ?? (path[0] === "id" ? givenFields._id : undefined);
    return { field: path.join("."), message: isExtended(given) ? EXTENDED : message };
  });
  const record: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(RECORDS[kind].shape)) {
    const good = (schema as z.ZodType).safeParse(givenFields[field]);
    if (good.success && good.data !== undefined) record[field] = good.data;
  }
  return { record: record as Partial<Records[Name]>, issues };
}

/** The entries of a file's one JSON object, a thousand at a time. */
export function* entriesOfLists(data: unknown): Generator<Entry[]> {
  if (!isObject(data)) {
    yield [{ problem: NO_OBJECT }];
    return;
  }
  for (const [name, list] of Object.entries(data)) {
    const kind = KINDS.find((known) => known === name);
    if (!kind) yield [{ problem: unknownList(name) }];
    else if (!Array.isArray(list)) yield [{ problem: notAList(kind) }];
    else
      for (const some of batches(list as unknown[], 1_000))
        yield some.map((value) => ({ kind, value }));
  }
}

export const NO_OBJECT = `file: must be an object with the lists ${KINDS.join(", ")}`;

/** A list that nobody knows; a key of a file is only as long and as printable as a line shows it. */
export const unknownList = (name: string) =>
  `file: unknown: ${name.slice(0, 40).replace(/\p{Cc}/gu, " ")}`;

export const notAList = (kind: Kind) => `${kind}: must be a list`;

/** There is no record with the id in that field, which is named as it was sent. */
export function unknownRecord(kind: "user" | "tour", field: string, sent: object): Issue {
  const id = (sent as Record<string, string | number>)[field];
  return { field, message: `there is no ${kind} ${id}` };
}

/** The body of a record; throws `ServiceError` 400 for what is no object. */
export function requireObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new ServiceError(400, "must be an object of JSON");
}
