import { z } from "zod";
import { texts } from "../../services/texts";
import type { HeaderRefs, links } from "./components.server";
import { type ComponentName, EXAMPLE_REVIEW } from "./schemas.server";

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
