import { Link } from "@remix-run/react";
import { Filter } from "~/ui/filter";
import { toursInWords } from "~/tours/tours-in-words";
import { type Days, listAddress, type ListQuery, type TourSort, tourSorts } from "./list-query";
import { capitalised, Filters } from "./filters";
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
  Pick<TourSearch, "total" | "preparing" | "days" | "limits" | "choices"> & {
    usual: ({ name: string } & Days)[];
  };

/** The search, and one row with what it asks for, days that are often asked for, and the order. */
export function ListHead(list: Props) {
  const { words, sort, from, to, total, preparing, days, limits, usual } = list;
  const sorts = tourSorts(words !== "");
  const isSorted = sort !== sorts[0];
  const withoutDays = { ...list, words: days?.rest ?? words, from: null, to: null, page: 1 };
  return (
    <div className="list-head">
      <SearchForm words={words} sort={isSorted ? sort : undefined} days={{ from, to }} />
      <p className="visually-hidden" role="status">
        {preparing ? "" : toursInWords(total)}
      </p>
      <div className="list-bar">
        <Filters {...list} isSorted={isSorted} />
        <div className="chips chip-row">
          <nav aria-label="Days and filters" className="chips">
            {limits.map(({ limit, inWords, without }) => (
              <Filter
                key={limit}
                name={capitalised(inWords)}
                without={listAddress({ ...list, ...without, page: 1 })}
              />
            ))}
            {days && <Filter key="days" name={days.inWords} without={listAddress(withoutDays)} />}
            {isAsked(list) && (
              <Link key="all" to="/">
                Show all
              </Link>
            )}
            {usual.map(({ name, ...these }) => (
              <Link
                key={name}
                to={listAddress({ ...withoutDays, ...these })}
                aria-current={
                  these.from === days?.from && these.to === days.to ? "true" : undefined
                }
              >
                {name}
              </Link>
            ))}
          </nav>
          {/* Buttons of the search, so that what is typed and not yet sent is sent along, also without scripts. */}
          {(preparing || total > 0) && (
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
          )}
        </div>
      </div>
    </div>
  );
}
