import { Link } from "@remix-run/react";
import { TourCards } from "~/tours/tour-card";
import { toursInWords } from "~/tours/tours-in-words";
import { type Days, listAddress, type ListQuery } from "./list-query";
import type { NothingFound as Help, OtherDays, WiderSearch } from "./nothing-found.server";

export function NothingFound({
  words,
  common,
  nearest,
  single,
  places,
  best,
}: Help & { words: string }) {
  return (
    <>
      <div className="card stack">
        <h2>
          {common
            ? "Too common to search for"
            : words
              ? "No tour matches these words"
              : "No tour fits all of this"}
        </h2>
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
          <p>Try fewer or different words.</p>
        )}
        {single.length > 0 && (
          <nav key="single" aria-label="Single words" className="chips">
            {single.map((word) => (
              <Link key={word} to={listAddress({ words: word })}>
                <span>
                  Only “<bdi translate="no">{word}</bdi>”
                </span>
              </Link>
            ))}
          </nav>
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

interface Props {
  list: ListQuery;
  days: (Days & { rest: string }) | null;
  others: OtherDays | null;
  wider: WiderSearch[];
}

/** Where tours match, but none of them leaves on the days, or keeps to all limits. */
export function NothingWithin({ list, days, others, wider }: Props) {
  const isOnDays = days !== null && others !== null && others.always > 0;
  const any = { ...list, page: 1, from: null, to: null, words: days?.rest ?? list.words };
  return (
    <div className="card stack">
      <h2>{!isOnDays ? "No tour fits all of this" : `Nothing on ${others.day ?? "these days"}`}</h2>
      {isOnDays && others.nearest.length > 0 && (
        <nav key="nearest" aria-label="Nearest days" className="row">
          <span>Nearest:</span>
          <span className="chips">
            {others.nearest.map(({ day, name, tours }) => (
              <Link key={day} to={listAddress({ ...any, from: day, to: day })}>
                <span>{name}</span>
                <span className="count">{`(${tours.toLocaleString("en-GB")})`}</span>
              </Link>
            ))}
          </span>
        </nav>
      )}
      <p className="chips">
        {isOnDays && others.later > 0 && (
          <Link key="later" to={listAddress({ ...any, from: days.from })}>
            {`From that day: ${toursInWords(others.later)}`}
          </Link>
        )}
        {isOnDays && (
          <Link key="always" to={listAddress(any)}>
            {`Any day: ${toursInWords(others.always)}`}
          </Link>
        )}
        {wider.map(({ inWords, search, tours }) => (
          <Link key={inWords} to={listAddress({ ...search, page: 1 })}>
            {`${inWords}: ${toursInWords(tours)}`}
          </Link>
        ))}
      </p>
    </div>
  );
}
