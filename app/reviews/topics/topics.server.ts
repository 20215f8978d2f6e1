import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Types } from "mongoose";
import { Review, type ReviewDocument } from "#models/review";
import type { ReviewIndexDocument } from "#models/review-index";
import type { TourDocument } from "#models/tour";
import { HOUR_MS } from "~/lib/durations";
import { findAuthors } from "~/accounts/people.server";
import { cursorBatches } from "~/db/batches";
import { cached } from "~/lib/cache.server";
import { detectCommentLanguages, hasComment } from "~/reviews/list/commented.server";
import { matchRows, type ReviewRow } from "../words/rows.server";
import {
  isMeaningful,
  wordKeys,
  findMarks,
  pairsWith,
  searchesFor,
  languageTag,
} from "../words/words-of-review.server";

const FEWEST_COMMENTS = 20;
const FEWEST_WITH_WORD = 3;
const FEWEST_WORDS = 3;
const MOST_WORDS = 8;
/** Least log-likelihood, for a significance of p < 0.01. */
const LEAST_LIKELIHOOD = 6.63;
/** Least ratio of a word's frequency to its frequency elsewhere. */
const LEAST_RATIO = 2;
/** Reviews from which a word's spelling and its neighbour are taken. */
const SPELLED_IN = 20;
/** The share of a word's reviews from which on a phrase stands for the word. */
const MOSTLY = 0.6;

interface WordCounts {
  /** How many comments have a word. */
  having: number;
  comments: number;
}

interface IndexedReviews {
  rows: ReviewRow[];
  tags: string[];
  /** The numbers of the rows that have each word. */
  places: Map<string, number[]>;
  corpus: Corpus;
}

/**
 * Returns the three to eight topics of a tour: phrases and words that its comments have far more often than those of
 * other tours in the same language, with how many have them and their mean stars (docs/rules/reviews.md, Listing).
 */
export async function mentionedOften(
  tour: Pick<TourDocument, "title" | "location" | "createdById">,
  { rows, tags, places, corpus }: IndexedReviews,
): Promise<ReviewIndexDocument["mentioned"]> {
  const written = rows.filter(({ hasComment }) => hasComment);
  if (written.length < FEWEST_COMMENTS) return [];
  const inLanguage = new Map<string, number>();
  for (const { language } of written)
    inLanguage.set(language ?? "", (inLanguage.get(language ?? "") ?? 0) + 1);
  const named = await wordsOfNames(tour, tags);
  const candidates = [...places]
    .filter(
      ([key, { length }]) => length >= FEWEST_WITH_WORD && !named.has(key) && isMeaningful(key),
    )
    .map(([key, numbers]) => {
      const tag = languageTag(key) ?? "";
      const here = { having: numbers.length, comments: inLanguage.get(tag) ?? 0 };
      const all = {
        having: corpus.having.get(key) ?? 0,
        comments: corpus.comments.get(tag) ?? 0,
      };
      return {
        key,
        numbers,
        likelihood: likelihood(here, corpus.isComplete ? minus(all, here) : all),
      };
    })
    .filter((candidate) => candidate.likelihood >= LEAST_LIKELIHOOD)
    .sort((a, b) => b.likelihood - a.likelihood || (a.key < b.key ? -1 : 1));

  const phrases: ReviewIndexDocument["mentioned"] = [];
  const words: ReviewIndexDocument["mentioned"] = [];
  const known = new Set<string>();
  // As a search for it finds them, in all languages.
  const countMatches = (word: string) => {
    const searches = [...searchesFor(word, tags).values()];
    for (const search of searches) for (const form of search?.keys.flat() ?? []) known.add(form);
    const matches = matchRows(searches, (form) => places.get(form) ?? [], rows.length);
    const having = rows.filter((_, n) => matches[n]);
    const ratings = having.flatMap(({ rating }) => rating ?? []);
    const mean = ratings.reduce((sum, rating) => sum + rating, 0) / (ratings.length || 1);
    return { word, count: having.length, mean };
  };
  for (const { key, numbers } of candidates) {
    if (phrases.length + words.length >= MOST_WORDS) break;
    if (known.has(key)) continue;
    const read = numbers.slice(0, SPELLED_IN).flatMap((n) => rows[n]?._id ?? []);
    const { word, phrase } = await mostWrittenForms(key, read);
    if (!word) continue;
    const single = countMatches(word);
    const pair = phrase && countMatches(phrase);
    if (pair) phrases.push(pair);
    if (!pair || pair.count < single.count * MOSTLY) words.push(single);
  }
  const mentioned = [...phrases, ...words].slice(0, MOST_WORDS);
  return mentioned.length < FEWEST_WORDS ? [] : mentioned;
}

/**
 * Dunning's log-likelihood of a word in some of these comments and some of those elsewhere (Computational Linguistics
 * 19, 1993); 0 for one that is not much more frequent here.
 */
function likelihood(here: WordCounts, there: WordCounts): number {
  if (there.comments === 0) return 0;
  if (here.having * there.comments < LEAST_RATIO * there.having * here.comments) return 0;
  const share = (here.having + there.having) / (here.comments + there.comments);
  const part = ({ having, comments }: WordCounts) =>
    having > 0 ? having * Math.log(having / (comments * share)) : 0;
  return 2 * (part(here) + part(there));
}

