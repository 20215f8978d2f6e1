import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { oncePerRequest, requestScope } from "../infra/request-scope.server";
import { logIn } from "../services/accounts/log-in.server";
import { findUserByToken } from "../services/accounts/tokens.server";
import { type CurrentUser, findUser } from "../services/accounts/users.server";
import { text } from "./forms.server";
import { getSession } from "./session.server";

/** Logs in by the form fields `email` and `password`; rejects with the service's refusal. */
export const authenticator = new Authenticator<CurrentUser>().use(
  new FormStrategy(({ form }) =>
    logIn(text(form, "email"), text(form, "password"), clientAddress()),
  ),
  "form",
);

/**
 * The user who sends the request (docs/rules.md, Who is asking): that of its personal access token if
 * it has an Authorization header, else that of its session cookie; null for nobody. The guard has
 * removed the cookie of another site's request to the API.
 */
export async function currentUser(request: Request): Promise<CurrentUser | null> {
  const authorization = request.headers.get("Authorization");
  if (authorization !== null) {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return token ? oncePerRequest(`token ${token}`, () => findUserByToken(token)) : null;
  }
  const userId = (await getSession(request)).get("userId");
  return userId ? oncePerRequest(`user ${userId}`, () => findUser(userId)) : null;
}

/** What limits know the present request's client by (client-address.server.ts). */
export const clientAddress = () => requestScope.getStore()!.clientAddress;
