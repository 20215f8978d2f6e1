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
import { isAsked } from "./list-title";
import { SEARCH_FORM, SearchForm } from "./search-form";
import type { TourSearch } from "./search.server";

const SORT_NAMES: Record<TourSort, string> = {
  match: "Best match",
  best: "Best rated",
  reviewed: "Most reviewed",
  newest: "Newest",
};

type Props = ListQuery &
  Pick<TourSearch, "total" | "preparing" | "days"> & {
    usual: ({ name: string } & Days)[];
  };

/** The search, and one row with what it asks for, days that are often asked for, and the order. */
export function ListHead(list: Props) {
  const { words, sort, from, to, total, preparing, days, usual } = list;
  const sorts = tourSorts(words !== "");
  const rest = days?.rest ?? words;
  return (
    <div className="list-head">
      <SearchForm words={words} sort={sort === sorts[0] ? undefined : sort} days={{ from, to }} />
      <p className="visually-hidden" role="status">
        {preparing ? "" : toursInWords(total)}
      </p>
      <div className="chips chip-row">
        <nav aria-label="Days" className="chips">
          {days && (
            <Filter key="days" name={days.inWords} without={listAddress({ words: rest, sort })} />
          )}
          {isAsked(list) && (
            <Link key="all" to="/">
              Show all
            </Link>
          )}
          {usual.map(({ name, ...these }) => (
            <Link
              key={name}
              to={listAddress({ words: rest, sort, ...these })}
              aria-current={these.from === days?.from && these.to === days.to ? "true" : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
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
      </div>
    </div>
  );
}
