import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { withLinkPage } from "~/server/pages.server";
import { denyReport, findMailedReceipt, openReceipt } from "~/moderation/reports/receipts.server";
import { mailedReceiptPath } from "~/moderation/labels";
import { unlisted } from "~/ui/site";

const OPEN = "open";
const DENY = "deny";
export const INTENTS = [OPEN, DENY];

export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => unlisted("Your report");

const GONE =
  "The address may be incomplete: open the whole link from our e-mail. If it still doesn’t work, the report has been deleted since, and nobody writes to you about it.";

export async function loader({ params }: LoaderFunctionArgs) {
  const receipt = await withLinkPage(findMailedReceipt(params.token ?? ""), GONE);
  if (receipt.path !== null) throw redirect(receipt.path);
  return receipt;
}

// A button opens the receipt and not the link, which the programs that check e-mails open, too.
export async function action({ request, params }: ActionFunctionArgs) {
  const token = params.token ?? "";
  const intent = formText(await request.formData(), "intent");
  try {
    await (intent === DENY ? denyReport : openReceipt)(token, clientAddress());
    return redirect(mailedReceiptPath(token));
  } catch (error) {
    return refusedForm(error);
  }
}

export default function MailedReceiptPage() {
  const { hasAddress } = useLoaderData<typeof loader>();
  const { token = "" } = useParams();
  const refused = useActionData<typeof action>();
  const path = mailedReceiptPath(token);
  return (
    <div className="narrow stack-l">
      <ErrorSummary errors={refused?.errors} />
      {hasAddress ? (
        <div className="stack">
          <h1>Did you send this report?</h1>
          <p className="lead">
            Somebody reported a review or a reply, and gave the e-mail address to which this link
            was sent.
          </p>
          <Form method="post" className="row">
            <SubmitButton action={path} name="intent" value={OPEN}>
              Yes, show my report
            </SubmitButton>
            <SubmitButton action={path} className="button-quiet" name="intent" value={DENY}>
              No, remove my address
            </SubmitButton>
          </Form>
        </div>
      ) : (
        <div className="stack">
          <h1>Your address is not in this report</h1>
          <p className="lead">We won’t e-mail you about it again.</p>
        </div>
      )}
    </div>
  );
}
