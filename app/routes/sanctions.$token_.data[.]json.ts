import { Readable } from "node:stream";
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { clientAddress } from "~/http/current-user.server";
import { withErrorPage, withoutPage } from "~/http/pages.server";
import { exportSuspended } from "~/services/moderation/sanction-statement.server";

export const loader = withoutPage(async ({ params }: LoaderFunctionArgs) => {
  const data = Readable.from(
    await withErrorPage(exportSuspended(params.token ?? "", clientAddress())),
  );
  return new Response(createReadableStreamFromReadable(data), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="tour-reviews.json"',
      "Cache-Control": "no-store",
    },
  });
});
