import { randomBytes } from "node:crypto";
import { createCookie, redirect } from "@remix-run/node";
import { Strategy } from "remix-auth/strategy";
import { handedOffReviewsByNetwork } from "~/db/limits.server";
import { derivedKey } from "~/infra/digest.server";
import { env, required } from "~/infra/env.server";
import { ServiceError } from "~/infra/errors.server";
import { HandedOff, type Proof } from "~/accounts/fields.server";
import { readPlatformToken, spendNonce } from "~/accounts/log-in/platform-token.server";
import type { LogIn } from "~/accounts/users.server";
import { keepPlatformUser } from "~/me/platform-users.server";
import { pathAfterLogIn } from "./after-log-in.server";
import { carriedFor } from "./carried-review.server";
import { authenticator, clientAddress } from "./current-user.server";
import { safeRedirect } from "./redirects.server";
import { type CarriedReview, getSession, startSession } from "./session.server";

// The platform logs its users in, and hands them over (docs/rules/accounts.md, Users of a platform): few platforms are
// identity providers, and every one can sign a token.

const RETURN_PATH = "/login/return";

/** For so long a log-in on the platform may take; the nonce in the cookie is good as long. */
const HAND_OFF_SECONDS = 30 * 60;

/** For so long a hand-off counts like a password that was just given. */
const FRESH_MS = 5 * 60 * 1_000;

const EXPIRED = "This log-in has expired. Log in again.";

/** What the browser keeps for its return from the platform. */
interface HandOff {
  nonce: string;
  /** In milliseconds since 1970. */
  until: number;
  /** Where to go then, as a form of the log-in page names it: `redirectTo` or `from`. */
  asked: [name: string, path: string];
  /** Whether the user was logged in before, and confirms a form. */
  confirms: boolean;
}

const { secure, sessionSecret } = env();

// A key of its own, so that no other signed cookie of ours is taken for it.
const key = derivedKey(required(sessionSecret, "SESSION_SECRET"), "hand-off");
const cookie = createCookie(secure ? "__Host-hand-off" : "hand-off", {
  httpOnly: true,
  path: "/",
  // Sent with the link by which the platform leads back.
  sameSite: "lax",
  secrets: [key.toString("hex")],
  secure,
});

async function readHandOff(request: Request): Promise<HandOff | null> {
  const found = (await cookie.parse(request.headers.get("Cookie"))) as HandOff | null;
  return found && found.until > Date.now() ? found : null;
}

/** Logs in by the platform's token, once, in the browser that asked for it. Rejects with the service's refusal. */
class HandOffStrategy extends Strategy<LogIn, { token: string; handOff: HandOff | null }> {
  override name = "hand-off";

  override async authenticate(request: Request): Promise<LogIn> {
    const token = new URL(request.url).searchParams.get("token") ?? "";
    return this.verify({ token, handOff: await readHandOff(request) });
  }
}

authenticator.use(
  new HandOffStrategy(async ({ token, handOff }) => {
    const claims = await readPlatformToken(token, "log-in");
    const isAsked = claims && handOff && claims.nonce === handOff.nonce;
    if (!isAsked || !(await spendNonce(handOff.nonce, new Date(handOff.until))))
      throw new ServiceError(400, EXPIRED);
    return keepPlatformUser(claims);
  }),
);

/** Leads to the platform's log-in, and from there to where `asked` says. A review is kept meanwhile. */
export async function leadToPlatform(
  request: Request,
  asked: Pick<FormData | URLSearchParams, "get" | "has">,
  { carried = null, confirms = false }: { carried?: CarriedReview | null; confirms?: boolean } = {},
): Promise<Response> {
  const name = asked.has("redirectTo") ? "redirectTo" : "from";
  const path = safeRedirect(asked.get(name));
  const nonce = randomBytes(16).toString("base64url");
  const until = Date.now() + HAND_OFF_SECONDS * 1_000;
  const handOff: HandOff = { nonce, until, asked: [name, path], confirms };
  const headers = new Headers();
  headers.append("Set-Cookie", await cookie.serialize(handOff, { maxAge: HAND_OFF_SECONDS }));
  if (carried) {
    await handedOffReviewsByNetwork.consume(clientAddress());
    const waiting = carriedFor(path, carried);
    headers.append("Set-Cookie", await startSession(request, null, { waiting }));
  }
  const address = new URL(env().loginUrl!);
  address.searchParams.set("nonce", nonce);
  address.searchParams.set("return", env().appUrl + RETURN_PATH);
  return redirect(address.href, { headers });
}

/** Logs the user in whom the platform has handed over. Throws `ServiceError` and `SuspendedError`. */
export async function receiveUser(request: Request): Promise<Response> {
  const { user, proven } = await authenticator.authenticate("hand-off", request);
  const { asked, confirms } = (await readHandOff(request))!;
  const to = await pathAfterLogIn(user, new URLSearchParams([asked]));
  const { waiting, typed, userId } = (await getSession(request)).data;
  const notice = confirms ? "You have logged in again. Now send the form." : undefined;
  const session = await startSession(request, proven, {
    waiting,
    typed: userId === user.id ? typed : undefined,
    notice,
    handedOffAt: Date.now(),
  });
  const headers = new Headers({ "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) });
  headers.append("Set-Cookie", session);
  return redirect(to, { headers });
}

/** Where the platform logs users in, it decides about their name, picture, address and password. */
export function requireOwnAccounts(request: Request): void {
  if (env().loginUrl) throw redirect(`/login${new URL(request.url).search}`);
}

/**
 * What shows that a form's sender is the user: the password in it, or the hand-off where the platform logs users in. One
 * that is not fresh leads through the platform again, and back to `page`.
 */
export async function proofOf(request: Request, page: string, password: string): Promise<Proof> {
  if (!env().loginUrl) return password;
  const { id, data } = await getSession(request);
  if (Date.now() - (data.handedOffAt ?? 0) <= FRESH_MS) return new HandedOff(id);
  const asked = new URLSearchParams({ redirectTo: page });
  throw await leadToPlatform(request, asked, { confirms: true });
}
