import { Readable } from "node:stream";
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { requireUser, withoutPage } from "~/http/pages.server";
import { exportData } from "~/services/accounts/personal-data.server";

export const loader = withoutPage(async ({ request }: LoaderFunctionArgs) => {
  // After the log-in comes the page with the link: a client-side navigation cannot show a file.
  const user = await requireUser(request, "/me/account");
  const data = Readable.from(await exportData(user));
  return new Response(createReadableStreamFromReadable(data), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="tour-reviews.json"',
      "Cache-Control": "no-store",
    },
  });
});
