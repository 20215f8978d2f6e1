import { z } from "zod";
import { texts } from "~/lib/refusal-texts";
import type { ComponentName } from "./schemas.server";

// An operation in short, and what several of them name. document.server.ts adds what all have in common.

export interface Operation {
  id: string;
  summary: string;
  description: string;
  /** Whether it is about the user who asks. */
  ofCaller?: boolean;
  /** Whether only programs of the platform may do it. */
  ofService?: boolean;
  /** Describes a 201, of an operation that otherwise answers 200. */
  created?: string;
  query?: z.ZodObject;
  header?: z.ZodObject;
  body?: {
    schema: ComponentName;
    example: object;
    /** The same with a record on each line. */
    asLines?: { schema: ComponentName; example: string };
    /** Says how large it may be; 64 KiB without it. */
    most?: string;
  };
  success: {
    /** Without it 201 for POST and 200 for all others. */
    status?: number;
    description: string;
    schema: ComponentName;
    /** The answer to lines. */
    asLines?: ComponentName;
    headers?: HeaderNames;
    links?: (keyof typeof linkComponents)[];
  };
  /** Describes a 204. */
  nothing?: string;
  /** Describes a 304. */
  unchanged?: string;
  /** Says for a status when it comes, and each text that it may have. */
  refusals?: Record<number, readonly [description: string, ...errors: string[]]>;
  /** The text of a 500 (docs/rules/requests.md, Errors). */
  failure: string;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Operations = Record<string, Partial<Record<Method, Operation>>>;

export const headerComponents = {
  RequestId: {
    description: "Names this request in the server's log.",
    schema: { type: "string", format: "uuid" },
  },
  ETag: {
    description: "Weak tag of the list, for If-None-Match.",
    schema: { type: "string", pattern: '^W/"[A-Za-z0-9_-]+"$' },
  },
  Link: {
    description: "Names the next page, if there is one (RFC 8288).",
    required: false,
    schema: { type: "string" },
    example:
      '<https://reviews.example.com/api/tours?limit=20&after=5_2_66a1f0c2d4e5f60718293a4b_0>; rel="next"',
  },
  ReviewTag: {
    description: "Strong tag of the review's state, for If-Match.",
    schema: { type: "string", pattern: '^"[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)?"$' },
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
    description: "The number of seconds after which the next request is answered.",
    schema: { type: "integer", minimum: 1 },
  },
  NothingStored: {
    description:
      "Nothing of the change is stored, because the service was too busy; the number of seconds after which to send it again. Without this header it may be stored.",
    required: false,
    schema: { type: "integer", minimum: 1 },
  },
};
export type HeaderNames = Record<string, keyof typeof headerComponents>;

const link = (operationId: string, parameters: Record<string, string>, description: string) => ({
  operationId,
  parameters,
  description,
});
const id = "$response.body#/review/id";

/** The links from an answer to the next request, with the runtime expressions of its parameters. */
export const linkComponents = {
  Review: link("getReview", { id }, "The review, with its ETag."),
  EditReview: link("updateReview", { id }, "Edit it, with its ETag as If-Match."),
  DeleteReview: link("deleteReview", { id }, "Delete it, with its ETag as If-Match."),
  TourOfReview: link("getTour", { id: "$response.body#/review/tourId" }, "The reviewed tour."),
  ReviewsOfTour: link("listReviews", { tourId: "$response.body#/tour/id" }, "The tour's reviews."),
};

export const REVIEW_TAG = '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"';

const tags = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

export const ifMatch = z.object({
  "If-Match": tags(
    "Succeeds only in this state: the ETag of an earlier answer, or several, separated by commas, or `*`. Weak tags never match.",
    REVIEW_TAG,
  ),
});

/** The header of a GET that answers 304 to a client that already has the current state. */
export const ifNoneMatch = (example: string) =>
  z.object({
    "If-None-Match": tags(
      "The ETag of the client's copy, or several, separated by commas.",
      example,
    ),
  });

export const reviewTagHeader = { ETag: "ReviewTag" } as const;

export const WEAK_TAG = 'W/"n4bQgYhMfWWaL-qgxVrQFaO_Txs"';

export const noTour = ["There is no such tour.", texts.tourNotFound] as const;
export const preparing = ["A search is not prepared yet.", texts.searchPreparing] as const;
