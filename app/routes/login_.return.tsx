import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { TokenError } from "~/accounts/log-in/platform-token.server";
import { SuspendedError } from "~/accounts/users.server";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { findSuspensionPath } from "~/moderation/sanctions/sanction-page.server";
import { receiveUser } from "~/server/single-sign-on.server";
import { useErrorTitle } from "~/ui/browser/error-title";
import { unlisted } from "~/ui/site";

const TITLE = "You are not logged in";

export const meta: MetaFunction = () => unlisted(TITLE);

/** Receives a user from the platform's log-in and leads on; renders a page only for a refusal. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (!env().loginUrl) throw new Response(null, { status: 404 });
  try {
    throw await receiveUser(request);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const path = error instanceof SuspendedError && (await findSuspensionPath(error.userId));
    if (path) throw redirect(path);
    const failure = error instanceof TokenError ? error.failure : null;
    return data({ refusal: error.message, failure }, { status: error.status });
  }
}

export default function Return() {
  const { refusal, failure } = useLoaderData<typeof loader>();
  useErrorTitle(true);
  return (
    <div className="centred stack">
      <h1>{TITLE}</h1>
      <p className="lead">{refusal}</p>
      {failure && (
        <p>{`For the people who run the platform: its token was refused, ${failure}.`}</p>
      )}
      <p className="row">
        <Link to="/login" className="button">
          Log in
        </Link>
        <Link to="/">See all tours</Link>
      </p>
    </div>
  );
}
