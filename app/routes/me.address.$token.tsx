import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { DeadLink, linkMeta } from "~/accounts/log-in/link-page";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH } from "~/ui/paths";
import { refusedForm } from "~/server/form-data.server";
import { redirectWithNotice, requireUser } from "~/server/pages.server";
import { isolated } from "~/lib/text";
import { changeAddress, findAddressChange } from "~/accounts/address.server";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  linkMeta(data?.newEmail && "Confirm your new address");

/** Shows what the link is for and uses nothing up: programs that look into e-mails follow links too. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const newEmail = await findAddressChange(user, params.token ?? "");
  return data({ email: user.email, newEmail }, { status: newEmail ? 200 : 404 });
}

/** After a refusal too, where scripts run: the link may be the reason. */
export const shouldRevalidate = () => true;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  try {
    const email = await changeAddress(user, params.token ?? "");
    return await redirectWithNotice(
      request,
      ACCOUNT_PATH,
      `From now on, you log in with ${isolated(email)}.`,
    );
  } catch (error) {
    return refusedForm(error);
  }
}

export default function ConfirmAddress() {
  const { email, newEmail } = useLoaderData<typeof loader>();
  const { token } = useParams();
  const refused = useActionData<typeof action>();
  if (!newEmail)
    return (
      <DeadLink>
        <Link to={ACCOUNT_PATH} className="button">
          See your account
        </Link>
      </DeadLink>
    );
  return (
    <div className="centred stack">
      <h1>Confirm your new address</h1>
      <p className="lead">
        Your account uses{" "}
        <strong>
          <bdi translate="no">{email}</bdi>
        </strong>
        . Once you confirm, it uses{" "}
        <strong>
          <bdi translate="no">{newEmail}</bdi>
        </strong>{" "}
        instead, to log in and for all e-mails.
      </p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" className="row">
        <SubmitButton action={`/me/address/${token}`}>Use the new address</SubmitButton>
        <Link to={ACCOUNT_PATH}>Keep the current one</Link>
      </Form>
    </div>
  );
}
