import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { publicMeta } from "~/ui/meta.server";
import { NothingFound } from "~/tours/search/nothing-found";
import { PageLinks } from "~/ui/page-links";
import { SEARCH_FORM, SearchForm } from "~/tours/search/search-form";
import { SearchNote, TypedWords } from "~/tours/search/search-note";
import { TourCards } from "~/tours/tour-card";
import { env } from "~/infra/env.server";
import { isolated } from "~/infra/text";
import { tourSorts, type TourSort } from "~/tours/search/sorts";
import { nothingFound, searchTours } from "~/tours/search/search.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const words = searchParams.get("q")?.trim() ?? "";
  const sorts = tourSorts(words !== "");
  const sort = sorts.find((name) => name === searchParams.get("sort")) ?? sorts[0];
  const asked = searchParams.get("page") ?? "1";
  const page = /^[1-9]\d{0,5}$/.exec(asked)?.[0] ?? "1";
  const found = await searchTours(words, sort, Number(page));
  // The number of tours changes: a visitor with an old link wants the end of the list, at its own
  // address. An emptied field leads to the address of all tours.
  const isEmpty = searchParams.has("q") && words === "";
  if (isEmpty || (!found.preparing && asked !== String(found.page)))
    throw redirect(addressOf({ words, sort, page: found.page }));
  const nothing = words && found.total === 0 && !found.preparing ? await nothingFound(words) : null;
  // A search is no page of its own to search engines.
  const url = env().appUrl + (words ? "/" : addressOf({ words, sort: sorts[0], page: found.page }));
  const title = words ? `Tours: ${isolated(words)}` : "Guided tours and their reviews";
  const meta = publicMeta({
    title: title + (found.pages > 1 ? `, page ${found.page} of ${found.pages}` : ""),
    description:
      "Guided tours, reviewed by explorers. Every review shows whether the reviewer booked the tour.",
    url,
  });
  return { words, sort, meta, ...found, nothing };
}

function addressOf({ words, sort, page }: { words: string; sort: TourSort; page: number }): string {
  const query = new URLSearchParams({
    ...(words && { q: words }),
    ...(sort !== tourSorts(words !== "")[0] && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query ? `/?${query}` : "/";
}

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data?.meta ?? [{ title: "Tour Reviews" }];

const SORT_NAMES: Record<TourSort, string> = {
  match: "Best match",
  best: "Best rated",
  reviewed: "Most reviewed",
  newest: "Newest",
};

export default function Tours() {
  const {
    tours,
    total,
    page,
    pages,
    words,
    sort,
    preparing,
    nothing,
    partial,
    mistyped,
    corrected,
  } = useLoaderData<typeof loader>();
  const sorts = tourSorts(words !== "");
  const count = `${total.toLocaleString("en-GB")} ${total === 1 ? "tour" : "tours"}`;
  return (
    <div className="stack-l">
      <div className="stack">
        <h1>Guided tours, reviewed by explorers</h1>
        <p className="lead">Every review shows whether the reviewer booked the tour.</p>
      </div>
      <div className="stack">
        <SearchForm words={words} sort={sort === sorts[0] ? undefined : sort} />
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
            <span>{preparing ? "" : count}</span>
            {partial ? (
              <span key="partial">
                {" "}
                without <TypedWords words={partial.leftOut} /> · <Link to="/">show all</Link>
              </span>
            ) : (
              words && (
                <span key="all">
                  {" "}
                  for “<bdi translate="no">{words}</bdi>” · <Link to="/">show all</Link>
                </span>
              )
            )}
          </p>
        </div>
        {sort === "best" && (
          <details className="hint">
            <summary>How “Best rated” is ordered</summary>
            <p>
              It takes the number of reviews into account: a single 5-star review does not rank
              above a hundred reviews with 4.8 stars.
            </p>
          </details>
        )}
      </div>
      <SearchNote partial={partial} mistyped={mistyped} corrected={corrected} />
      {nothing ? (
        <NothingFound words={words} {...nothing} />
      ) : tours.length === 0 ? (
        <p className="empty">
          {preparing
            ? "The list of tours is being prepared. Please load this page again in a moment."
            : "There are no tours yet."}
        </p>
      ) : (
        <TourCards tours={tours} level="h2" />
      )}
      <PageLinks
        page={page}
        pages={pages}
        to={(other) => addressOf({ words, sort, page: other })}
      />
    </div>
  );
}
