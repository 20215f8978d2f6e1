import { z } from "zod";
import { COMMENT_MAX_LENGTH } from "../reviews/limits";

/** A file that cannot be imported; its message has a line such as `users[3].email: …` for each bad record. */
export class ImportError extends Error {}

/** Bad records that one message names. */
const MOST_PROBLEMS = 20;

const id = z
  .string("must be an id of 24 hex digits")
  .regex(/^[0-9a-f]{24}$/i, "must be an id of 24 hex digits")
  .transform((value) => value.toLowerCase());

const date = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "must be a date such as 2026-05-01T09:30:00Z",
  })
  // A time without a zone is one of UTC, on whatever machine it is imported.
  .transform((value) => new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value));

const text = z.string("must be a string");

const filled = text.trim().min(1, { error: "must not be empty", abort: true });

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` */
const ARGON2 =
  /^\$argon2(id|i|d)(\$v=\d+)?\$m=\d+,t=\d+,p=\d+[^$]*\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;

const rating = "must be an integer from 1 to 5";

/** The import file (docs/rules.md, Import). Fields that it does not name are ignored. */
export const ImportFile = z.strictObject({
  users: z
    .array(
      z.object({
        id,
        name: text,
        email: text.trim().regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address"),
        image: text.nullish(),
        password: text.min(1, "must not be empty").optional(),
        passwordHash: text.regex(ARGON2, "must be an argon2 PHC string").optional(),
      }),
    )
    .default([]),
  tours: z
    .array(
      z.object({
        id,
        title: filled,
        slug: filled.regex(/^[^\s/?#]+$/, "must not hold spaces, /, ? or #"),
        createdById: id,
        description: text.optional(),
        date: date.nullish(),
        location: text.nullish(),
        durationMinutes: z.number("must be a number").positive("must be above 0").nullish(),
        image: text.nullish(),
      }),
    )
    .default([]),
  bookings: z
    .array(z.object({ id, userId: id, tourId: id, status: filled, date: date.nullish() }))
    .default([]),
  reviews: z
    .array(
      z.object({
        id,
        userId: id,
        tourId: id,
        rating: z.number(rating).int(rating).min(1, rating).max(5, rating),
        comment: text
          .refine(
            (value) => [...value].length <= COMMENT_MAX_LENGTH,
            `must be at most ${COMMENT_MAX_LENGTH} characters`,
          )
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
        issue.code === "unrecognized_keys" ? `unknown: ${issue.keys.join()}` : issue.message;
      return `${where(issue.path)}: ${message}`;
    }),
  );
}

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
