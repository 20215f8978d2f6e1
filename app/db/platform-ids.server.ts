import { createHash } from "node:crypto";
import { z } from "zod";

/** Longest id of a platform, in characters. */
const LONGEST_ID = 255;

const HEX_ID = /^[0-9a-f]{24}$/i;

/** It keeps the ids of ours that follow from texts apart from hashes that a platform makes. Never change it. */
const PREFIX = "tour-reviews:";

const BAD_ID = `must be an id, a text of 1 to ${LONGEST_ID} characters in one line`;

/**
 * Returns the id under which we store a platform's record (docs/adopt.md, Your ids): 24 hexadecimal digits are themselves,
 * any other text or whole number has those of its hash. Null for what is no id.
 */
export function platformId(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string" || !isPlatformId(text)) return null;
  if (HEX_ID.test(text)) return text.toLowerCase();
  return createHash("sha256")
    .update(PREFIX + text)
    .digest("hex")
    .slice(0, 24);
}

const isPlatformId = (text: string) =>
  text !== "" &&
  // Characters are only counted where there cannot be far too many.
  text.length <= 2 * LONGEST_ID &&
  [...text].length <= LONGEST_ID &&
  text.isWellFormed() &&
  // Control characters and line breaks cannot stand in a path.
  !/[\p{Cc}\u2028\u2029]/u.test(text);

/** Reads such an id in a field. */
export const platformIdField = z
  .union([z.string(), z.int()], BAD_ID)
  .meta({
    description: `An id of the platform: any text of 1 to ${LONGEST_ID} characters in one line, or a whole number.`,
  })
  .transform((value, context) => {
    const id = platformId(value);
    if (id !== null) return id;
    context.addIssue(BAD_ID);
    return z.NEVER;
  });
