import { z } from "zod";
import { RateLimitError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { LONGEST_SEARCH } from "~/lib/review-limits";
import type { CursorCodec } from "./cursor.server";

// Query parameters that all lists of the API share; the texts of errors name the parameter.

const MOST_ON_PAGE = 100;

export const queryNumber = (name: string, from: number, to: number) => {
  const error = `${name} must be an integer between ${from} and ${to}`;
  return z.coerce.number({ error }).int({ error }).min(from, { error }).max(to, { error });
};

/** How many a page has at most. */
export const pageSize = queryNumber("limit", 1, MOST_ON_PAGE)
  .optional()
  .meta({ description: "How many a page has at most: 20 without it.", examples: [50] });

export const wordsParameter = z
  .string()
  .max(LONGEST_SEARCH, { error: `q must have at most ${LONGEST_SEARCH} characters` })
  .optional();

const PREPARING_SECONDS = 5;

/** Refuses a search that cannot be answered yet. */
export const notPrepared = () => new RateLimitError(503, texts.searchPreparing, PREPARING_SECONDS);

/** Names the place where the page before ended. */
export const cursorParameter = ({ decode }: Pick<CursorCodec<unknown>, "decode">) =>
  z
    .string()
    .refine((value) => decode(value) !== null, { error: texts.badCursor })
    .optional()
    .meta({ description: "The cursor that the `Link` of the page before has." });
