import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { env } from "~/config/env.server";
import { appeal, deleteRemoved, findCaseView } from "~/moderation/case-page.server";
import { CaseStatement } from "~/moderation/case-statement";
import { withLinkPage } from "~/server/pages.server";
import { answerStatement } from "~/server/statement-action.server";
import { casePath } from "~/moderation/labels";

export { INTENTS, statementMeta as meta } from "~/moderation/statement-page";
export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

const GONE =
  "The address may be incomplete: open the whole link from our e-mail. If it still doesn’t work, the report has been deleted since.";

export async function loader({ params }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  const path = casePath(token);
  return { ...(await withLinkPage(findCaseView(token), GONE)), path, link: env().appUrl + path };
}

export const action = (args: ActionFunctionArgs) =>
  answerStatement(args, {
    path: casePath,
    appeal,
    remove: deleteRemoved,
    removed: "review",
  });

export default function CasePage() {
  const statement = useLoaderData<typeof loader>();
  return <CaseStatement statement={statement} refused={useActionData<typeof action>()} />;
}
