import type { LoaderFunctionArgs } from "@remix-run/node";
import { dataFile } from "~/server/data-file.server";
import { requireUser, withoutPage } from "~/server/pages.server";
import { exportData } from "~/personal-data/export.server";

export const loader = withoutPage(async ({ request }: LoaderFunctionArgs) => {
  // After the log-in comes the page with the link: a client-side navigation cannot show a file.
  const user = await requireUser(request, "/me/account");
  return dataFile(await exportData(user));
});
