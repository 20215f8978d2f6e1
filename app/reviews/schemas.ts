import { z } from "zod";
import { COMMENT_MAX_LENGTH, KEY_MAX_LENGTH, REPLY_MAX_LENGTH } from "~/infra/review-limits";
import { texts } from "~/infra/refusal-texts";

// `meta` adds for the OpenAPI document what JSON Schema can say of a refinement.

export const EXAMPLE_TOUR = "66a1f0c2d4e5f60718293a4b";

/** (docs/rules/reviews.md, Idempotency-Key) */
export const PostReviewHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .min(1, { error: texts.badKey })
    .max(KEY_MAX_LENGTH, { error: texts.badKey })
    .regex(/^[ -~]+$/, { error: texts.badKey })
    .optional()
    .meta({
      description:
        "Makes the request safe to repeat. Within 24 hours the same key with the same body gets the first answer again; with another body it is refused. Each user has their own keys. Failed requests are not remembered.",
      examples: ["8e03978e-40d5-43e6-bc93-6894a57f9324"],
    }),
});

const integerRating = (error: string | ((issue: { input?: unknown }) => string)) =>
  z
    .number({ error })
    .int({ error })
    .min(1, { error })
    .max(5, { error })
    .meta({ description: "Stars, as a JSON number.", examples: [5] });

/** Check 3a: an absent comment is undefined, an empty one null. */
const comment = z
  .string({ error: texts.commentNotString })
  // Characters as a person counts them: an emoji of two UTF-16 units is one.
  .refine((value) => [...value].length <= COMMENT_MAX_LENGTH, {
    error: texts.commentTooLong,
  })
  .meta({
    description: "Stored exactly as sent; an empty one is stored as null.",
    maxLength: COMMENT_MAX_LENGTH,
    examples: ["The view from the wall at dusk!"],
  })
  .transform((value) => value.toWellFormed() || null)
  .nullish();

/**
 * Body of POST /api/reviews: checks 2, 3 and 3a of docs/rules/reviews.md (Posting). The order of the keys is
 * the order of the checks, and the first issue is the answer.
 */
export const PostReviewBody = z.object({
  // Any other truthy value is an unknown tour, which check 4 decides.
  tourId: z
    .unknown()
    .refine(Boolean, { error: texts.missingFields })
    .meta({
      type: "string",
      minLength: 1,
      description: "The tour's id. Anything that is not the id of a tour is an unknown tour: 404.",
      examples: [EXAMPLE_TOUR],
    }),
  rating: integerRating(({ input }) => (input ? texts.badRating : texts.missingFields)),
  comment,
});

/** Body of PATCH /api/reviews/{id}: checks 2, 3 and 3a of docs/rules/reviews.md (Editing). */
export const EditReviewBody = z
  .object({ rating: integerRating(texts.badRating).optional(), comment })
  .refine((body) => body.rating !== undefined || body.comment !== undefined, {
    error: texts.noFields,
  })
  .meta({ anyOf: [{ required: ["rating"] }, { required: ["comment"] }] });

/** Body of PUT /api/reviews/{id}/reply: check 2 of docs/rules/replies.md (Replies). */
export const ReplyBody = z.object({
  text: z
    .string({ error: texts.badReply })
    .refine((value) => value.trim() !== "" && [...value].length <= REPLY_MAX_LENGTH, {
      error: texts.badReply,
    })
    .meta({
      description: "Stored exactly as sent; spaces alone are no reply.",
      minLength: 1,
      maxLength: REPLY_MAX_LENGTH,
      examples: ["Thank you for coming, Ann. We now start half an hour later."],
    })
    .transform((value) => value.toWellFormed()),
});

/** Query of GET /api/reviews/{id}. */
export const GetReviewQuery = z.object({
  include: z
    .string()
    .optional()
    .meta({
      description: "`reply` adds what the tour's guide has replied; any other value adds nothing.",
      examples: ["reply"],
    }),
});
