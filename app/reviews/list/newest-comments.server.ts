import type { TourDocument } from "#models/tour";
import { MINUTE_MS } from "~/lib/durations";
import { firstCharacters, withoutControls } from "~/lib/text";
import { type Author, findAuthors } from "~/accounts/people.server";
import { detectCommentLanguages, hasComment } from "./commented.server";
import { cachedByVersion } from "./cached-by-version.server";
import { newestReviews } from "./newest-reviews.server";
import { REVIEWS_PER_PAGE } from "./page.server";

/** As many as on the tour's page, so that both read alike. */
const MOST_REVIEWS = REVIEWS_PER_PAGE + 1;
const LENGTH = 110;
/** UTF-16 units of a comment that are read. */
const READ_UNITS = 2_000;
const PAGE_LANGUAGE = "en";
/** Stands for the mean of an unrated tour: no number of stars is next to it. */
const UNRATED = 10;
const KEPT_MS = 5 * MINUTE_MS;

export interface Quote {
  text: string;
  /** As a BCP 47 tag; null when it is not certain. */
  language: string | null;
  rating: number | null;
  user: Author;
}

type QuotedTour = Pick<TourDocument, "_id" | "avgRating" | "reviewCount" | "ratingsVersion">;

/**
 * Returns a new comment of each tour, by its id, as far as whole sentences of it fit: of those whose stars are next to
 * the rounded mean, in the language of the pages if there are any, the most detailed; null where its newest reviews
 * have none. A tour whose reviews have not changed since costs no query, another one a small one.
 */
export async function findQuotes(tours: readonly QuotedTour[]): Promise<Map<string, Quote | null>> {
  const quotes = await Promise.all(
    tours.map(async (tour) => {
      const read = async () => ({ quote: await readQuote(tour) });
      const kept = tour.reviewCount > 0 && (await cachedByVersion(tour, "quote", KEPT_MS, read));
      return { id: tour._id.toString(), quote: kept ? kept.quote : null };
    }),
  );
  const authors = await findAuthors(quotes.flatMap(({ quote }) => quote?.userId ?? []));
  return new Map(
    quotes.map(({ id, quote }) => {
      if (!quote) return [id, null];
      const { userId, ...shown } = quote;
      return [id, { ...shown, user: authors.get(userId) }];
    }),
  );
}

/** Reads a quote without its author, whom another cache has. */
async function readQuote({ _id: tourId, avgRating }: QuotedTour) {
  const newest = await newestReviews({ tourId }, { limit: MOST_REVIEWS, after: null });
  const commented = newest.filter(hasComment);
  const languages = await detectCommentLanguages(commented);
  const quotes = commented.flatMap(({ comment, rating, userId }, n) => {
    const language = languages[n] ?? null;
    const text = firstSentences(comment, language);
    return text ? [{ text, language, rating, userId: userId.toString() }] : [];
  });
  const away = ({ rating }: { rating: number | null }) =>
    Math.abs((rating ?? UNRATED) - Math.round(avgRating));
  const isForeignLanguage = ({ language }: { language: string | null }) =>
    Number(language !== PAGE_LANGUAGE);
  const [best] = quotes.sort(
    (a, b) =>
      away(a) - away(b) ||
      isForeignLanguage(a) - isForeignLanguage(b) ||
      b.text.length - a.text.length,
  );
  return best ?? null;
}

/** Empty when the first sentence is too long: a part of it may say the opposite. */
function firstSentences(comment: string, language: string | null): string {
  const text = withoutControls(comment.slice(0, READ_UNITS)).replace(/\s+/g, " ").trim();
  const sentences = new Intl.Segmenter(language ?? PAGE_LANGUAGE, { granularity: "sentence" });
  let quoted = "";
  for (const { segment } of sentences.segment(text)) {
    const longer = quoted + segment;
    if (firstCharacters(longer, LENGTH) !== longer) break;
    quoted = longer;
  }
  return quoted.trim();
}
