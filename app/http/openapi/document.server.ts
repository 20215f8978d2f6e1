import { z } from "zod";
import { KEY_MAX_LENGTH } from "../../services/reviews/limits";
import { WRITES_A_MINUTE } from "../../services/limits.server";
import { texts } from "../../services/reviews/texts";
import type { PublicReview } from "../../services/reviews/public-review.server";
import { CreateReviewBody, UpdateReviewBody } from "../../services/reviews/schemas";
import type { PublicTour } from "../../services/tours/tours.server";

const EXAMPLE_TOUR = "66a1f0c2d4e5f60718293a4b";
const EXAMPLE_REVIEW = "66a1f1d3e5f60718293a4b5c";

const id = z.string().regex(/^[0-9a-f]{24}$/);

const Author = z
  .strictObject({
    name: z.string().meta({ description: "Display name, may be empty." }),
    image: z.string().nullable().meta({ description: "Address of the picture." }),
  })
  .meta({ description: "The author of a review as everyone sees them." });

export const Review = z
  .strictObject({
    id,
    tourId: id.meta({ description: "The reviewed tour." }),
    userId: id.meta({ description: "The author." }),
    rating: z.number().int().min(1).max(5),
    comment: z.string().min(1).nullable(),
    createdAt: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      .meta({ format: "date-time", description: "ISO 8601 in UTC with milliseconds." }),
    user: Author,
  })
  .meta({
    examples: [
      {
        id: EXAMPLE_REVIEW,
        tourId: EXAMPLE_TOUR,
        userId: "66a1e9b1c3d4e5f607182930",
        rating: 5,
        comment: "The view from the wall at dusk!",
        createdAt: "2026-05-01T09:30:00.000Z",
        user: { name: "Ann", image: null },
      },
    ],
  }) satisfies z.ZodType<PublicReview>;

const count = z.number().int().min(0);

const RatingCounts = z
  .strictObject({ "1": count, "2": count, "3": count, "4": count, "5": count })
  .meta({ description: "How many reviews gave each number of stars." });

export const Tour = z
  .strictObject({
    id,
    title: z.string(),
    slug: z.string(),
    createdById: id.meta({ description: "The guide who owns the tour." }),
    avgRating: z
      .number()
      .min(0)
      .max(5)
      .meta({ description: "Arithmetic mean of all ratings, 0 without reviews." }),
    reviewCount: count,
    ratingCounts: RatingCounts,
  })
  .meta({
    examples: [
      {
        id: EXAMPLE_TOUR,
        title: "Old Town Walk",
        slug: "old-town-walk",
        createdById: "66a1e9b1c3d4e5f607182931",
        avgRating: 4.5,
        reviewCount: 2,
        ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 },
      },
    ],
  }) satisfies z.ZodType<PublicTour>;

/** Every error of /api has this shape (spec.md, Endpoints). */
export const ErrorBody = z.strictObject({ error: z.string() });

export const ReviewList = z.strictObject({ reviews: z.array(Review) });
export const TourBody = z.strictObject({ tour: Tour });
export const ReviewCreated = z.strictObject({
  review: Review,
  message: z.literal(texts.created),
});
export const ReviewUpdated = z.strictObject({
  review: Review,
  message: z.literal(texts.updated),
});
export const ReviewDeleted = z.strictObject({ message: z.literal(texts.deleted) });
const OpenApi = z
  .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
  .meta({ description: "An OpenAPI 3.1 document." });

// Names stand in a registry of their own: the global one would refuse a second copy of this module.
const names = z.registry<{ id: string }>();
for (const [name, schema] of Object.entries({
  CreateReview: CreateReviewBody,
  UpdateReview: UpdateReviewBody,
  Author,
  Review,
  RatingCounts,
  Tour,
  Error: ErrorBody,
  ReviewList,
  ReviewCreated,
  ReviewUpdated,
  ReviewDeleted,
  TourBody,
  OpenApi,
}))
  names.add(schema, { id: name });

const refTo = (name: string) => `#/components/schemas/${name}`;

/** The schemas above as JSON Schema, without the `$id` and `$schema` that a component does not need. */
function componentSchemas() {
  const { schemas } = z.toJSONSchema(names, { io: "input", target: "draft-2020-12", uri: refTo });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [name, schema]),
  );
}

/** A response with a JSON body of the schema of that name. */
const answer = (description: string, name: string, rest: object = {}) => ({
  description,
  headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
  content: { "application/json": { schema: { $ref: refTo(name) } } },
  ...rest,
});

/** An error with all of its texts. */
const refusal = (description: string, ...texts: string[]) =>
  answer(description, "Error", {
    content: {
      "application/json": {
        schema: { $ref: refTo("Error") },
        examples: Object.fromEntries(texts.map((error) => [slug(error), { value: { error } }])),
      },
    },
  });

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");

