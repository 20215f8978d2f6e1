import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireUser, withErrorPage, withoutPage } from "~/server/pages.server";
import { getReceipt } from "~/reviews/signed-texts.server";

export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  // After the log-in comes the page with the link: a client-side navigation cannot show a file.
  const user = await requireUser(request, "/me");
  const id = params.id ?? "";
  return new Response(await withErrorPage(getReceipt(user, id)), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="review-${id}.txt"`,
      "Cache-Control": "no-store",
    },
  });
});
