import type { LoaderFunctionArgs } from "@remix-run/node";
import { dataFile } from "~/http/data-file.server";
import { requireUser, withoutPage } from "~/http/pages.server";
import { exportData } from "~/services/accounts/personal-data.server";

export const loader = withoutPage(async ({ request }: LoaderFunctionArgs) => {
  // After the log-in comes the page with the link: a client-side navigation cannot show a file.
  const user = await requireUser(request, "/me/account");
  return dataFile(await exportData(user));
});
