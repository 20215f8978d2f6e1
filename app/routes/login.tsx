import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { CarriedFields, LoggedOut } from "~/reviews/carried-review";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";
import { PasswordField } from "~/accounts/password-field";
import { RESET_PATH } from "~/ui/paths";
import { useByPlatform } from "~/ui/browser/by-platform";
import { OtherForm, SHOW_FORM } from "~/ui/browser/other-form";
import { whyLogIn } from "~/accounts/log-in/why-log-in";
import {
  authenticator,
  carriedFor,
  carriedReview,
  env,
  findSuspensionPath,
  getSession,
  leadToPlatform,
  pathAfterLogIn,
  redirectWithSession,
  refusedForm,
  requireLength,
  requireNobody,
  safeRedirect,
  SuspendedError,
  takeFlash,
  formText,
} from "~/server/for-routes.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/for-routes.server";

export const meta: MetaFunction = () => [
  titled("Log in"),
  {
    name: "description",
    content: "Log in to review the tours that you have been on, and to see your reviews.",
  },
];

export async function loader({ request }: LoaderFunctionArgs) {
  await requireNobody(request);
  const { searchParams } = new URL(request.url);
  // After a refused form, too, Remix loads the page; it must show the errors then.
  if (env().loginUrl && !request.headers.has("Content-Type"))
    throw await leadToPlatform(request, searchParams);
  const to = safeRedirect(searchParams.get("redirectTo"));
  const email = await takeFlash(request, "email");
  return { why: whyLogIn(to), ended: (await getSession(request)).has("ended"), email };
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.clone().formData();
  const email = formText(form, "email");
  const carried = carriedReview(form);
  try {
    if (form.has(SHOW_FORM)) return { errors: undefined, email, carried };
    requireLength(carried);
    if (env().loginUrl) {
      const asked = form.has("redirectTo") ? form : new URL(request.url).searchParams;
      throw await leadToPlatform(request, asked, { carried });
    }
    // Sent on from another page, whose visitor has not tried to log in yet.
    if (carried && !form.has("password"))
      return data({ errors: undefined, email: "", carried }, { status: 401 });
    const { user, proven } = await authenticator.authenticate("form", request);
    const to = await pathAfterLogIn(user, form);
    const waiting = carried ? carriedFor(to, carried) : undefined;
    return await redirectWithSession(request, to, proven, { waiting });
  } catch (error) {
    // The right password: the page that says why has what the owner can still do.
    const path = error instanceof SuspendedError && (await findSuspensionPath(error.userId));
    if (path) return redirect(path);
    // The address is sent back into its field, the password never is.
    return refusedForm(error, { email, carried });
  }
}

export default function LogIn() {
  const { why, ended, email } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const carried = refused?.carried;
  const [search] = useSearchParams();
  // Only with a review that is too long; the form leads to the platform then.
  const byPlatform = useByPlatform();
  const name = search.has("redirectTo") ? "redirectTo" : "from";
  const isReply = /\/reply$/.test(search.get(name) ?? "");
  return (
    <div className="centred stack">
      <h1>Log in</h1>
      {carried && <LoggedOut takesFocus={!refused.errors} kept={isReply ? "reply" : "review"} />}
      {!carried && why && <p className="lead">{ended ? `You were logged out. ${why}` : why}</p>}
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" className="form">
        <input type="hidden" name={name} value={search.get(name) ?? "/"} />
        {carried && <CarriedFields {...carried} tooLong={refused?.errors?.fields.comment} />}
        {!byPlatform && (
          <>
            <EmailField
              label="E-mail address"
              name="email"
              required
              defaultValue={refused?.email ?? email ?? undefined}
            />
            <PasswordField label="Password" name="password" />
          </>
        )}
        <div className="row">
          <SubmitButton action="/login">Log in</SubmitButton>
        </div>
        {!byPlatform && (
          <p>
            <OtherForm to={RESET_PATH}>Forgotten your password?</OtherForm>
          </p>
        )}
      </Form>
      {!byPlatform && (
        <p>
          No account yet?{" "}
          <Link to={{ pathname: "/signup", search: search.toString() }}>Sign up</Link>
        </p>
      )}
    </div>
  );
}
