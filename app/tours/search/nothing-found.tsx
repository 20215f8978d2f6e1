import { Link } from "@remix-run/react";
import { TourCards } from "~/tours/tour-card";
import type { NothingFound as Help } from "./search.server";
import { listAddress } from "./list-query";

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
