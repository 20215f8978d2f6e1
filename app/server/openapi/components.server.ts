import { z } from "zod";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import { texts } from "~/infra/refusal-texts";
import { refusalTexts } from "~/server/refusals.server";
import { type ComponentName, EXAMPLE_REVIEW } from "./schemas.server";

// Parts that several operations share: headers, refusals, and how a client says who it is.

export const headers = {
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
    description: "The number of seconds after which the next request is answered.",
    schema: { type: "integer", minimum: 1 },
  },
};
export type HeaderRefs = Record<string, keyof typeof headers>;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export const json = (schema: ComponentName, rest: object = {}) => ({
  "application/json": { schema: ref("schemas", schema), ...rest },
});

/** References to these headers, and to the one that every response has. */
export const headersOf = (named: HeaderRefs = {}) =>
  mapEntries({ ...named, "X-Request-Id": "RequestId" }, (header, name) => [
    header,
    ref("headers", name),
  ]);

/** The record with other keys and values. */
export const mapEntries = <Value, Mapped>(
  record: Record<string, Value>,
  map: (key: string, value: Value) => [string, Mapped],
) => Object.fromEntries(Object.entries(record).map(([key, value]) => map(key, value)));

export const refusal = ([description, ...errors]: readonly string[], named?: HeaderRefs) => ({
  description,
  headers: headersOf(named),
  content: json("Error", {
    examples: Object.fromEntries(errors.map((error) => [slug(error), { value: { error } }])),
  }),
});

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");

export const responses = {
  Unauthorized: refusal(["There is no current user.", texts.unauthorized]),
  MethodNotAllowed: refusal(
    ["The answer to any method that the path does not have.", refusalTexts[405]],
    { Allow: "Allow" },
  ),
  TooManyRequests: refusal(
    [`More than ${WRITES_A_MINUTE} changes by one user within a minute.`, texts.tooManyRequests],
    { "Retry-After": "RetryAfter" },
  ),
  BodyTooLarge: refusal(["The body is larger than 64 KiB.", refusalTexts[413]]),
};
export const responseRef = (name: keyof typeof responses) => ref("responses", name);

const link = (operationId: string, parameters: Record<string, string>, description: string) => ({
  operationId,
  parameters,
  description,
});
const reviewOfBody = { id: "$response.body#/review/id" };
const tourOfBody = { tourId: "$response.body#/tour/id" };

/** The links from an answer to the next request, with the runtime expressions of its parameters. */
export const links = {
  Review: link("getReview", reviewOfBody, "The review, with its ETag."),
  EditReview: link("updateReview", reviewOfBody, "Edit it, with its ETag as If-Match."),
  DeleteReview: link("deleteReview", reviewOfBody, "Delete it, with its ETag as If-Match."),
  TourOfReview: link("getTour", { id: "$response.body#/review/tourId" }, "The reviewed tour."),
  ReviewsOfTour: link("listReviews", tourOfBody, "The tour's reviews."),
};
export const linksTo = (names: (keyof typeof links)[]) =>
  Object.fromEntries(names.map((name) => [name, ref("links", name)]));

/** How a client of the site at `appUrl` says who it is (docs/rules/accounts.md, Current user). */
export const securitySchemes = (appUrl: string) => ({
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A personal access token, created on the account page or with `npm run token -- --email EMAIL`. A request with a revoked or expired token is not logged in, even with a valid cookie.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    // Browsers accept the prefixed name over https only (session.server.ts).
    name: appUrl.startsWith("https:") ? "__Host-session" : "session",
    description:
      "The cookie that the log-in form sets. It stays valid beside an `Authorization` header of any scheme but Bearer.",
  },
});

/** An operation as the document describes it. `openApiDocument` adds what operations have in common. */
export interface Operation {
  id: string;
  tag: "Reviews" | "Tours" | "Meta";
  summary: string;
  description: string;
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
  unchanged?: string;
  /** By status: what it means, and each text that it may have. */
  refusals?: Record<number, readonly [description: string, ...errors: string[]]>;
  failure: string;
}

export const idOf = (kind: string, example: string) =>
  z.object({
    id: z
      .string()
      .min(1)
      .meta({
        description: `The ${kind}'s id. A value that is not an id is an unknown ${kind}.`,
        examples: [example],
      }),
  });
export const reviewId = idOf("review", EXAMPLE_REVIEW);

export const REVIEW_TAG = '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"';
export const ifMatch = z.object({
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
export const ifNoneMatch = (example: string) =>
  z.object({
    "If-None-Match": z
      .string()
      .optional()
      .meta({
        description: "The ETag of the client's copy, or several, separated by commas.",
        examples: [example],
      }),
  });

export const reviewTag = { ETag: "ReviewTag" } as const;
export const noReview = { 404: ["There is no such review.", texts.reviewNotFound] } as const;