const body = (name: string, example: object) => ({
  required: true,
  description: "JSON, 64 KiB at most. Unknown fields are ignored; what is no object counts as {}.",
  content: { "application/json": { schema: { $ref: refTo(name) }, example } },
});

/** The answer that is one review, with the tag of its state. */
const reviewAnswer = (description: string, name: string, headers: object = {}) =>
  answer(description, name, {
    headers: {
      ETag: { $ref: "#/components/headers/ReviewTag" },
      "X-Request-Id": { $ref: "#/components/headers/RequestId" },
      ...headers,
    },
  });

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "Does it only to a review in this state: the ETag of an earlier answer, or several with commas between, or `*`. Weak tags never match.",
  schema: { type: "string" },
  example: '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"',
};
const changed = {
  412: refusal("The review is in none of the states that If-Match names.", texts.changedMeanwhile),
};

/** What every operation may also answer. */
const always = (failure: string) => ({
  405: { $ref: "#/components/responses/MethodNotAllowed" },
  413: { $ref: "#/components/responses/BodyTooLarge" },
  500: refusal("Unexpected failure.", failure),
});

/** What every change may also answer. */
const tooMany = { 429: { $ref: "#/components/responses/TooManyRequests" } };
const unauthorized = { 401: { $ref: "#/components/responses/Unauthorized" } };
const anyone: object[] = [];
const currentUser = [{ token: [] }, { session: [] }];

const BAD_COMMENT = [texts.commentNotString, texts.commentTooLong];

const reviewId = {
  name: "id",
  in: "path",
  required: true,
  description: "The review's id. What is no id is an unknown review.",
  schema: { type: "string", minLength: 1 },
  example: EXAMPLE_REVIEW,
};

/**
 * The OpenAPI 3.1 document of all of /api, for a site at `appUrl`. Its schemas are those that
 * validate requests, and those that tests hold the answers to.
 */
