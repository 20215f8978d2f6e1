import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { omit } from "es-toolkit";
import {
  cacheable,
  env,
  readLimits,
  nothingFound,
  onOtherDays,
  publicMeta,
  searchTours,
  usualDays,
  withoutLimits,
} from "~/server/for-routes.server";
import { isolated } from "~/lib/text";
import { LIMITS } from "~/search/limits";
import { ListHead } from "~/tours/search/list-head";
import { ignoredDays, listAddress, readListQuery } from "~/tours/search/list-query";
import { AskedTitle, foundToursInWords, isAsked, limitsInWords } from "~/tours/search/list-title";
import { NothingFound, NothingWithin } from "~/tours/search/nothing-found";
import { SearchNote } from "~/tours/search/search-note";
import { TourCards } from "~/tours/tour-card";
import { PageLinks } from "~/ui/page-links";

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const { limits, ignored } = readLimits(searchParams);
  const query = { ...readListQuery(searchParams), ...limits };
  const { words } = query;
  const { dependsOn, ...found } = await searchTours(query, { hasChoices: true });
  const { page, pages, total, preparing, days } = found;
  // The number of tours changes: a visitor with an old link wants the end of the list, at its own
  // address. An emptied field leads to the address of all tours.
  const isEmpty = ["q", "from", "to", ...LIMITS].some(
    (name) => searchParams.get(name)?.trim() === "",
  );
  const asked = searchParams.get("page") ?? "1";
  if (isEmpty || (!preparing && asked !== String(page)))
    throw redirect(listAddress({ ...query, page }));
  const isSearch = isAsked({ ...found, words });
  const forWords = found.told && ` for ${isolated(found.told)}`;
  const meta = publicMeta({
    title:
      (isSearch
        ? [`${foundToursInWords(found)}${forWords}`, ...limitsInWords(found)].join(" · ")
        : "Guided tours and their reviews") + (pages > 1 ? `, page ${page} of ${pages}` : ""),
    description:
      "Guided tours, reviewed by explorers. Every review shows whether the reviewer booked the tour.",
    // A search is no page of its own to search engines.
    url: env().appUrl + (isSearch ? "/" : listAddress({ page })),
  });
  const isFound = total > 0 || preparing;
  const others = days && !isFound ? await onOtherDays(query, days) : null;
  const wider = isFound ? [] : await withoutLimits(query, found.limits, found.rest);
  const isNowhere = !isFound && !others?.always && wider.length === 0;
  const nothing = isSearch && isNowhere ? await nothingFound(found.rest) : null;
  const shown = { usual: usualDays(), ignored: [...ignoredDays(searchParams), ...ignored] };
  return cacheable({
    ...{ ...query, ...found, ...shown, others, wider, meta },
    nothing: nothing && omit(nothing, ["dependsOn"]),
    // Where it shows none of its own, on the best tours, which it offers instead.
    dependsOn: dependsOn && nothing ? nothing.dependsOn : dependsOn,
  });
}

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export default function Tours() {
  const list = useLoaderData<typeof loader>();
  const { tours, nothing, others, wider, preparing } = list;
  return (
    <div className="list">
      {isAsked(list) ? (
        <AskedTitle key="asked" {...list} />
      ) : (
        <div key="all">
          <h1>Guided tours, reviewed by explorers</h1>
          <p className="lead">Every review shows whether the reviewer booked the tour.</p>
        </div>
      )}
      <ListHead {...list} />
      <SearchNote {...list} />
      {wider.length > 0 || (others && others.always > 0) ? (
        <NothingWithin list={list} days={list.days} others={others} wider={wider} />
      ) : nothing ? (
        <NothingFound words={list.rest} {...nothing} />
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
        page={list.page}
        pages={list.pages}
        to={(page) => listAddress({ ...list, page })}
      />
      {list.sort === "best" && tours.length > 0 && (
        <details className="hint">
          <summary>How we rank “Best rated”</summary>
          <p>
            More reviews count for more: one 5-star review doesn’t outrank a hundred averaging 4.8.
          </p>
        </details>
      )}
    </div>
  );
}
