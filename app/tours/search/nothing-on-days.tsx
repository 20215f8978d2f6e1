import { Link } from "@remix-run/react";
import { listAddress, type ListQuery, toursInWords } from "./list-query";

interface Props extends Pick<ListQuery, "sort" | "from"> {
  /** The words of the search beside those of a date. */
  rest: string;
  later: number;
  always: number;
}

/** Where tours match, but none of them leaves on the days. */
export function NothingOnDays({ rest: words, sort, from, later, always }: Props) {
  return (
    <div className="card stack">
      <h2>No tour leaves on these days</h2>
      <p>Try other days.</p>
      <p className="chips">
        {later > 0 && (
          <Link key="later" to={listAddress({ words, sort, from })}>
            {`From then on: ${toursInWords(later)}`}
          </Link>
        )}
        <Link key="always" to={listAddress({ words, sort })}>
          {`On any day: ${toursInWords(always)}`}
        </Link>
      </p>
    </div>
  );
}
