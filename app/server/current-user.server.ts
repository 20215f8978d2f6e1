import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { env } from "~/config/env.server";
import { oncePerRequest, requestScope } from "~/lib/request-scope.server";
import { writes } from "~/db/limits.server";
import { type LimitState, ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { logIn } from "~/accounts/log-in/log-in.server";
import { findServiceToken, findUserByToken } from "~/accounts/tokens.server";
import type { CurrentUser, LogIn } from "~/accounts/users.server";
import { findUserByPlatformToken } from "~/me/platform-users.server";
import { isApi } from "~/server/guard/remix-path.server";
import { formText } from "./form-data.server";
import { getSession } from "./session.server";

/** Logs in by the form fields `email` and `password`; rejects with the service's refusal. */
export const authenticator = new Authenticator<LogIn>().use(
  new FormStrategy(({ form }) =>
    logIn(formText(form, "email"), formText(form, "password"), clientAddress()),
  ),
  "form",
);

/**
 * The user who sends the request (docs/rules/accounts.md, Current user). The guard has removed the cookie of another
 * site's request to the API.
 */
export async function currentUser(
  request: Pick<Request, "headers" | "url">,
): Promise<CurrentUser | null> {
  const token = findBearerToken(request);
  const user =
    token === null
      ? (await getSession(request)).get("user")
      : await oncePerRequest(`token ${token}`, () => findUserByAnyToken(token));
  const scope = requestScope.getStore();
  if (user && scope) scope.userId = user.id;
  return user ?? null;
}

/**
 * Lets only programs of the platform go on, and counts the request; returns what is left. Throws `ServiceError` 401
 * where nobody is named, 403 for a user, and `RateLimitError` 429 after too many requests.
 */
export async function requireService(
  request: Pick<Request, "headers" | "url">,
): Promise<LimitState> {
  const token = findBearerToken(request);
  const service = token && (await findServiceToken(token));
  const scope = requestScope.getStore();
  if (service && scope) scope.serviceToken = service;
  if (service) return writes.consume(service);
  const user = await currentUser(request);
  throw user ? new ServiceError(403, texts.serviceOnly) : new ServiceError(401, texts.unauthorized);
}

/** A token of the user's own, or the platform's. */
const findUserByAnyToken = async (token: string) =>
  (await findUserByToken(token)) ??
  (env().loginUrl && token.includes(".") ? findUserByPlatformToken(token) : null);

/** Valid or not. Pages accept no token, and another scheme, such as the `Basic` of a proxy, is not for us. */
function findBearerToken(request: Pick<Request, "headers" | "url">): string | null {
  if (!isApi(new URL(request.url).pathname)) return null;
  return bearerTokenIn(request.headers.get("Authorization"));
}

function bearerTokenIn(authorization: string | null | undefined): string | null {
  const bearer = /^Bearer(?:\s+(\S.*)?)?$/i.exec(authorization ?? "");
  return bearer && (bearer[1] ?? "");
}

/** Whether a header `Authorization` of the API names a program of the platform. */
export async function isServiceToken(authorization: string | undefined): Promise<boolean> {
  const token = bearerTokenIn(authorization);
  return token !== null && (await findServiceToken(token)) !== null;
}

export const clientAddress = () => requestScope.getStore()?.clientAddress ?? "unknown";
