import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { Days } from "./list-query";

interface Props {
  /** Empty on pages without a search. */
  words: string;
  /** An order that is not the default. */
  sort?: string | undefined;
  /** The days of the search, on a page that has fields for them. */
  days?: Days;
}

export const SEARCH_FORM = "search";

/** Searches the tours. The field stays the same one, with its focus and with what is typed meanwhile. */
export function SearchForm({ words, sort, days }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(words);
  useEffect(() => {
    // A visitor who has continued typing is not interrupted; after other links and "back" the field
    // shows that page's search.
    if (field.current?.value === sent.current) field.current.value = words;
    sent.current = words;
  }, [words]);
  return (
    <Form
      id={SEARCH_FORM}
      action="/"
      role="search"
      className={days ? "search search-box" : "search"}
      onSubmit={() => {
        sent.current = field.current?.value ?? "";
      }}
    >
      <div className="field">
        <label htmlFor="q" className={days && "visually-hidden"}>
          Search tours
        </label>
        <input
          id="q"
          name="q"
          type="search"
          dir="auto"
          ref={field}
          defaultValue={words}
          maxLength={200}
          placeholder="Place, guide or keyword"
        />
      </div>
      {days && (
        <div className="days">
          <DayField name="from" label="From" day={days.from} />
          <DayField name="to" label="To" day={days.to} />
        </div>
      )}
      {/* The first button of the form: the field's Enter sends it. */}
      <button type="submit" className="button" {...(sort && { name: "sort", value: sort })}>
        Search
      </button>
    </Form>
  );
}

interface DayFieldProps {
  name: string;
  label: string;
  day: string | null;
}

function DayField({ name, label, day }: DayFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef(day);
  useEffect(() => {
    // The first render leaves the field alone: a day may have been chosen before scripts were there.
    if (field.current && shown.current !== day) field.current.value = day ?? "";
    shown.current = day;
  }, [day]);
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input id={name} name={name} type="date" ref={field} defaultValue={day ?? ""} />
    </div>
  );
}