const minus = (all: WordCounts, some: WordCounts): WordCounts => ({
  having: Math.max(0, all.having - some.having),
  comments: Math.max(0, all.comments - some.comments),
});

/** The words of title, place and guide's name say nothing new about the tour. */
async function wordsOfNames(
  { title, location, createdById }: Pick<TourDocument, "title" | "location" | "createdById">,
  tags: string[],
): Promise<Set<string>> {
  const guideId = createdById.toString();
  const guide = (await findAuthors([guideId], { remember: false })).get(guideId);
  const names = [title, location, guide.name].join(" ");
  return new Set([null, ...tags].flatMap((tag) => [...wordKeys(names, tag)]));
}

/**
 * Returns a word as most of these reviews write it, and the two words in a row, of which it is one, that at least three
 * of them have; neither when they have changed meanwhile.
 */
async function mostWrittenForms(key: string, ids: Types.ObjectId[]) {
  const reviews = await Review.find({ _id: { $in: ids } }, "comment").lean<ReviewDocument[]>();
  const spellings: string[] = [];
  const pairs = new Map<string, string[]>();
  for (const review of reviews) {
    const comment = review.comment ?? "";
    for (const [from, to] of findMarks(comment, { tag: languageTag(key), keys: [[key]] }))
      spellings.push(comment.slice(from, to));
    for (const [pair, spelling] of pairsWith(key, comment))
      pairs.set(pair, [...(pairs.get(pair) ?? []), spelling]);
  }
  const often = [...pairs.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  return {
    word: mostFrequent(spellings),
    phrase: often.length >= FEWEST_WITH_WORD ? mostFrequent(often) : undefined,
  };
}

function mostFrequent(texts: string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Most reviews that are counted, the newest of all tours. */
const REVIEWS = 20_000;
const READ_AT_ONCE = 1_000;
/** The pause after a part, as a multiple of the time that reading it took. */
const REST = 3;
const KEPT_MS = HOUR_MS;
const MOST_BYTES = 16 * 1024 * 1024;
/** More than the words of one comment take. */
const COMMENT_BYTES = 1024 * 1024;

/** How often words stand in the comments of all tours. */
export interface Corpus {
  /** How many comments have a word, by language and stem. */
  having: Map<string, number>;
  /** How many comments there are, by language; "" for an uncertain one. */
  comments: Map<string, number>;
  /** Whether all reviews were counted. */
  isComplete: boolean;
}

const corpora = cached<Corpus, AbortSignal>({
  name: "words of all reviews",
  ttl: KEPT_MS,
  maxBytes: MOST_BYTES,
  bytesOf: ({ having }) => [...having.keys()].reduce((sum, key) => sum + keyBytes(key), 0),
  load: (_key, stopped) => countCorpus(stopped),
});

/** Returns what was counted within the last hour, or counts. */
export const getCorpus = (stopped: AbortSignal): Promise<Corpus> =>
  corpora.forceFetch("", { context: stopped });

/** The bytes of a key with its place in the map. */
const keyBytes = (key: string) => 100 + 2 * key.length;

/** Counts the words of the newest reviews, as far as there is room for them, with a quarter of a core. */
export async function countCorpus(
  stopped: AbortSignal,
  { mostBytes = MOST_BYTES - COMMENT_BYTES } = {},
): Promise<Corpus> {
  const corpus: Corpus = { having: new Map(), comments: new Map(), isComplete: true };
  const newest = Review.find({}, "comment")
    .sort({ _id: -1 })
    .limit(REVIEWS)
    .lean<ReviewDocument>()
    .cursor({ batchSize: READ_AT_ONCE });
  let read = 0;
  let bytes = 0;
  for await (const batch of cursorBatches(newest, READ_AT_ONCE)) {
    const began = performance.now();
    const languages = await detectCommentLanguages(batch);
    for (const [n, review] of batch.entries()) {
      if (++read % 20 === 0) await setImmediate();
      if (hasComment(review) && bytes < mostBytes)
        bytes += addTo(corpus, review.comment, languages[n] ?? null);
    }
    stopped.throwIfAborted();
    if (bytes >= mostBytes) break;
    if (batch.length === READ_AT_ONCE)
      await sleep(REST * (performance.now() - began), undefined, { ref: false, signal: stopped });
  }
  corpus.isComplete = read < REVIEWS && bytes < mostBytes;
  // A word that one comment has tells nothing, and half of all words are such.
  for (const [key, count] of corpus.having) if (count === 1) corpus.having.delete(key);
  return corpus;
}

/** Returns how many bytes the words take that are new. */
function addTo({ having, comments }: Corpus, comment: string, tag: string | null): number {
  comments.set(tag ?? "", (comments.get(tag ?? "") ?? 0) + 1);
  let bytes = 0;
  for (const key of wordKeys(comment, tag)) {
    if (!having.has(key)) bytes += keyBytes(key);
    having.set(key, (having.get(key) ?? 0) + 1);
  }
  return bytes;
}
