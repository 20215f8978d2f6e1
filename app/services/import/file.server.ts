import { z } from "zod";
import { oneLine } from "../../../models/reading";
import { LONGEST_TOUR } from "../../../models/tour";
import { EMAIL_MAX_LENGTH, mayBeEmail, sendableEmail } from "../../infra/email-address.server";
import { IMAGE_MAX_LENGTH, PASSWORD_MAX_LENGTH } from "../accounts/fields.server";
import { COMMENT_MAX_LENGTH } from "../limits";

/** A file that cannot be imported; its message has a line such as `users[3].email: …` for each bad record. */
export class ImportError extends Error {}

/** Bad records that one message names. */
const MOST_PROBLEMS = 20;

/** Longest texts, in characters: far more than a platform needs, and little enough for every page. */
const LABEL_MAX_LENGTH = 500;
const DESCRIPTION_MAX_LENGTH = 50_000;
const STATUS_MAX_LENGTH = 100;
const HASH_MAX_LENGTH = 500;

const id = z
  .string("must be an id of 24 hex digits")
  .regex(/^[0-9a-f]{24}$/i, "must be an id of 24 hex digits")
  .transform((value) => value.toLowerCase());

/**
 * A date of ISO 8601, with a time or without, and with a zone or without: 2026-05-01, 2026-05-01T09:30Z,
 * 2026-05-01 09:30:00,5+0200.
 */
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

/** An address, or a path on a site of the platform's. */
const image = text(IMAGE_MAX_LENGTH)
  .refine(
    (value) => /^https?:/i.test(value) || !/^\s*[a-z][a-z\d+.-]*:/i.test(value),
    "must be an address with http or https",
  )
  .nullish();

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` */
const ARGON2 =
  /^\$argon2(id|i|d)(\$v=\d+)?\$m=\d+,t=\d+,p=\d+(,[^$]*)?\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;

const duration = `must be a number from 1 to ${LONGEST_TOUR}`;

const rating = "must be an integer from 1 to 5";

/** The import file (docs/rules.md, Import). Fields that it does not name are ignored. */
export const ImportFile = z.strictObject({
  users: z
    .array(
      z.object({
        id,
        name,
        email,
        image,
        password: text(PASSWORD_MAX_LENGTH).min(1, "must not be empty").optional(),
        passwordHash: text(HASH_MAX_LENGTH)
          .regex(ARGON2, "must be an argon2 PHC string")
          .optional(),
      }),
    )
    .default([]),
  tours: z
    .array(
      z.object({
        id,
        title: name.pipe(notEmpty),
        slug: text(LABEL_MAX_LENGTH)
          .pipe(notEmpty)
          .refine((value) => !/[\s/?#]/.test(value), "must not hold spaces, /, ? or #"),
        createdById: id,
        description: text(DESCRIPTION_MAX_LENGTH).optional(),
        date: date.nullish(),
        location: name.nullish(),
        durationMinutes: z.number(duration).min(1, duration).max(LONGEST_TOUR, duration).nullish(),
        image,
      }),
    )
    .default([]),
  bookings: z
    .array(
      z.object({
        id,
        userId: id,
        tourId: id,
        status: text(STATUS_MAX_LENGTH).pipe(notEmpty),
        date: date.nullish(),
      }),
    )
    .default([]),
  reviews: z
    .array(
      z.object({
        id,
        userId: id,
        tourId: id,
        rating: z.number(rating).int(rating).min(1, rating).max(5, rating),
        comment: text(COMMENT_MAX_LENGTH)
          .transform((value) => value || null)
          .nullish(),
        createdAt: date,
      }),
    )
    .default([]),
});

export type ImportFile = z.input<typeof ImportFile>;
export type Records = z.output<typeof ImportFile>;

export function parse(data: unknown): Records {
  const result = ImportFile.safeParse(data);
  if (result.success) return result.data;
  refuse(
    result.error.issues.map((issue) => {
      const message =
        issue.code === "unrecognized_keys"
          ? `unknown: ${issue.keys.slice(0, MOST_PROBLEMS).map(shortened).join()}`
          : issue.message;
      return `${where(issue.path)}: ${message}`;
    }),
  );
}

/** A key of a file, as long as a line shows it. */
const shortened = (key: string) => key.slice(0, 40).replace(/\p{Cc}/gu, " ");

/** `["users", 3, "email"]` as `users[3].email`. */
function where(path: PropertyKey[]): string {
  const [list, index, ...fields] = path.map(String);
  return [`${list ?? "file"}${index === undefined ? "" : `[${index}]`}`, ...fields].join(".");
}

export function refuse(problems: string[]): never {
  const shown = problems.slice(0, MOST_PROBLEMS);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  throw new ImportError(shown.join("\n"));
}
