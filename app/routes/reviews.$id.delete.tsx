import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DeletionQuestion } from "~/reviews/delete-review";
import { tourPath } from "~/ui/paths";
import { redirectWithNotice, requireUser, withErrorPage } from "~/server/pages.server";
import { safeRedirect } from "~/server/redirects.server";
import { isolated } from "~/lib/text";
import { countWrite } from "~/accounts/caller.server";
import { deleteReview } from "~/reviews/delete.server";
import { getDeletableReview } from "~/reviews/own-review.server";
import { pageTexts } from "~/lib/refusal-texts";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  titled(`Delete your review of ${isolated(data?.tour.title ?? "")}`),
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const found = await withErrorPage(getDeletableReview(user, params.id ?? ""));
  return { ...found, back: returnPath(new URL(request.url).searchParams.get("back")) };
}

/** The page of the user's own reviews, where it was deleted from; empty for another one. */
const returnPath = (asked: FormDataEntryValue | null) =>
  /^\/me([?#].*)?$/.exec(safeRedirect(asked))?.input ?? "";

// The dialog on a tour's page loads this by a fetcher, which must not reload a deleted review.
export const shouldRevalidate = () => false;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const { id, tour } = await withErrorPage(getDeletableReview(user, params.id ?? ""));
  const back = returnPath((await request.formData()).get("back"));
  await withErrorPage(countWrite(user));
  await withErrorPage(deleteReview(user, id));
  return redirectWithNotice(request, back || tourPath(tour.slug), pageTexts.deleted);
}

export default function DeleteReview() {
  const review = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack">
      <h1>Delete your review?</h1>
      <DeletionQuestion review={review} />
    </div>
  );
}