export function openApiDocument(appUrl: string) {
  return {
    openapi: "3.1.1",
    info: {
      title: "Tour Reviews",
      version: "1.0.0",
      description:
        "Explorers review the guided tours that they went on. A cookie that comes with the Origin of another site is ignored. HEAD works wherever GET does.",
    },
    servers: [{ url: appUrl }],
    tags: [
      { name: "Reviews", description: "Reviews of tours" },
      { name: "Tours", description: "Tours and their ratings" },
      { name: "Meta", description: "This document" },
    ],
    paths: {
      "/api/reviews": {
        get: {
          operationId: "listReviews",
          tags: ["Reviews"],
          summary: "All reviews of a tour, newest first",
          security: anyone,
          parameters: [
            {
              name: "tourId",
              in: "query",
              required: true,
              description: "The tour's id. An unknown tour has no reviews.",
              schema: { type: "string", minLength: 1 },
              example: EXAMPLE_TOUR,
            },
            {
              name: "If-None-Match",
              in: "header",
              required: false,
              description: "The ETag of a list that the client has.",
              schema: { type: "string" },
              example: 'W/"n4bQgYhMfWWaL-qgxVrQFaO_Txs"',
            },
          ],
          responses: {
            200: answer("The reviews, none for an unknown tour.", "ReviewList", {
              headers: listHeaders,
            }),
            304: {
              description: "The list is still the one of If-None-Match. No body.",
              headers: listHeaders,
            },
            400: refusal("No tour is named.", texts.tourIdRequired),
            ...always(texts.listFailed),
          },
        },
        post: {
          operationId: "createReview",
          tags: ["Reviews"],
          summary: "Review a tour after a completed booking",
          description: "Notifies the tour's guide by e-mail.",
          security: currentUser,
          parameters: [
            {
              name: "Idempotency-Key",
              in: "header",
              required: false,
              description:
                "Makes the request safe to repeat. Within 24 hours the same key with the same body gets the same review again, as it was answered first; with another body it is refused. Keys are each user's own. What fails is not remembered.",
              schema: {
                type: "string",
                minLength: 1,
                maxLength: KEY_MAX_LENGTH,
                pattern: "^[ -~]+$",
              },
              example: "8e03978e-40d5-43e6-bc93-6894a57f9324",
            },
          ],
          requestBody: body("CreateReview", {
            tourId: EXAMPLE_TOUR,
            rating: 5,
            comment: "The view from the wall at dusk!",
          }),
          responses: {
            201: reviewAnswer("The stored review.", "ReviewCreated", {
              "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" },
            }),
            400: refusal(
              "The body, or the caller's standing with the tour, does not allow it.",
              texts.badKey,
              texts.missingFields,
              texts.badRating,
              ...BAD_COMMENT,
              texts.ownTour,
              texts.alreadyReviewed,
              texts.notCompleted,
            ),
            ...unauthorized,
            404: refusal("There is no such tour.", texts.tourNotFound),
            422: refusal("The key belongs to another request.", texts.keyReused),
            ...tooMany,
            ...always(texts.createFailed),
          },
        },
      },
      "/api/reviews/{id}": {
        patch: {
          operationId: "updateReview",
          tags: ["Reviews"],
          summary: "Edit one's own review within 24 hours",
          description: "Changes only the fields that are given.",
          security: currentUser,
          parameters: [reviewId, ifMatch],
          requestBody: body("UpdateReview", { rating: 4 }),
          responses: {
            200: reviewAnswer("The changed review.", "ReviewUpdated"),
            400: refusal(
              "The body does not allow it.",
              texts.noFields,
              texts.badRating,
              ...BAD_COMMENT,
            ),
            ...unauthorized,
            403: refusal(
              "The review is somebody else's, or too old.",
              texts.editNotOwn,
              texts.editTooLate,
            ),
            404: refusal("There is no such review.", texts.reviewNotFound),
            ...changed,
            ...tooMany,
            ...always(texts.updateFailed),
          },
        },
        delete: {
          operationId: "deleteReview",
          tags: ["Reviews"],
          summary: "Delete one's own review",
          security: currentUser,
          parameters: [reviewId, ifMatch],
          responses: {
            200: answer("The review is gone.", "ReviewDeleted"),
            ...unauthorized,
            403: refusal("The review is somebody else's.", texts.deleteNotOwn),
            404: refusal("There is no such review.", texts.reviewNotFound),
            ...changed,
            ...tooMany,
            ...always(texts.deleteFailed),
          },
        },
      },
      "/api/tours/{id}": {
        get: {
          operationId: "getTour",
          tags: ["Tours"],
          summary: "A tour with its ratings",
          security: anyone,
          parameters: [
            {
              name: "id",
              in: "path",
              required: true,
              description: "The tour's id. What is no id is an unknown tour.",
              schema: { type: "string", minLength: 1 },
              example: EXAMPLE_TOUR,
            },
          ],
          responses: {
            200: answer("The tour.", "TourBody"),
            404: refusal("There is no such tour.", texts.tourNotFound),
            ...always("Failed to fetch tour"),
          },
        },
      },
      "/api/openapi.json": {
        get: {
          operationId: "getOpenApi",
          tags: ["Meta"],
          summary: "This document",
          security: anyone,
          responses: {
            200: answer("The OpenAPI document of this API.", "OpenApi"),
            ...always(DOCUMENT_FAILURE),
          },
        },
      },
    },
    components: {
      schemas: componentSchemas(),
      headers: {
        RequestId: {
          description: "Names this request in the server's log.",
          schema: { type: "string", format: "uuid" },
        },
        ETag: {
          description: "Weak tag of the list, for If-None-Match.",
          schema: { type: "string", pattern: '^W/"[A-Za-z0-9_-]+"$' },
        },
        ReviewTag: {
          description: "Strong tag of the review's state, for If-Match.",
          schema: { type: "string", pattern: '^"[A-Za-z0-9_-]+"$' },
        },
        IdempotentReplayed: {
          description: "The review was made by an earlier request with the same Idempotency-Key.",
          required: false,
          schema: { const: "true" },
        },
        Allow: {
          description: "The methods of this path.",
          schema: { type: "string" },
          example: "GET, HEAD, POST",
        },
        RetryAfter: {
          description: "After how many seconds the next request is answered.",
          schema: { type: "integer", minimum: 1 },
        },
      },
      responses: {
        Unauthorized: refusal("There is no current user.", texts.unauthorized),
        MethodNotAllowed: {
          ...refusal("What any method that the path does not have gets.", "Method not allowed"),
          headers: {
            Allow: { $ref: "#/components/headers/Allow" },
            "X-Request-Id": { $ref: "#/components/headers/RequestId" },
          },
        },
        TooManyRequests: {
          ...refusal(
            `More than ${WRITES_A_MINUTE} changes by one user within a minute.`,
            texts.tooManyRequests,
          ),
          headers: {
            "Retry-After": { $ref: "#/components/headers/RetryAfter" },
            "X-Request-Id": { $ref: "#/components/headers/RequestId" },
          },
        },
        BodyTooLarge: refusal("The body is larger than 64 KiB.", "Request body too large"),
      },
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "A personal access token, made with `npm run token -- --email EMAIL`.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          // Browsers keep the prefixed name to https (session.server.ts).
          name: appUrl.startsWith("https:") ? "__Host-session" : "session",
          description: "The cookie that the log-in form sets.",
        },
      },
    },
  };
}

const listHeaders = {
  ETag: { $ref: "#/components/headers/ETag" },
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
};

/** The text of the 500 of the document itself. */
export const DOCUMENT_FAILURE = "Failed to make the OpenAPI document";
