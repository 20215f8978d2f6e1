import { Form, Link } from "@remix-run/react";
import { LONGEST_SEARCH } from "~/lib/review-limits";
import { tourPath } from "~/ui/paths";
import { reviewsInWords, shownMean } from "~/ui/stars";
import { reviewsAddress, type Selection, SORTED_FROM } from "./tour-address";

export interface Topic {
  word: string;
  count: number;
  mean: number;
}

interface Props {
  tour: { slug: string; reviewCount: number };
  selection: Selection;
  mentioned: Topic[];
}

/** Searches the words of a tour's reviews. A topic that is searched is said below, where it can be taken away. */
export function ReviewSearch({ tour: { slug, reviewCount }, selection, mentioned }: Props) {
  const { words } = selection;
  if (reviewCount < SORTED_FROM && !words) return null;
  const isTopic = mentioned.some(({ word }) => word === words);
  // Hidden fields of the form: parameters of the address that are not defaults.
  const others = new URL(reviewsAddress(slug, { ...selection, words: "" }), "http://localhost");
  const [topic] = mentioned;
  return (
    <Form
      action={`${tourPath(slug)}#reviews`}
      role="search"
      aria-label="Search reviews"
      className="search review-search no-print"
    >
      {[...others.searchParams].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor="review-words" className="visually-hidden">
        Search reviews
      </label>
      <input
        key={words}
        id="review-words"
        name="q"
        type="search"
        dir="auto"
        defaultValue={isTopic ? "" : words}
        maxLength={LONGEST_SEARCH}
        placeholder={topic ? `Search reviews, such as ${topic.word}` : "Search reviews"}
      />
      <button type="submit" className="button button-quiet">
        Search
      </button>
    </Form>
  );
}

/** Frequent topics of the tour's reviews; the link of the selected one clears it. */
export function Topics({ tour: { slug }, selection, mentioned }: Props) {
  if (mentioned.length === 0) return null;
  return (
    <nav className="chips topics no-print" aria-label="Often mentioned">
      {mentioned.map(({ word, count, mean }) => {
        const isSearched = word === selection.words;
        const words = isSearched ? "" : word;
        return (
          <Link
            key={word}
            to={reviewsAddress(slug, { ...selection, words, stars: null, language: null })}
            aria-current={isSearched ? "true" : undefined}
          >
            <bdi>{word}</bdi>
            <span className="count" aria-hidden="true">
              {mean > 0 ? `${count} · ${shownMean(mean)}` : count}
            </span>
            <span className="visually-hidden">
              {`, ${reviewsInWords(count)}${mean > 0 ? `, ${shownMean(mean)} stars` : ""}`}
            </span>
          </Link>
        );
      })}
    </nav>
  );
}
