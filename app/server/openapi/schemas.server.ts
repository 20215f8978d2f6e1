import { z } from "zod";
import type { ListedOwnReview } from "~/me/my-reviews.server";
import {
  Author,
  Change,
  count,
  EditReviewBody,
  EXAMPLE,
  EXAMPLE_BOOKING,
  EXAMPLE_TOUR,
  id,
  PostReviewBody,
  Rating,
  Reply,
  ReplyBody,
  Review,
  time,
} from "~/reviews/schemas";
import { MOST_RECORDS } from "~/import/put-records.server";
import { RECORDS } from "~/import/records.server";
import { texts } from "~/lib/refusal-texts";
import type { PublicTour } from "~/tours/tours.server";

// Requests and answers of the API. Tests hold the answers to these schemas.

const ListedOwnReview = Review.extend({
  editableUntil: time.nullable().meta({ description: "Null when it can no longer be edited." }),
  tour: z
    .strictObject({ title: z.string(), slug: z.string() })
    .nullable()
    .meta({ description: "Null when the tour is gone." }),
}).meta({
  examples: [
    {
      ...EXAMPLE,
      editableUntil: "2026-05-02T09:30:00.000Z",
      tour: { title: "Old Town Walk", slug: "old-town-walk" },
    },
  ],
}) satisfies z.ZodType<ListedOwnReview>;

const RatingCounts = z
  .strictObject({ "1": count, "2": count, "3": count, "4": count, "5": count })
  .meta({ description: "How many reviews gave each number of stars." });

const EXAMPLE_RATINGS = {
  avgRating: 4.5,
  reviewCount: 2,
  ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 },
};

const Tour = z
  .strictObject({
    id,
    title: z.string(),
    slug: z.string(),
    createdById: id.meta({
      description: "The guide who owns the tour; all zeros when there is none.",
    }),
    avgRating: z
      .number()
      .min(0)
      .max(5)
      .meta({ description: "Arithmetic mean of all ratings, 0 without any." }),
    reviewCount: count,
    ratingCounts: RatingCounts,
    participation: z
      .strictObject({ went: count, asked: count, reviewed: count })
      .nullable()
      .optional()
      .meta({
        description:
          "Only with `include=participation`: guests of the last twelve months, and those of them who were asked for a review, and who have written one. Null for who may not know.",
      }),
  })
  .meta({
    examples: [
      {
        id: EXAMPLE_TOUR,
        title: "Old Town Walk",
        slug: "old-town-walk",
        createdById: "66a1e9b1c3d4e5f607182931",
        ...EXAMPLE_RATINGS,
      },
    ],
  }) satisfies z.ZodType<PublicTour>;

const userRecord = RECORDS.users.omit({ id: true });
const tourRecord = RECORDS.tours.omit({ id: true });
const bookingRecord = RECORDS.bookings.omit({ id: true });

const SentUser = RECORDS.users.extend({ type: z.literal("users") });
const SentTour = RECORDS.tours.extend({ type: z.literal("tours") });
const SentBooking = RECORDS.bookings.extend({ type: z.literal("bookings") });
const SentReview = RECORDS.reviews.extend({ type: z.literal("reviews") });
const SentRecord = z.union([SentUser, SentTour, SentBooking, SentReview]);

const result = z.enum(["created", "changed", "unchanged"]);
const allowsReview = z.literal(false).optional().meta({
  description: "Of a booking whose status allows no review, nor turns into one that does.",
});
const LineResult = z
  .strictObject({
    line: z.int().min(1).meta({ description: "That of the body, or the place in a list." }),
    type: z.string().optional(),
    id: z.string().optional(),
    result: result.optional(),
    allowsReview,
    error: z.string().optional().meta({ description: "Says why it is not stored." }),
  })
  .meta({ examples: [{ line: 1, type: "bookings", id: EXAMPLE_BOOKING, result: "changed" }] });

const tourBody = z.strictObject({ tour: Tour });
const tourList = z.strictObject({ tours: z.array(Tour) });
const ratingBody = z.strictObject({ rating: Rating });

/**
 * The component schemas of the document, by their names: generators of clients make types only of those. Every error of
 * /api is an `Error`.
 */
export const components = {
  CreateReview: PostReviewBody,
  UpdateReview: EditReviewBody,
  PutReply: ReplyBody,
  UserRecord: userRecord,
  TourRecord: tourRecord,
  BookingRecord: bookingRecord,
  BookingStatus: bookingRecord.pick({ status: true }),
  RecordResult: z.strictObject({ result, allowsReview }),
  SentUser,
  SentTour,
  SentBooking,
  SentReview,
  SentRecord,
  RecordList: z.array(SentRecord).min(1).max(MOST_RECORDS),
  RecordLines: z.string().meta({ description: "A SentRecord as JSON on each line." }),
  LineResult,
  ResultList: z.array(LineResult),
  ResultLines: z.string().meta({ description: "A LineResult as JSON on each line." }),
  TourClosed: z.strictObject({ message: z.literal(texts.tourClosed) }),
  BookingDeleted: z.strictObject({ message: z.literal(texts.bookingDeleted) }),
  UserDeleted: z.strictObject({ message: z.literal(texts.userDeleted) }),
  Author,
  Review,
  Reply,
  RatingCounts,
  Tour,
  Error: z.strictObject({ error: z.string() }),
  ReviewList: z.strictObject({ reviews: z.array(Review) }),
  ReviewBody: z.strictObject({ review: Review }),
  ReviewCreated: z.strictObject({ review: Review, message: z.literal(texts.created) }),
  ReviewUpdated: z.strictObject({ review: Review, message: z.literal(texts.updated) }),
  ReviewDeleted: z.strictObject({ message: z.literal(texts.deleted) }),
  ReplyBody: z.strictObject({ reply: Reply }),
  ReplyDeleted: z.strictObject({ message: z.literal(texts.replyDeleted) }),
  TourBody: tourBody,
  TourList: tourList,
  TourOrTours: z.union([tourBody, tourList]),
  Rating,
  RatingBody: ratingBody,
  TourOrRating: z.union([tourBody, ratingBody]),
  RatingsList: z.strictObject({
    ratings: z.array(
      Tour.pick({ avgRating: true, reviewCount: true, ratingCounts: true })
        .extend({ tourId: id })
        .meta({ examples: [{ tourId: EXAMPLE_TOUR, ...EXAMPLE_RATINGS }] }),
    ),
  }),
  Change,
  ChangeList: z.strictObject({ changes: z.array(Change) }),
  OwnReviewList: z.strictObject({ reviews: z.array(ListedOwnReview) }),
  ToursToReview: z.strictObject({
    tours: z.array(
      z.strictObject({
        id,
        title: z.string(),
        slug: z.string(),
        date: time.nullable().meta({ description: "When the caller last took part." }),
      }),
    ),
  }),
  StructuredData: z
    .looseObject({ "@context": z.literal("https://schema.org"), "@type": z.literal("Product") })
    .meta({ description: "A Product of schema.org." }),
  OpenApi: z
    .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
    .meta({ description: "An OpenAPI 3.1 document." }),
};
export type ComponentName = keyof typeof components;

// A registry of its own: the global one, which OpenAPI libraries for zod read, refuses a name that a second copy of
// this module registers.
const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(components)) names.add(schema, { id });

/** The document's `components.schemas`, without the `$id` and `$schema` that a component does not need. */
export function componentSchemas() {
  const uri = (name: string) => `#/components/schemas/${name}`;
  const { schemas } = z.toJSONSchema(names, {
    io: "input",
    unrepresentable: "any",
    target: "draft-2020-12",
    uri,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [name, schema]),
  );
}
