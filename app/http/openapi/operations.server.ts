import { z } from "zod";
import { CreateReviewHeaders, ListReviewsQuery } from "../../services/reviews/schemas";
import { texts } from "../../services/texts";
import { FindTourQuery } from "../../services/tours/tours.server";
import type { Method } from "../api-route.server";
import type { HeaderRefs, links } from "./components.server";
import { type ComponentName, EXAMPLE_REVIEW, EXAMPLE_TOUR } from "./schemas.server";

/** An operation as the document describes it. `openApiDocument` adds what operations have in common. */
export interface Operation {
  id: string;
  tag: "Reviews" | "Tours" | "Meta";
  summary: string;
  description: string;
  /** Its parameters, by where they stand. */
  path?: z.ZodObject;
  query?: z.ZodObject;
  header?: z.ZodObject;
  body?: { schema: ComponentName; example: object };
  success: {
    status?: 201;
    description: string;
    schema: ComponentName;
    headers?: HeaderRefs;
    links?: (keyof typeof links)[];
  };
  /** What a 304 means. */
  unchanged?: string;
  /** By status: what it means, and each text that it may have. */
  refusals?: Record<number, readonly [description: string, ...errors: string[]]>;
  /** The text of a 500. */
  failure: string;
}

const idOf = (kind: string, example: string) =>
  z.object({
    id: z
      .string()
      .min(1)
      .meta({
        description: `The ${kind}'s id. A value that is not an id is an unknown ${kind}.`,
        examples: [example],
      }),
  });
const reviewId = idOf("review", EXAMPLE_REVIEW);

const REVIEW_TAG = '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"';
const ifMatch = z.object({
  "If-Match": z
    .string()
    .optional()
    .meta({
      description:
        "Succeeds only if the review is in this state: the ETag of an earlier answer, or several, separated by commas, or `*`. Weak tags never match.",
      examples: [REVIEW_TAG],
    }),
});
/** The header of a GET that answers 304 to a client that already has the current state. */
const ifNoneMatch = (example: string) =>
  z.object({
    "If-None-Match": z
      .string()
      .optional()
      .meta({
        description: "The ETag of the client's copy, or several, separated by commas.",
        examples: [example],
      }),
  });

const reviewTag = { ETag: "ReviewTag" } as const;
const tourAnswer: Operation["success"] = {
  description: "The tour.",
  schema: "TourBody",
  links: ["ReviewsOfTour"],
};
const badComment = [texts.commentNotString, texts.commentTooLong];
const noReview = { 404: ["There is no such review.", texts.reviewNotFound] } as const;
const noTour = { 404: ["There is no such tour.", texts.tourNotFound] } as const;
const changedMeanwhile = {
  412: ["The review is in none of the states that If-Match names.", texts.changedMeanwhile],
} as const;

/**
 * Every operation under /api, by its path and method: what the document describes, which methods a route
 * answers (`Allow`), and the text of its 500.
 */
