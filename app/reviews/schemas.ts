import { z } from "zod";
import { CHANGES } from "#models/change";
import { isVisible } from "#models/visible";
import { COMMENT_MAX_LENGTH, KEY_MAX_LENGTH, REPLY_MAX_LENGTH } from "~/lib/review-limits";
import { texts } from "~/lib/refusal-texts";

// Bodies, queries and answers of the API. `meta` adds for the OpenAPI document what JSON Schema can say of a refinement.

export const EXAMPLE_TOUR = "66a1f0c2d4e5f60718293a4b";
export const EXAMPLE_REVIEW = "66a1f1d3e5f60718293a4b5c";
export const EXAMPLE_BOOKING = "66a1f2e4f607182930a4b5c6";
export const EXAMPLE_USER = "66a1e9b1c3d4e5f607182930";

export const id = z.string().regex(/^[0-9a-f]{24}$/);

export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time", description: "ISO 8601 in UTC with milliseconds." });

export const count = z.number().int().min(0);

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
  // Not `anyOf`, of which generators make a type that takes anything.
  .meta({ minProperties: 1 });

/** Body of PUT /api/reviews/{id}/reply: check 2 of docs/rules/replies.md (Replies). */
export const ReplyBody = z.object({
  text: z
    .string({ error: texts.badReply })
    .refine((value) => isVisible(value) && [...value].length <= REPLY_MAX_LENGTH, {
      error: texts.badReply,
    })
    .meta({
      description: "Stored exactly as sent; without a visible character it is no reply.",
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

// Answers: the types of what the API shows follow from them.

export const Author = z
  .strictObject({
    name: z.string().meta({ description: "Display name, may be empty." }),
    image: z.string().nullable().meta({ description: "Address of the picture." }),
  })
  .meta({ description: "The author of a review as everyone sees them." });

export const Reply = z
  .strictObject({
    text: z.string().min(1),
    createdAt: time,
    editedAt: time.nullable(),
    user: Author.meta({ description: "The guide who wrote it." }),
  })
  .meta({
    examples: [
      {
        text: "Thank you for coming, Ann.",
        createdAt: "2026-05-02T08:00:00.000Z",
        editedAt: null,
        user: { name: "Gwen", image: null },
      },
    ],
  });

export const EXAMPLE = {
  id: EXAMPLE_REVIEW,
  tourId: EXAMPLE_TOUR,
  userId: EXAMPLE_USER,
  rating: 5,
  comment: "The view from the wall at dusk!",
  createdAt: "2026-05-01T09:30:00.000Z",
  user: { name: "Ann", image: null },
};

export const Review = z
  .strictObject({
    id,
    tourId: id.meta({ description: "The reviewed tour." }),
    userId: id.meta({ description: "The author." }),
    rating: z.number().min(1).max(5).nullable().meta({
      description:
        "An integer from 1 to 5. Reviews that a platform has written itself may have a fraction, or null where it has stored no number from 1 to 5.",
    }),
    comment: z.string().min(1).nullable(),
    createdAt: time,
    user: Author,
    reply: Reply.nullable()
      .optional()
      .meta({ description: "Only with `include=reply`: null when there is none." }),
    verified: z
      .boolean()
      .optional()
      .meta({ description: "Only when included: whether its booking was checked." }),
    editedAt: time.nullable().optional().meta({ description: "Only when included." }),
    visitedAt: time.nullable().optional().meta({
      description: "Only when included: when its author had last taken part before.",
    }),
  })
  .meta({
    examples: [EXAMPLE],
  });

const stars = z.number().min(0).max(5).nullable();

export const Change = z.strictObject({
  tourId: id,
  version: z.number().int().min(1).meta({ description: "From 1, without a gap." }),
  type: z.enum(CHANGES),
  review: id
    .nullable()
    .meta({ description: "Null for several, and 30 days after its author deleted it." }),
  before: stars.meta({ description: "Its rating before: null for none, 0 if it does not count." }),
  stars: stars.meta({ description: "Its rating after the change." }),
  ratings: z
    // Tools want to know all items of an array.
    .array(z.tuple([z.number(), count]).meta({ items: { type: "number" }, maxItems: 2 }))
    .nullable()
    .meta({ description: "The number of reviews of each rating, where a replay begins." }),
  count: count.meta({ description: "The tour's number of reviews after the change." }),
  mean: z.number().min(0).max(5).meta({ description: "Its mean after the change." }),
  time,
  previous: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: "The SHA-256 of the entry before; 64 zeros in the first one." }),
});

export const Rating = z.strictObject({
  tourId: id,
  at: time,
  version: count.meta({ description: "Of the last change until then; 0 before the first one." }),
  avgRating: z.number().min(0).max(5),
  reviewCount: count,
});
