import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  appealSanction,
  deleteSuspended,
  findSanction,
} from "~/moderation/sanctions/sanction-page.server";
import { SanctionStatement } from "~/moderation/sanctions/sanction-statement";
import { withErrorPage } from "~/server/pages.server";
import { answerStatement } from "~/server/statement-action.server";
import { sanctionPath } from "~/ui/labels";

export { INTENTS, statementMeta as meta } from "~/moderation/statement-page";
export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

export async function loader({ params }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  return { ...(await withErrorPage(findSanction(token))), path: sanctionPath(token) };
}

export const action = (args: ActionFunctionArgs) =>
  answerStatement(args, {
    path: sanctionPath,
    appeal: appealSanction,
    remove: deleteSuspended,
    removed: "account",
  });

export default function SanctionPage() {
  const statement = useLoaderData<typeof loader>();
  return <SanctionStatement statement={statement} refused={useActionData<typeof action>()} />;
}
