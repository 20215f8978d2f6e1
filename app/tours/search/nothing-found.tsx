import { Link } from "@remix-run/react";
import { TourCards } from "~/tours/tour-card";
import type { NothingFound as Help } from "./search.server";
import { listAddress, type ListQuery, toursInWords } from "./list-query";

export function NothingFound({ words, common, nearest, places, best }: Help & { words: string }) {
  return (
    <>
      <div className="card stack">
        <h2>{common ? "Too common to search for" : "No tour matches these words"}</h2>
        {common ? (
          <p key="common">
            “<bdi translate="no">{words}</bdi>” says too little about a tour. Try a place, a guide
            or what you would like to do.
          </p>
        ) : nearest.length > 0 ? (
          <p key="nearest" className="lead">
            Did you mean{" "}
            <span>
              {nearest.map((other, index) => (
                <span key={other}>
                  <span>{index > 0 && " or "}</span>
                  <Link to={listAddress({ words: other })}>
                    <bdi>{other}</bdi>
                  </Link>
                </span>
              ))}
            </span>
            ?
          </p>
        ) : (
          <p>Try fewer words, or other ones.</p>
        )}
        {places.length > 0 && (
          <nav aria-label="Places" className="chips">
            {places.map((place) => (
              <Link key={place} to={listAddress({ words: place })}>
                <bdi>{place}</bdi>
              </Link>
            ))}
          </nav>
        )}
      </div>
      {best.length > 0 && (
        <section className="stack" aria-labelledby="best">
          <h2 id="best">Best rated</h2>
          <TourCards tours={best} level="h3" />
        </section>
      )}
    </>
  );
}

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
