import { createCookie, redirect } from "@remix-run/node";
import { env } from "~/config/env.server";
import { requestScope } from "~/lib/request-scope.server";
import { isDevMailboxKey } from "~/mail/dev-mailbox-key.server";

/** Holds the key of the address that the start printed. */
const keyCookie = createCookie("dev-mailbox", {
  httpOnly: true,
  path: "/",
  sameSite: "lax",
  secure: env().secure,
});

/**
 * Throws 404 except for the developer at this machine who has the key: the e-mails hold links with which one can act in
 * somebody's name. A key in the address moves into the cookie.
 */
export async function requireDevMailbox(request: Request): Promise<void> {
  if (!areCapturedHere()) throw new Response(null, { status: 404 });
  const url = new URL(request.url);
  const key = url.searchParams.get("key");
  if (key !== null && isDevMailboxKey(key)) {
    url.searchParams.delete("key");
    const headers = { "Set-Cookie": await keyCookie.serialize(key) };
    throw redirect(url.pathname + url.search, { headers });
  }
  if (!(await hasKey(request))) throw new Response(null, { status: 404 });
}

/**
 * Returns what becomes of an e-mail that the request sends: `"open"` or `"closed"` where it is captured and the request
 * may read it or could with the key, `"lost"` where nobody can, null where it goes to its recipient.
 */
export async function devMailboxState(
  request: Request,
): Promise<"open" | "closed" | "lost" | null> {
  if (!env().emailsArrive) return "lost";
  if (!areCapturedHere()) return null;
  return (await hasKey(request)) ? "open" : "closed";
}

/** (docs/rules/mail.md, Notifications). A proxy may look like this machine, which is what the key is for. */
function areCapturedHere(): boolean {
  const { sendgridApiKey, local } = env();
  return !sendgridApiKey && local && (requestScope.getStore()?.fromThisMachine ?? false);
}

async function hasKey(request: Request): Promise<boolean> {
  const key: unknown = await keyCookie.parse(request.headers.get("Cookie"));
  return typeof key === "string" && isDevMailboxKey(key);
}
