import { z } from "zod";
import { asHttpsAddress, oneLine } from "#models/reading";
import { LONGEST_TOUR } from "#models/tour";
import { EMAIL_MAX_LENGTH, mayBeEmail, sendableEmail } from "~/infra/email-address.server";
import {
  IMAGE_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from "~/accounts/fields.server";
import { batches } from "~/db/batches";
import { COMMENT_MAX_LENGTH } from "~/infra/review-limits";

/** A file that cannot be imported; its message has a line such as `users[3].email: …` for each error. */
export class ImportError extends Error {}

const MOST_NAMED = 100;

/** What is wrong with a file, of which the first hundred lines are kept. */
export class Problems {
  #count = 0;
  readonly #named: string[] = [];

  constructor(private readonly lineOf: (kind: Kind, number: number) => number | undefined) {}

  add(problem: string): void {
    if (this.#count++ < MOST_NAMED) this.#named.push(problem);
  }

  /** Adds `users[3].email: must be an e-mail address`, with the line of a file in which a record is a line. */
  addTo(kind: Kind, number: number, field: string, message: string): void {
    const line = this.lineOf(kind, number);
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

/** The longest texts, in characters: far more than a platform needs, and little enough for every page. */
const LABEL_MAX_LENGTH = 500;
const DESCRIPTION_MAX_LENGTH = 50_000;
const STATUS_MAX_LENGTH = 100;
const HASH_MAX_LENGTH = 500;

const id = z
  .string("must be an id of 24 hex digits")
  .regex(/^[0-9a-f]{24}$/i, "must be an id of 24 hex digits")
  .transform((value) => value.toLowerCase());

/** With a time or without, and with a zone or without: 2026-05-01, 2026-05-01T09:30Z, 2026-05-01 09:30:00,5+0200. */
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?)?$/i;

const date = z
  .string("must be a date such as 2026-05-01T09:30:00Z")
  .transform((value, context): Date => {
    const [, day, time = "00:00", seconds = "00", fraction = "0", , hours = "+00", minutes = "00"] =
      ISO_8601.exec(value) ?? [];
    // A time without a zone is one of UTC, on whatever machine it is imported.
    const read = new Date(`${day}T${time}:${seconds}.${fraction}${hours}:${minutes}`);
    // Without this, the 30th of February would be a day in March.
    const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day!);
    if (isDay && read.getUTCFullYear() >= 1 && read.getUTCFullYear() <= 9999) return read;
    context.addIssue(
      isDay && !isNaN(read.getTime())
        ? "must be a date of the years 1 to 9999 in UTC"
        : "must be a date such as 2026-05-01T09:30:00Z",
    );
    return z.NEVER;
  });

/** Whether it has no lone surrogate and no NUL, which would be stored as something else and break pages. */
const isText = (value: string) => value.isWellFormed() && !value.includes("\0");

const text = (most: number) =>
  z
    .string("must be a string")
    // As a person counts them, but never counted where there are far too many.
    .refine((value) => value.length <= 2 * most && [...value].length <= most, {
      error: `must be at most ${most} characters`,
      abort: true,
    })
    .refine(isText, "must not hold a zero character or half a surrogate pair");

/** A person's name, a title or a place on one line, as every reader of such a record has it. */
const name = text(LABEL_MAX_LENGTH).transform(oneLine);

const notEmpty = z.string().trim().min(1, { error: "must not be empty", abort: true });

const email = text(EMAIL_MAX_LENGTH)
  .trim()
  .refine((value) => /^[^@]+@[^@]+$/.test(value) && mayBeEmail(value), "must be an e-mail address")
  .transform(sendableEmail);

const password = text(PASSWORD_MAX_LENGTH).refine(
  // As it is hashed.
  (value) => [...value.normalize("NFKC")].length >= PASSWORD_MIN_LENGTH,
  `must be at least ${PASSWORD_MIN_LENGTH} characters`,
);

/** An address, or a path on a site of the platform's. */
const image = text(IMAGE_MAX_LENGTH)
  .refine(
    (value) => /^https?:/i.test(value) || !/^\s*[a-z][a-z\d+.-]*:/i.test(value),
    "must be an address with http or https",
  )
  .nullish();

const bookingUrl = text(IMAGE_MAX_LENGTH)
  .refine((value) => asHttpsAddress(value) !== undefined, "must be an address with https")
  .nullish();

/** The one kind of hash that a log-in can use: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` */
export const ARGON2 =
  /^\$argon2(id|i|d)(\$v=\d+)?\$m=\d+,t=\d+,p=\d+(,[^$]*)?\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;

const duration = `must be a number from 1 to ${LONGEST_TOUR}`;

const rating = "must be an integer from 1 to 5";

/** The lists of a file and the fields of their records (docs/rules/import.md, Import); other fields are ignored. */
const RECORDS = {
  users: z.object({
    id,
    name,
    email,
    image,
    password: password.optional(),
    passwordHash: text(HASH_MAX_LENGTH).optional(),
  }),
  tours: z.object({
    id,
    title: name.pipe(notEmpty),
    slug: text(LABEL_MAX_LENGTH)
      .pipe(notEmpty)
      .refine((value) => !/[\s/?#]/.test(value), "must not hold spaces, /, ? or #"),
    createdById: id,
    description: text(DESCRIPTION_MAX_LENGTH).optional(),
    date: date.nullish(),
    timeZone: text(LABEL_MAX_LENGTH).nullish(),
    location: name.nullish(),
    durationMinutes: z.number(duration).min(1, duration).max(LONGEST_TOUR, duration).nullish(),
    image,
    bookingUrl,
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
    rating: z.number(rating).int(rating).min(1, rating).max(5, rating),
    comment: text(COMMENT_MAX_LENGTH)
      .transform((value) => value || null)
      .nullish(),
    createdAt: date,
  }),
};

export type Kind = keyof typeof RECORDS;
export type Records = { [Name in Kind]: z.output<(typeof RECORDS)[Name]> };

export const KINDS = Object.keys(RECORDS) as Kind[];

/** Makes one of something for each list of a file. */
export const perKind = <Value>(make: (kind: Kind) => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, Value>;

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

/** The record, or as many of its fields as are good, and what is wrong with the others. */
export function parseRecord<Name extends Kind>(
  kind: Name,
  value: unknown,
): { record: Partial<Records[Name]>; issues: { field: string; message: string }[] } {
  const result = RECORDS[kind].safeParse(value);
  if (result.success) return { record: result.data as Records[Name], issues: [] };
  const fieldsOf = (value ?? {}) as Record<PropertyKey, unknown>;
  const issues = result.error.issues.map(({ path, message }) => {
    const given = fieldsOf[path[0] ?? ""] ?? (path[0] === "id" ? fieldsOf._id : undefined);
    return { field: path.join("."), message: isExtended(given) ? EXTENDED : message };
  });
  const record: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(RECORDS[kind].shape)) {
    const good = (schema as z.ZodType).safeParse(fieldsOf[field]);
    if (good.success && good.data !== undefined) record[field] = good.data;
  }
  return { record: record as Partial<Records[Name]>, issues };
}

/** The entries of a file's one JSON object, a thousand at a time. */
export function* entriesOf(data: unknown): Generator<Entry[]> {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
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
