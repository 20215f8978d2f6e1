import { redirect } from "@remix-run/node";
import { ServiceError, UncertainError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import type { CurrentUser, ProvenUser } from "~/accounts/users.server";
import { TourMoved } from "~/tours/tours.server";
import { DEAD_LINK } from "~/ui/site";
import { pathAfterLogIn } from "./after-log-in.server";
import { currentUser } from "./current-user.server";
import { failureOfLate } from "./guard/deadline.server";
import { retryAfterHeader } from "./retry-after.server";
import { commitSession, type Flash, getSession, startSession } from "./session.server";

export async function withErrorPage<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    throw error instanceof ServiceError ? errorPage(error) : error;
  }
}

/** The same at an address of a tour, of which a former slug leads to the present one. */
export const withTourPage = <Result>(request: Request, promise: Promise<Result>): Promise<Result> =>
  withErrorPage(
    promise.catch((error: unknown) => {
      throw error instanceof TourMoved ? movedTo(request, error.slug) : error;
    }),
  );

/** The same for the page of a link in an e-mail: one that does not work says why, and what to do. */
export async function withLinkPage<Result>(promise: Promise<Result>, why: string): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status !== 404) throw errorPage(error);
    throw new Response(why, { status: 404, statusText: DEAD_LINK });
  }
}

/** The same address with the tour's present slug. */
function movedTo({ url }: Request, slug: string): Response {
  const { pathname, search } = new URL(url);
  const Location = (pathname + search).replace(
    /^((?:\/embed)?\/tours\/)[^/?]+/i,
    (_, before: string) => before + encodeURIComponent(slug),
  );
  return new Response(null, { status: 301, headers: { Location } });
}

export function errorPage(refusal: ServiceError): Response {
  const { message, status } = refusal;
  return new Response(message, { status, headers: retryAfterHeader(refusal) });
}

/** The page of a request that was given up. Only a form that may be stored gets a text of its own. */
export function unavailable(): Response {
  const failure = failureOfLate();
  return failure instanceof UncertainError
    ? errorPage(failure)
    : new Response(null, { status: failure.status, headers: retryAfterHeader(failure) });
}

/** For a route that does not answer with a page: unexpected errors get our text instead of Remix's own. */
export const withoutPage =
  <Arguments extends { request: Request }>(answer: (args: Arguments) => Promise<Response>) =>
  async (args: Arguments): Promise<Response> => {
    try {
      return await answer(args);
    } catch (error) {
      if (error instanceof Response) throw error;
      if (!args.request.signal.aborted) log.error({ err: error }, "an answer failed");
      throw new Response("Something went wrong on our side. Please try again in a moment.\n", {
        status: 500,
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      });
    }
  };

/** The current user. Leads a visitor to the log-in page, and from there to `page`, by default the requested one. */
export async function requireUser(request: Request, page?: string): Promise<CurrentUser> {
  const user = await currentUser(request);
  if (user) return user;
  const { pathname, search } = new URL(request.url);
  throw redirect(logInPath(page ?? pathname + search));
}

export const logInPath = (page: string) => `/login?redirectTo=${encodeURIComponent(page)}`;

/** Redirects a visitor who is already logged in to the page that would follow the log-in. */
export async function requireNobody(request: Request): Promise<void> {
  // After a refused form Remix loads the page with the form's headers; it must show the errors then.
  const user = request.headers.has("Content-Type") ? null : await currentUser(request);
  if (user) throw redirect(await pathAfterLogIn(user, new URL(request.url).searchParams));
}

export const redirectWithNotice = (request: Request, to: string, notice: string) =>
  redirectWithFlash(request, to, "notice", notice);

/** Redirects with a new session of the user who is proven, or of nobody; see `startSession`. */
export const redirectWithSession = async (
  request: Request,
  to: string,
  proven: ProvenUser | null,
  flash: Partial<Flash>,
) => redirect(to, { headers: { "Set-Cookie": await startSession(request, proven, flash) } });

/** Redirects to the review that was just posted, on its tour's page, which thanks for it once. */
export const redirectToPosted = (request: Request, tour: string, reviewId: string) =>
  redirectWithFlash(request, `${tour}#review-${reviewId}`, "posted", reviewId);

async function redirectWithFlash(
  request: Request,
  to: string,
  name: "notice" | "posted",
  value: string,
) {
  const session = await getSession(request);
  // One that no longer exists would not be stored.
  if (session.has("ended")) return redirectWithSession(request, to, null, { [name]: value });
  session.set(name, value);
  return redirect(to, { headers: { "Set-Cookie": await commitSession(session) } });
}
