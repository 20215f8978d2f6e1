import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  appealSanction,
  deleteSuspended,
  findSanction,
} from "~/moderation/sanctions/sanction-page.server";
import { SanctionStatement } from "~/moderation/sanctions/sanction-statement";
import { withLinkPage } from "~/server/pages.server";
import { answerStatement } from "~/server/statement-action.server";
import { sanctionPath } from "~/moderation/labels";

export { INTENTS, statementMeta as meta } from "~/moderation/statement-page";
export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

const GONE =
  "The address may be incomplete: open the whole link from our e-mail. If you are suspended, logging in leads to the same page.";

export async function loader({ params }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  return { ...(await withLinkPage(findSanction(token), GONE)), path: sanctionPath(token) };
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
