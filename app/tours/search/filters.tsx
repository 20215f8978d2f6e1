import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type Limit, LIMITS } from "~/search/limits";
import type { ListQuery } from "./list-query";
import { SEARCH_FORM } from "./search-form";
import type { TourSearch } from "./search.server";

const NAMES: Record<Limit, { label: string; any: string }> = {
  language: { label: "Language", any: "Any language" },
  price: { label: "Price", any: "Any price" },
  age: { label: "Child’s age", any: "Any age" },
  hours: { label: "Duration", any: "Any duration" },
};

/** "In German" */
export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Fields of the search's form, folded; they close when they have led to other tours. */
export function Filters({
  limits,
  choices,
  isSorted,
  ...list
}: ListQuery & Pick<TourSearch, "limits" | "choices"> & { isSorted: boolean }) {
  const { key } = useLocation();
  const details = useRef<HTMLDetailsElement>(null);
  const openedAt = useRef(key);
  useEffect(() => {
    if (openedAt.current !== key) details.current?.removeAttribute("open");
    openedAt.current = key;
  }, [key]);
  const offered = LIMITS.filter((limit) => choices && choices[limit].length > 0);
  if (!choices || offered.length === 0) return null;
  return (
    <details className="filters no-print" ref={details}>
      <summary>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M1 4h14M4 8h8M6.5 12h3" stroke="currentColor" strokeWidth="1.6" />
        </svg>
        <span>Filters</span>
        {limits.length > 0 && (
          <span key="on" className="badge">
            <span>{limits.length}</span>
            <span className="visually-hidden"> on</span>
          </span>
        )}
      </summary>
      <div className="card">
        {offered.map((limit) => {
          const value = String(list[limit] ?? "");
          // Named by words of the search: a chip takes it away.
          const typed = value === "" && limits.find((one) => one.limit === limit);
          return (
            <div key={limit} className="field">
              <label htmlFor={limit}>{NAMES[limit].label}</label>
              <select key={value} id={limit} name={limit} form={SEARCH_FORM} defaultValue={value}>
                <option value="">{typed ? capitalised(typed.inWords) : NAMES[limit].any}</option>
                {choices[limit].map(({ value, name, tours }) => (
                  <option key={value} value={value}>
                    {`${name} (${tours})`}
                  </option>
                ))}
              </select>
            </div>
          );
        })}
        <button
          type="submit"
          form={SEARCH_FORM}
          className="button"
          {...(isSorted && { name: "sort", value: list.sort })}
        >
          Show tours
        </button>
      </div>
    </details>
  );
}
