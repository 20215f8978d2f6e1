import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "~/http/pages.server";
import { exportData } from "~/services/accounts/personal-data.server";

export async function loader({ request }: LoaderFunctionArgs) {
  // After the log-in comes the page with the link: a client-side navigation cannot show a file.
  const user = await requireUser(request, "/me/account");
  return new Response(`${JSON.stringify(await exportData(user), null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="tour-reviews.json"',
      "Cache-Control": "no-store",
    },
  });
}
