import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { requestScope } from "../infra/request-scope.server";
import { logIn } from "../services/accounts/log-in.server";
import { findUserByToken } from "../services/accounts/tokens.server";
import { type CurrentUser, findUser } from "../services/accounts/users.server";
import { text } from "./forms.server";
import { getSession } from "./session.server";

/** Logs in by the form fields `email` and `password`; rejects with the service's error. */
export const authenticator = new Authenticator<CurrentUser>().use(
  new FormStrategy(({ form }) =>
    logIn(text(form, "email"), text(form, "password"), clientAddress()),
  ),
  "form",
);

/**
 * Who sends the request: the user of its personal access token if it carries an Authorization
 * header, else of its session cookie, else nobody. Another site's cookie is gone by now
 * (guard.server.ts).
 */
export async function currentUser(request: Request): Promise<CurrentUser | null> {
  const authorization = request.headers.get("Authorization");
  if (authorization !== null) {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return token ? findUserByToken(token) : null;
  }
  const userId = (await getSession(request)).get("userId");
  return userId ? findUser(userId) : null;
}

/** The address that the present request's client is known by to limits. */
export const clientAddress = () => requestScope.getStore()!.clientAddress;
