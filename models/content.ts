/** The words of a review, which an operator can remove. */
export interface Words {
  comment: string | null;
}

/** All that an author writes in a review. */
export interface Content extends Words {
  /** Null where a platform has stored no rating that counts. */
  rating: number | null;
}

/** A review without its words. */
export const NO_WORDS: Words = { comment: null };

const NOTHING: Content = { rating: null, ...NO_WORDS };

export const WORD_FIELDS = Object.keys(NO_WORDS) as (keyof Words)[];
export const CONTENT_FIELDS = Object.keys(NOTHING) as (keyof Content)[];

/** Returns what a review says, where an empty text is none. */
export const reviewContent = <Rating extends number | null>({
  rating,
  comment,
}: Content & { rating: Rating }): Content & { rating: Rating } => ({
  rating,
  comment: comment || null,
});
