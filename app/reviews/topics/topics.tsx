import { Link } from "@remix-run/react";
import { reviewsInWords, shownMean } from "~/ui/stars";

export interface Topic {
  word: string;
  count: number;
  mean: number;
}

interface Props {
  topics: Topic[];
  /** The words that are searched. */
  searched: string;
  /** The address of the reviews that have these words, or of all for none. */
  toAddress: (words: string) => string;
}

/** Frequent topics of a tour's reviews; the link of the selected one clears it. */
export function Topics({ topics, searched, toAddress }: Props) {
  if (topics.length === 0) return null;
  return (
    <nav className="chips topics no-print" aria-label="Often mentioned">
      {topics.map(({ word, count, mean }) => {
        const isSearched = word === searched;
        return (
          <Link
            key={word}
            to={toAddress(isSearched ? "" : word)}
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
