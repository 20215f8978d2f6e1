import { Form, Link } from "@remix-run/react";
import { LONGEST_SEARCH } from "~/infra/review-limits";
import { tourPath } from "~/ui/paths";
import { reviewsInWords, shownMean } from "~/ui/stars";
import { reviewsAddress, type Selection } from "./tour-address";

/** Fewer are read faster than searched. */
const FEWEST_REVIEWS = 5;
const MOST_LANGUAGES = 6;

interface Props {
  tour: { slug: string; reviewCount: number };
  selection: Selection;
  languages: { tag: string; name: string; count: number }[];
  mentioned: { word: string; count: number; mean: number }[];
}

const inWords = (count: number, mean: number) =>
  ` in ${reviewsInWords(count)}${mean > 0 ? `, ${shownMean(mean)} out of 5` : ""}`;

/** Searches the words of a tour's reviews, and chooses their language. */
export function ReviewSearch({ tour, selection, languages, mentioned }: Props) {
  const { slug, reviewCount } = tour;
  const { words, language } = selection;
  if (reviewCount < FEWEST_REVIEWS && !words) return null;
  // What the form sends beside the words; the address knows which of it is no default.
  const others = new URL(reviewsAddress(slug, { ...selection, words: "" }), "http://localhost");
  return (
    <>
      <Form
        action={`${tourPath(slug)}#reviews`}
        role="search"
        aria-label="Search reviews"
        className="search no-print"
      >
        {[...others.searchParams].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="field">
          <label htmlFor="review-words">Search reviews</label>
          <input
            key={words}
            id="review-words"
            name="q"
            type="search"
            dir="auto"
            defaultValue={words}
            maxLength={LONGEST_SEARCH}
            placeholder="Such as children, seasick or lunch"
          />
        </div>
        <button type="submit" className="button button-quiet">
          Search
        </button>
      </Form>
      {mentioned.length > 0 && (
        <nav className="row chips no-print" aria-label="Words in many reviews of this tour">
          <span className="muted small">Mentioned often</span>
          {mentioned.map(({ word, count, mean }) => (
            <Link
              key={word}
              to={reviewsAddress(slug, { ...selection, words: word, stars: null, language: null })}
              aria-current={word === words ? "true" : undefined}
            >
              <bdi>{word}</bdi>
              <span className="count" aria-hidden="true">
                {mean > 0 ? `${count} · ${shownMean(mean)}` : count}
              </span>
              <span className="visually-hidden">{inWords(count, mean)}</span>
            </Link>
          ))}
        </nav>
      )}
      {languages.length > 1 && (
        <nav className="chips no-print" aria-label="Language of the reviews">
          {languages.slice(0, MOST_LANGUAGES).map(({ tag, name, count }) => (
            <Link
              key={tag}
              to={reviewsAddress(slug, { ...selection, language: tag })}
              aria-current={tag === language ? "true" : undefined}
            >
              {`${name} ${count.toLocaleString("en-GB")}`}
            </Link>
          ))}
        </nav>
      )}
    </>
  );
}
