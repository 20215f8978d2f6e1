import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useSearchParams } from "@remix-run/react";
import { ErrorSummary, Field, SubmitButton } from "~/components/forms";
import { clientAddress } from "~/http/current-user.server";
import { safeRedirect } from "~/http/redirects.server";
import { refusedForm, text } from "~/http/forms.server";
import { requireNobody } from "~/http/pages.server";
import { startSession } from "~/http/session.server";
import { signUp } from "~/services/accounts/sign-up.server";

export { headers } from "~/http/retry-after.server";

export const meta: MetaFunction = () => [{ title: "Sign up · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requireNobody(request);
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const values = { name: text(form, "name"), email: text(form, "email") };
  try {
    const account = { ...values, password: text(form, "password") };
    const user = await signUp(account, clientAddress());
    const cookie = await startSession(request, user.id, `Welcome, ${user.name}.`);
    return redirect(safeRedirect(form.get("redirectTo")), { headers: { "Set-Cookie": cookie } });
  } catch (error) {
    return refusedForm(error, { values });
  }
}

export default function SignUp() {
  const refused = useActionData<typeof action>();
  const [search] = useSearchParams();
  const errors = refused?.errors.fields;
  return (
    <div className="narrow stack">
      <h1>Sign up</h1>
      <p className="lead">With an account, you can review the tours that you booked and went on.</p>
      <ErrorSummary errors={refused?.errors} />
      {/* The server reports all errors together, a browser only the first one. */}
      <Form method="post" className="form" noValidate>
        <input type="hidden" name="redirectTo" value={search.get("redirectTo") ?? "/"} />
        <Field
          label="Name"
          name="name"
          hint="Shown next to your reviews."
          autoComplete="name"
          required
          defaultValue={refused?.values.name}
          error={errors?.name}
        />
        <Field
          label="E-mail address"
          name="email"
          type="email"
          hint="You log in with it."
          autoComplete="username"
          required
          defaultValue={refused?.values.email}
          error={errors?.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          hint="At least 10 characters."
          autoComplete="new-password"
          required
          error={errors?.password}
        />
        <div className="row">
          <SubmitButton action="/signup">Sign up</SubmitButton>
        </div>
      </Form>
      <p>
        Already have an account?{" "}
        <Link to={{ pathname: "/login", search: search.toString() }}>Log in</Link>
      </p>
    </div>
  );
}
