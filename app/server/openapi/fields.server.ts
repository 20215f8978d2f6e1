import { z } from "zod";
import { CHANGES } from "#models/change";
import type { RatingAt } from "~/reviews/list-changes.server";
import type { PublicChange } from "~/reviews/record-changes.server";

// Fields and examples that the schemas of the API have in common.

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
    .meta({ description: "The SHA-256 of the line before; 64 zeros in the first one." }),
}) satisfies z.ZodType<PublicChange>;

export const Rating = z.strictObject({
  tourId: id,
  at: time,
  version: count.meta({ description: "Of the last change until then; 0 before the first one." }),
  avgRating: z.number().min(0).max(5),
  reviewCount: count,
}) satisfies z.ZodType<RatingAt>;
