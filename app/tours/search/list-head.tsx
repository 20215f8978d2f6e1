import { Link } from "@remix-run/react";
import { Filter } from "~/ui/filter";
import {
  type Days,
  listAddress,
  type ListQuery,
  type TourSort,
  tourSorts,
  toursInWords,
} from "./list-query";
import { SEARCH_FORM, SearchForm } from "./search-form";
import { TypedWords } from "./search-note";
import type { TourSearch } from "./search.server";

const SORT_NAMES: Record<TourSort, string> = {
  match: "Best match",
  best: "Best rated",
  reviewed: "Most reviewed",
  newest: "Newest",
};

/** The search and the order of tours, and how many it has found. */
export function ListHead({
  words,
  sort,
  from,
  to,
  total,
  preparing,
  partial,
  days,
  usual,
}: ListQuery &
  Pick<TourSearch, "total" | "preparing" | "partial" | "days"> & {
    usual: ({ name: string } & Days)[];
  }) {
  const sorts = tourSorts(words !== "");
  const rest = days?.rest ?? words;
  return (
    <div className="stack">
      <SearchForm words={words} sort={sort === sorts[0] ? undefined : sort} days={{ from, to }} />
      <nav aria-label="Days" className="chips">
        {usual.map(({ name, ...these }) => (
          <Link
            key={name}
            to={listAddress({ words: rest, sort, ...these })}
            aria-current={these.from === days?.from && these.to === days.to ? "true" : undefined}
          >
            {name}
          </Link>
        ))}
        {days && (
          <Filter key="days" name={days.inWords} without={listAddress({ words: rest, sort })} />
        )}
      </nav>
      <div className="row spread">
        {/* Buttons of the search, so that what is typed and not yet sent is sent along, also without scripts. */}
        <div role="group" aria-label="Sort tours by" className="chips">
          {sorts.map((name) => (
            <button
              key={name}
              type="submit"
              form={SEARCH_FORM}
              // The best match is the default of a search, and there is none without one.
              {...(name !== "match" && { name: "sort", value: name })}
              aria-current={name === sort ? "true" : undefined}
            >
              {SORT_NAMES[name]}
            </button>
          ))}
        </div>
        <p className="muted small" role="status">
          <span>{preparing ? "" : toursInWords(total)}</span>
          {partial ? (
            <span key="partial">
              {" "}
              without <TypedWords words={partial.leftOut} /> · <Link to="/">show all</Link>
            </span>
          ) : (
            rest && (
              <span key="all">
                {" "}
                for “<bdi translate="no">{rest}</bdi>” · <Link to="/">show all</Link>
              </span>
            )
          )}
        </p>
      </div>
      {sort === "best" && (
        <details className="hint">
          <summary>How “Best rated” is ordered</summary>
          <p>
            It takes the number of reviews into account: a single 5-star review does not rank above
            a hundred reviews with 4.8 stars.
          </p>
        </details>
      )}
    </div>
  );
}
