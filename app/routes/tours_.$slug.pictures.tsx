import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { withTourPage } from "~/server/for-routes.server";
import { PicturePage } from "~/tours/picture-page";
import { getTourPicture } from "~/tours/picture-page.server";

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export const loader = ({ request, params }: LoaderFunctionArgs) =>
  withTourPage(
    request,
    getTourPicture(params.slug ?? "", new URL(request.url).searchParams.get("n")),
  );

export default function TourPicture() {
  return <PicturePage {...useLoaderData<typeof loader>()} />;
}
