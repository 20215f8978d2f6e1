import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, useActionData, useNavigation, useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { authenticator, currentUser, safeRedirect, text } from "~/server/auth.server";
import { startSession } from "~/server/session.server";
import { ServiceError } from "~/services/errors.server";

export const meta: MetaFunction = () => [{ title: "Log in · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  // After a failed log-in Remix loads the page with the form's own headers: that one shows its error.
  if (!request.headers.has("Content-Type") && (await currentUser(request)))
    throw redirect(safeRedirect(new URL(request.url).searchParams.get("redirectTo")));
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
    if (!(error instanceof ServiceError)) throw error;
    // The address comes back into its field, the password never does.
    return data({ error: error.message, email: text(form, "email") }, { status: error.status });
  }
}

export default function LogIn() {
  const failure = useActionData<typeof action>();
  const [search] = useSearchParams();
  const busy = useNavigation().formAction?.startsWith("/login");
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (failure) summary.current?.focus();
  }, [failure]);
  return (
    <>
      <h1>Log in</h1>
      {failure && (
        <p className="error" role="alert" tabIndex={-1} ref={summary} id="login-error">
          {failure.error}
        </p>
      )}
      <Form method="post" className="form">
        <input type="hidden" name="redirectTo" value={search.get("redirectTo") ?? "/"} />
        <label htmlFor="email">E-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={failure?.email}
          aria-describedby={failure && "login-error"}
        />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          aria-describedby={failure && "login-error"}
        />
        <button disabled={busy}>Log in</button>
      </Form>
    </>
  );
}
