import type { LoaderFunctionArgs } from "@remix-run/node";
import { clientAddress } from "~/server/current-user.server";
import { dataFile } from "~/server/data-file.server";
import { withErrorPage, withoutPage } from "~/server/pages.server";
import { exportSuspended } from "~/moderation/sanctions/sanction-page.server";

export const loader = withoutPage(async ({ params }: LoaderFunctionArgs) =>
  dataFile(await withErrorPage(exportSuspended(params.token ?? "", clientAddress()))),
);
