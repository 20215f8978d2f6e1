import { z } from "zod";
import { MOST_PICTURES } from "#models/picture";
import { asHttpsAddress } from "#models/https-address";
import { plainName } from "#models/visible";
import { HIGHEST_AGE, HIGHEST_PRICE, LARGEST_GROUP, MOST_ENTRIES } from "#models/tour-facts";
import { platformIdField } from "~/db/platform-ids.server";
import { EMAIL_MAX_LENGTH, mayBeEmail, sendableEmail } from "~/lib/email-address.server";
import {
  IMAGE_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from "~/accounts/fields.server";

// The fields of an import's records that need more than a word to say (docs/rules/import.md, Import).

/** Longest title, name or place, in characters: far more than a platform needs, and little enough for every page. */
export const LABEL_MAX_LENGTH = 500;

/** The platform's own id, which every record has. */
export const id = platformIdField;

/** With a time or without, and with a zone or without: 2026-05-01, 2026-05-01T09:30Z, 2026-05-01 09:30:00,5+0200. */
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?)?$/i;

export const date = z
  .string("must be a date such as 2026-05-01T09:30:00Z")
  .meta({
    description: "ISO 8601, in UTC where no zone is said.",
    examples: ["2026-05-01T09:30:00Z"],
  })
  .transform((value, context): Date => {
    const [
      ,
      day = "",
      time = "00:00",
      seconds = "00",
      fraction = "0",
      ,
      hours = "+00",
      minutes = "00",
    ] = ISO_8601.exec(value) ?? [];
    // A time without a zone is one of UTC, on whatever machine it is imported.
    const read = new Date(`${day}T${time}:${seconds}.${fraction}${hours}:${minutes}`);
    // Without this, the 30th of February would be a day in March.
    const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
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

export const text = (most: number) =>
  z
    .string("must be a string")
    // As a person counts them, but never counted where there are far too many.
    .refine((value) => value.length <= 2 * most && [...value].length <= most, {
      error: `must be at most ${most} characters`,
      abort: true,
    })
    .refine(isText, "must not hold a zero character or half a surrogate pair")
    .meta({ maxLength: most });

/** A person's name, a title or a place, as every reader of such a record has it; empty where nothing is to be seen. */
export const name = text(LABEL_MAX_LENGTH).transform(plainName);

/** Takes null for a field that is not sent: exports write it so. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const notEmpty = z.string().trim().min(1, { error: "must not be empty", abort: true });

export const email = text(EMAIL_MAX_LENGTH)
  .trim()
  // As a hand-over takes it (app/me/platform-users.server.ts).
  .refine(mayBeEmail, "must be an e-mail address")
  .transform(sendableEmail);

export const password = text(PASSWORD_MAX_LENGTH).refine(
  // Normalized as for hashing.
  (value) => [...value.normalize("NFKC")].length >= PASSWORD_MIN_LENGTH,
  `must be at least ${PASSWORD_MIN_LENGTH} characters`,
);

/** False is an objection. Only the user can take it back, so true changes nothing. */
export const reviewRequestChoice = z
  .boolean("must be true or false")
  .nullish()
  .transform((value) => (value === false ? value : undefined))
  .meta({ description: "False: the user is asked for no reviews. True changes nothing." });

/** An address, or a path on a site of the platform's. */
export const image = text(IMAGE_MAX_LENGTH)
  .refine(
    (value) => /^https?:/i.test(value) || !/^\s*[a-z][a-z\d+.-]*:/i.test(value),
    "must be an address with http or https",
  )
  .nullish();

export const bookingUrl = text(IMAGE_MAX_LENGTH)
  .refine((value) => asHttpsAddress(value) !== undefined, "must be an address with https")
  .nullish();

export function number(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`;
  return z.number(error).min(least, error).max(most, error);
}

export function integer(least: number, most: number) {
  const error = `must be an integer from ${least} to ${most}`;
  return z.number(error).int(error).min(least, error).max(most, error);
}

const list = <Entry extends z.ZodType>(entry: Entry, most = MOST_ENTRIES) =>
  z.array(entry, "must be a list").max(most, `must have at most ${most} entries`);

const line = name.pipe(notEmpty);

/** An object, or a text that stands for one with that field alone. */
const objectOr = <Shape extends z.ZodType>(field: string, shape: Shape) =>
  z.preprocess((value) => (typeof value === "string" ? { [field]: value } : value), shape);

/** Whether the file exists is checked where files are read (app/import/pictures.server.ts). */
const picture = z.object(
  { url: text(IMAGE_MAX_LENGTH).pipe(notEmpty), alt: name.nullish() },
  "must be a string, or an object with url and alt",
);

const place = z
  .object(
    { text: line.nullish(), lat: number(-90, 90).nullish(), lng: number(-180, 180).nullish() },
    "must be a string, or an object with text, lat and lng",
  )
  .refine(
    ({ text, lat = null, lng = null }) =>
      (lat === null) === (lng === null) && (text || lat !== null),
    "must have a text, or lat and lng",
  );

export const facts = {
  price: number(0, HIGHEST_PRICE).nullish(),
  currency: text(LABEL_MAX_LENGTH)
    .regex(/^[a-z]{3}$/i, "must be the three letters of a currency, such as EUR")
    .nullish(),
  meetingPoint: objectOr("text", place).nullish(),
  groupSize: integer(1, LARGEST_GROUP).nullish(),
  minAge: integer(0, HIGHEST_AGE).nullish(),
  languages: list(
    text(LABEL_MAX_LENGTH).regex(/^[a-z]{2,3}(-[a-z\d]{1,8})*$/i, "must be a language such as en"),
  ).nullish(),
  included: list(line).nullish(),
  bring: list(line).nullish(),
  images: list(objectOr("url", picture), MOST_PICTURES).nullish(),
};
