import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useSearchParams } from "@remix-run/react";
import { ErrorSummary, Field, SubmitButton } from "~/components/forms";
import { RESET_PATH } from "~/components/paths";
import { authenticator } from "~/http/current-user.server";
import { safeRedirect } from "~/http/redirects.server";
import { refusedForm, text } from "~/http/forms.server";
import { requireNobody } from "~/http/pages.server";
import { startSession } from "~/http/session.server";

export { headers } from "~/http/retry-after.server";

export const meta: MetaFunction = () => [{ title: "Log in · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requireNobody(request);
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    const user = await authenticator.authenticate("form", request);
    return redirect(safeRedirect(form.get("redirectTo")), {
      headers: { "Set-Cookie": await startSession(request, user.id) },
    });
  } catch (error) {
    // The address is sent back into its field, the password never is.
    return refusedForm(error, { email: text(form, "email") });
  }
}

export default function LogIn() {
  const refused = useActionData<typeof action>();
  const [search] = useSearchParams();
  return (
    <div className="narrow stack">
      <h1>Log in</h1>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" className="form">
        <input type="hidden" name="redirectTo" value={search.get("redirectTo") ?? "/"} />
        <Field
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={refused?.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <div className="row">
          <SubmitButton action="/login">Log in</SubmitButton>
        </div>
      </Form>
      <p>
        <Link to={RESET_PATH}>Forgotten your password?</Link>
      </p>
      <p>
        No account yet? <Link to={{ pathname: "/signup", search: search.toString() }}>Sign up</Link>
      </p>
    </div>
  );
}
