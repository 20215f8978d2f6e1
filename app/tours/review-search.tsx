import { Form } from "@remix-run/react";
import { LONGEST_SEARCH } from "~/lib/review-limits";
import type { Topic } from "~/reviews/topics/topics";
import { tourPath } from "~/ui/paths";
import { reviewsAddress, type Selection, SORTED_FROM } from "./tour-address";

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
