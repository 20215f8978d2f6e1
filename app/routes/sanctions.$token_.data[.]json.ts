import type { LoaderFunctionArgs } from "@remix-run/node";
import { clientAddress } from "~/http/current-user.server";
import { dataFile } from "~/http/data-file.server";
import { withErrorPage, withoutPage } from "~/http/pages.server";
import { exportSuspended } from "~/services/moderation/sanction-statement.server";

export const loader = withoutPage(async ({ params }: LoaderFunctionArgs) =>
  dataFile(await withErrorPage(exportSuspended(params.token ?? "", clientAddress()))),
);
