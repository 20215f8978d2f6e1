import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { env } from "~/infra/env.server";
import { isolated } from "~/infra/text";
import { ListHead } from "~/tours/search/list-head";
import { listAddress, listQueryOf } from "~/tours/search/list-query";
import { NothingFound } from "~/tours/search/nothing-found";
import { SearchNote } from "~/tours/search/search-note";
import { nothingFound, searchTours } from "~/tours/search/search.server";
import { TourCards } from "~/tours/tour-card";
import { publicMeta } from "~/ui/meta.server";
import { PageLinks } from "~/ui/page-links";

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const query = listQueryOf(searchParams);
  const { words } = query;
  const found = await searchTours(query);
  const { page, pages, total, preparing } = found;
  // The number of tours changes: a visitor with an old link wants the end of the list, at its own
  // address. An emptied field leads to the address of all tours.
  const isEmpty = searchParams.has("q") && words === "";
  const asked = searchParams.get("page") ?? "1";
  if (isEmpty || (!preparing && asked !== String(page)))
    throw redirect(listAddress({ ...query, page }));
  const meta = publicMeta({
    title:
      (words ? `Tours: ${isolated(words)}` : "Guided tours and their reviews") +
      (pages > 1 ? `, page ${page} of ${pages}` : ""),
    description:
      "Guided tours, reviewed by explorers. Every review shows whether the reviewer booked the tour.",
    // A search is no page of its own to search engines.
    url: env().appUrl + (words ? "/" : listAddress({ page })),
  });
  const nothing = words && total === 0 && !preparing ? await nothingFound(words) : null;
  return { ...query, ...found, nothing, meta };
}

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data?.meta ?? [{ title: "Tour Reviews" }];

export default function Tours() {
  const list = useLoaderData<typeof loader>();
  const { tours, words, nothing, preparing } = list;
  return (
    <div className="stack-l">
      <div className="stack">
        <h1>Guided tours, reviewed by explorers</h1>
        <p className="lead">Every review shows whether the reviewer booked the tour.</p>
      </div>
      <ListHead {...list} />
      <SearchNote {...list} />
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
        page={list.page}
        pages={list.pages}
        to={(page) => listAddress({ ...list, page })}
      />
    </div>
  );
}
