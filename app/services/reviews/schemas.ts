import { z } from "zod";
import { COMMENT_MAX_LENGTH } from "./limits";

export const MISSING_FIELDS = "Missing required fields";
export const BAD_RATING = "Rating must be an integer between 1 and 5";

// What `meta` adds is for the OpenAPI document alone: there it stands for what JSON Schema can say of
// a refinement.

const integerRating = (error: string | ((issue: { input?: unknown }) => string)) =>
  z
    .number({ error })
    .int({ error })
    .min(1, { error })
    .max(5, { error })
    .meta({ description: "Stars, as a JSON number.", examples: [5] });

/** An absent comment is undefined, an empty one null (spec.md: "stored as null when omitted or empty"). */
const comment = z
  .string({ error: "Comment must be a string" })
  // Characters as a person counts them: an emoji of two UTF-16 units is one.
  .refine((value) => [...value].length <= COMMENT_MAX_LENGTH, {
    error: `Comment must be at most ${COMMENT_MAX_LENGTH} characters`,
  })
  .meta({
    description: "Stored exactly as sent; an empty one is stored as null.",
    maxLength: COMMENT_MAX_LENGTH,
    examples: ["The view from the wall at dusk!"],
  })
  .transform((value) => value.toWellFormed() || null)
  .nullish();

/**
 * Body of POST /api/reviews. The order of the keys and the texts are checks 2 and 3 of spec.md;
 * the first issue is the answer.
 */
export const CreateReviewBody = z.object({
  // Any other truthy value is an unknown tour, which is check 4's to say.
  tourId: z
    .unknown()
    .refine(Boolean, { error: MISSING_FIELDS })
    .meta({
      type: "string",
      minLength: 1,
      description: "The tour's id. Anything that is not the id of a tour is an unknown tour: 404.",
      examples: ["66a1f0c2d4e5f60718293a4b"],
    }),
  rating: integerRating(({ input }) => (input ? BAD_RATING : MISSING_FIELDS)),
  comment,
});

/** Body of PATCH /api/reviews/{id}: checks 2 and 3 of spec.md, in the same way. */
export const UpdateReviewBody = z
  .object({ rating: integerRating(BAD_RATING).optional(), comment })
  .refine((body) => body.rating !== undefined || body.comment !== undefined, {
    error: "No fields to update",
  })
  .meta({ anyOf: [{ required: ["rating"] }, { required: ["comment"] }] });
