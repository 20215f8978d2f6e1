import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Review, type ReviewDocument } from "#models/review";
import { batchesOf } from "~/db/batches";
import { hasComment } from "~/reviews/list/commented.server";
import { languageDetector, type LanguageOfText } from "~/search/text-language.server";
import { keysOf } from "./words-of-review.server";

/** The newest of all tours. */
const REVIEWS = 20_000;
const READ_AT_ONCE = 1_000;
/** As a multiple of how long reading a part took. */
const REST = 3;
const KEPT_MS = 60 * 60_000;

/** How often words stand in the comments of all tours. */
export interface Corpus {
  /** By language and stem, how many comments have it. */
  having: Map<string, number>;
  /** By language, how many comments there are; "" for an uncertain one. */
  comments: Map<string, number>;
  /** Whether all reviews were counted. */
  isComplete: boolean;
}

let kept: { corpus: Promise<Corpus>; at: number } | undefined;

/** Returns what was counted within the last hour, or counts. */
export function getCorpus(stopped: AbortSignal): Promise<Corpus> {
  if (!kept || performance.now() - kept.at > KEPT_MS) {
    const counting = countCorpus(stopped);
    counting.catch(() => (kept = undefined));
    kept = { corpus: counting, at: performance.now() };
  }
  return kept.corpus;
}

/** Counts the words of the newest reviews, with a quarter of a core. */
export async function countCorpus(stopped: AbortSignal): Promise<Corpus> {
  const corpus: Corpus = { having: new Map(), comments: new Map(), isComplete: true };
  const newest = Review.find({}, "comment")
    .sort({ _id: -1 })
    .limit(REVIEWS)
    .lean<ReviewDocument>()
    .cursor({ batchSize: READ_AT_ONCE });
  const languageOf = await languageDetector();
  let read = 0;
  for await (const batch of batchesOf(newest, READ_AT_ONCE)) {
    const began = performance.now();
    for (const review of batch) {
      if (++read % 20 === 0) await setImmediate();
      if (hasComment(review)) addTo(corpus, review.comment!, languageOf);
    }
    stopped.throwIfAborted();
    if (batch.length === READ_AT_ONCE)
      await sleep(REST * (performance.now() - began), undefined, { ref: false, signal: stopped });
  }
  corpus.isComplete = read < REVIEWS;
  // A word that one comment has tells nothing, and half of all words are such.
  for (const [key, count] of corpus.having) if (count === 1) corpus.having.delete(key);
  return corpus;
}

function addTo({ having, comments }: Corpus, comment: string, languageOf: LanguageOfText): void {
  const tag = languageOf(comment);
  comments.set(tag ?? "", (comments.get(tag ?? "") ?? 0) + 1);
  for (const key of keysOf(comment, tag)) having.set(key, (having.get(key) ?? 0) + 1);
}
