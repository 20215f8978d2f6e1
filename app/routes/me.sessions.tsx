import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { SubmitButton } from "~/ui/forms";
import { useByPlatform } from "~/ui/browser/by-platform";
import { ACCOUNT_PATH, SESSIONS_PATH } from "~/ui/paths";
import { formText } from "~/server/form-data.server";
import { redirectWithNotice, requireUser, withErrorPage } from "~/server/pages.server";
import { sessionId } from "~/server/session.server";
import { INTENTS, type Intent, SessionRow } from "~/accounts/log-in/session-row";
import { endOtherSessions, endSessionOf, listSessions } from "~/accounts/log-in/sessions.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";
export { INTENTS };

export const meta: MetaFunction = () => [titled("Your devices")];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return { sessions: await listSessions(user, await sessionId(request)) };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  switch (form.get("intent") as Intent) {
    case "end": {
      const ended = await withErrorPage(endSessionOf(user, formText(form, "session")));
      return redirectWithNotice(
        request,
        SESSIONS_PATH,
        ended ? "You have logged out of that device." : "That device was already logged out.",
      );
    }
    case "end-others": {
      await withErrorPage(endOtherSessions(user, await sessionId(request)));
      return redirectWithNotice(request, SESSIONS_PATH, "You have logged out everywhere else.");
    }
    default:
      throw new Response(null, { status: 400 });
  }
}

export default function Sessions() {
  const { sessions } = useLoaderData<typeof loader>();
  const byPlatform = useByPlatform();
  const others = sessions.some(({ present }) => !present);
  return (
    <div className="narrow stack">
      <h1>Your devices</h1>
      {byPlatform ? (
        <p className="lead" key="elsewhere">
          These browsers are logged in to your account. If you don’t recognise one, log it out and
          change your password where you log in.
        </p>
      ) : (
        <p className="lead" key="here">
          These browsers are logged in to your account. If you don’t recognise one, log it out and{" "}
          <Link to={`${ACCOUNT_PATH}#password`}>change your password</Link>.
        </p>
      )}
      <ul className="plain-list card">
        {sessions.map((session) => (
          <SessionRow key={session.id} {...session} />
        ))}
      </ul>
      {others && (
        <Form method="post">
          <SubmitButton
            action={SESSIONS_PATH}
            name="intent"
            value={"end-others" satisfies Intent}
            className="button-quiet"
          >
            Log out everywhere else
          </SubmitButton>
        </Form>
      )}
      <p>
        <Link to={ACCOUNT_PATH}>Back to your account</Link>
      </p>
    </div>
  );
}
