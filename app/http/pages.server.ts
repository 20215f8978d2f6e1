import { redirect } from "@remix-run/node";
import { env } from "../infra/env.server";
import { ServiceError } from "../infra/errors.server";
import type { CurrentUser } from "../services/accounts/users.server";
import { currentUser } from "./current-user.server";
import { noteRetryAfter } from "./guard.server";
import { safeRedirect } from "./redirects.server";
import { commitSession, getSession } from "./session.server";

/** What `promise` gives; a service's refusal becomes the site's page for it, with its text. */
export async function orErrorPage<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    noteRetryAfter(error);
    if (error instanceof ServiceError) throw new Response(error.message, { status: error.status });
    throw error;
  }
}

/**
 * Refuses the pages of kept e-mails where mails are sent, and wherever somebody else than the
 * developer at this machine could read them.
 */
export function requireKeptMails(): void {
  if (env().sendgridApiKey || !env().local) throw new Response(null, { status: 404 });
}

/**
 * The current user; nobody is sent to log in, and from there to `page`, which is what was asked for
 * unless it says otherwise.
 */
export async function requireUser(request: Request, page?: string): Promise<CurrentUser> {
  const user = await currentUser(request);
  if (user) return user;
  const { pathname, search } = new URL(request.url);
  throw redirect(`/login?redirectTo=${encodeURIComponent(page ?? pathname + search)}`);
}

/** Sends who is logged in already from a page that logs in to where that would have led. */
export async function requireNobody(request: Request): Promise<void> {
  // After a refused form Remix loads the page with the form's own headers: that one shows its errors.
  if (!request.headers.has("Content-Type") && (await currentUser(request)))
    throw redirect(safeRedirect(new URL(request.url).searchParams.get("redirectTo")));
}

/** Sends the visitor on to another page, which tells the notice once. */
export async function redirectWithNotice(request: Request, to: string, notice: string) {
  const session = await getSession(request);
  session.flash("notice", notice);
  return redirect(to, { headers: { "Set-Cookie": await commitSession(session) } });
}
