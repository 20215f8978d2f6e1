import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { withTourPage } from "~/server/for-routes.server";
import { TourChanges } from "~/tours/tour-changes";
import { getTourChanges } from "~/tours/tour-changes.server";

export { loadedMeta as meta } from "~/ui/site";

export const loader = ({ request, params }: LoaderFunctionArgs) =>
  withTourPage(
    request,
    getTourChanges(params.slug ?? "", new URL(request.url).searchParams.get("before")),
  );

export default function Changes() {
  return <TourChanges {...useLoaderData<typeof loader>()} />;
}
