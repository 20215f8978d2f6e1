import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";

interface Props {
  /** Empty on pages without a search. */
  words: string;
  /** An order that is not the default. */
  sort?: string | undefined;
}

export const SEARCH_FORM = "search";

/** Searches the tours. The field stays the same one, with its focus and with what is typed meanwhile. */
export function SearchForm({ words, sort }: Props) {
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
      className="search"
      onSubmit={() => {
        sent.current = field.current?.value ?? "";
      }}
    >
      <div className="field">
        <label htmlFor="q">Search tours</label>
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
      {/* The first button of the form: the field's Enter sends it. */}
      <button type="submit" className="button" {...(sort && { name: "sort", value: sort })}>
        Search
      </button>
    </Form>
  );
}
