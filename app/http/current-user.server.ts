import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import {
  findUser,
  findUserByToken,
  logIn,
  type CurrentUser,
} from "../services/accounts/log-in.server";
import { requestScope } from "../infra/log.server";
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
 * header, else of its session cookie, else nobody. A foreign origin's cookie is gone by now
 * (http.server.ts).
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

/** A form's text field, empty when it is absent or a file. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/**
 * A path of this site that a form wants to go back to, as a `Location` can carry it, or `/`: never
 * another site.
 */
export function safeRedirect(to: FormDataEntryValue | null): string {
  // Browsers skip control characters, and take `\` for `/`, when they read an address.
  if (typeof to !== "string" || !/^\/(?!\/)[^\u0000-\u001f\\]*$/.test(to)) return "/";
  const base = "http://localhost";
  const { origin, pathname, search, hash } = new URL(to, base);
  // `/.//other.example` is a path of two slashes, which is another site to its next reader.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