export const operations = {
  "/api/reviews": {
    GET: {
      id: "listReviews",
      tag: "Reviews",
      summary: "All reviews of a tour, newest first",
      description:
        "Open to everybody. Of two reviews posted at the same moment the one with the larger id comes first. The answer has a weak ETag: with If-None-Match an unchanged list is not sent again.",
      query: ListReviewsQuery,
      header: ifNoneMatch('W/"n4bQgYhMfWWaL-qgxVrQFaO_Txs"'),
      success: {
        description: "The reviews, none for an unknown tour.",
        schema: "ReviewList",
        headers: { ETag: "ETag" },
      },
      unchanged: "The list is still the one of If-None-Match. No body.",
      refusals: { 400: ["No tour is named.", texts.tourIdRequired] },
      failure: texts.listFailed,
    },
    POST: {
      id: "createReview",
      tag: "Reviews",
      summary: "Review a tour after a completed booking",
      description:
        "An explorer reviews a tour once, after a booking that was completed. The tour's ratings are recomputed in the same transaction, and its guide is told by e-mail.",
      header: CreateReviewHeaders,
      body: {
        schema: "CreateReview",
        example: { tourId: EXAMPLE_TOUR, rating: 5, comment: "The view from the wall at dusk!" },
      },
      success: {
        status: 201,
        description: "The stored review.",
        schema: "ReviewCreated",
        headers: { ...reviewTag, "Idempotent-Replayed": "IdempotentReplayed" },
        links: ["Review", "EditReview", "DeleteReview", "TourOfReview"],
      },
      refusals: {
        400: [
          "The body, or the caller's standing with the tour, does not allow it.",
          texts.badKey,
          texts.missingFields,
          texts.badRating,
          ...badComment,
          texts.ownTour,
          texts.alreadyReviewed,
          texts.notCompleted,
        ],
        ...noTour,
        422: ["The key belongs to another request.", texts.keyReused],
      },
      failure: texts.createFailed,
    },
  },
  "/api/reviews/{id}": {
    GET: {
      id: "getReview",
      tag: "Reviews",
      summary: "One review",
      description:
        "Open to everybody. Its strong ETag names the review's rating and comment and is for If-Match; a new name or picture of the author does not change it. With If-None-Match an unchanged review is not sent again.",
      path: reviewId,
      header: ifNoneMatch(REVIEW_TAG),
      success: {
        description: "The review.",
        schema: "ReviewBody",
        headers: reviewTag,
        links: ["EditReview", "DeleteReview", "TourOfReview"],
      },
      unchanged: "The review is still in the state of If-None-Match. No body.",
      refusals: noReview,
      failure: texts.reviewFailed,
    },
    PATCH: {
      id: "updateReview",
      tag: "Reviews",
      summary: "Edit one's own review within 24 hours",
      description:
        "Changes only the fields that are sent; a comment of null or an empty one removes it. Sends no e-mail. With If-Match it overwrites nothing that the client has not seen.",
      path: reviewId,
      header: ifMatch,
      body: { schema: "UpdateReview", example: { rating: 4 } },
      success: {
        description: "The changed review.",
        schema: "ReviewUpdated",
        headers: reviewTag,
        links: ["Review", "EditReview", "DeleteReview", "TourOfReview"],
      },
      refusals: {
        400: ["The body does not allow it.", texts.noFields, texts.badRating, ...badComment],
        403: ["The review is somebody else's, or too old.", texts.editNotOwn, texts.editTooLate],
        ...noReview,
        ...changedMeanwhile,
      },
      failure: texts.updateFailed,
    },
    DELETE: {
      id: "deleteReview",
      tag: "Reviews",
      summary: "Delete one's own review",
      description:
        "At any time, only by its author. The tour's ratings are recomputed in the same transaction. Has no body.",
      path: reviewId,
      header: ifMatch,
      success: { description: "The review is gone.", schema: "ReviewDeleted" },
      refusals: {
        403: ["The review is somebody else's.", texts.deleteNotOwn],
        ...noReview,
        ...changedMeanwhile,
      },
      failure: texts.deleteFailed,
    },
  },
  "/api/tours": {
    GET: {
      id: "findTour",
      tag: "Tours",
      summary: "A tour with its ratings, by its slug",
      description:
        "Open to everybody. A page's address ends with the slug of its tour; a client gets here the id that all other operations need.",
      query: FindTourQuery,
      success: tourAnswer,
      refusals: { 400: ["No slug is named.", texts.slugRequired], ...noTour },
      failure: texts.tourFailed,
    },
  },
  "/api/tours/{id}": {
    GET: {
      id: "getTour",
      tag: "Tours",
      summary: "A tour with its ratings",
      description:
        "Open to everybody. The mean and the counts are those of all reviews that were stored before the request arrived.",
      path: idOf("tour", EXAMPLE_TOUR),
      success: tourAnswer,
      refusals: noTour,
      failure: texts.tourFailed,
    },
  },
  "/api/openapi.json": {
    GET: {
      id: "getOpenApi",
      tag: "Meta",
      summary: "This document",
      description: "Open to everybody. Generated from the schemas that validate requests.",
      success: { description: "The OpenAPI document of this API.", schema: "OpenApi" },
      failure: texts.documentFailed,
    },
  },
} satisfies Record<string, Partial<Record<Method, Operation>>>;
