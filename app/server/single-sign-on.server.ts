import { randomBytes } from "node:crypto";
import { createCookie, redirect } from "@remix-run/node";
import { decodeJwt, type JWTPayload } from "jose";
import { Strategy } from "remix-auth/strategy";
import { MINUTE_MS } from "~/lib/durations";
import { waitingReviewsByNetwork } from "~/server/limits.server";
import { derivedKey } from "~/lib/digest.server";
import { env, required } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { platformId } from "~/db/platform-ids.server";
import { PlatformLogIn, type Proof } from "~/accounts/fields.server";
import {
  readPlatformToken,
  spendNonce,
  TOKEN_REFUSED,
  TokenError,
} from "~/accounts/log-in/platform-token.server";
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

/** Time for a log-in on the platform, and lifetime of the nonce in the cookie. */
const PLATFORM_LOG_IN_SECONDS = 30 * 60;

/** Time in which a log-in on the platform counts as re-authentication. */
const FRESH_MS = 5 * MINUTE_MS;

/** Tabs of one browser that may be on the platform at a time. */
const MOST_TABS = 10;

/** Proxies take 8 KB of a request's headers, and the cookies of all tabs are among them. */
const MOST_COOKIE_BYTES = 4_000;

/** Contents of the log-in cookie, for each tab that is on the platform. */
interface PendingLogIn {
  nonce: string;
  /** In milliseconds since 1970. */
  until: number;
  /** Where to go then, as a form of the log-in page names it: `redirectTo` or `from`. */
  asked: [name: string, path: string];
  /** Whether the user was logged in before, and confirms a form. */
  confirms: boolean;
}

const { secure, sessionSecret } = env();

const COOKIE = `${secure ? "__Host-" : ""}single-sign-on-`;

// A key of its own, so that no other signed cookie of ours is taken for it.
const key = derivedKey(required(sessionSecret, "SESSION_SECRET"), "single-sign-on");

/** Each tab has a cookie of its own: of one for all, tabs that leave at the same moment would lose all but one. */
const cookieNamed = (name: string) =>
  createCookie(name, {
    httpOnly: true,
    path: "/",
    // Sent with the link by which the platform leads back.
    sameSite: "lax",
    secrets: [key.toString("hex")],
    secure,
  });

/** Pending log-ins of this browser that have not ended, used ones included; the latest first. */
async function readPendingLogIns(request: Request) {
  const header = request.headers.get("Cookie") ?? "";
  const cookies = header.split(/; */).filter((cookie) => cookie.startsWith(COOKIE));
  const found = cookies.map(async (text) => {
    const cookie = cookieNamed(text.slice(0, text.indexOf("=")));
    return {
      cookie,
      size: text.length,
      pendingLogIn: (await cookie.parse(text)) as PendingLogIn | null,
    };
  });
  return (await Promise.all(found))
    .flatMap(({ pendingLogIn, ...rest }) =>
      pendingLogIn && pendingLogIn.until > Date.now() ? [{ ...rest, pendingLogIn }] : [],
    )
    .sort((a, b) => b.pendingLogIn.until - a.pendingLogIn.until);
}

/** A valid token whose nonce was used, or is not one of this browser. */
class NonceError extends TokenError {
  constructor(
    /** The token's intended audience. */
    readonly userId: string | null,
    /** Where the tab that it belongs to wanted to go. */
    readonly pendingLogIn: PendingLogIn | undefined,
  ) {
    super(
      pendingLogIn ? '"nonce" was used before' : '"nonce" is not one that this browser left with',
    );
  }
}

/** Logs in by the platform's token, once, in the browser that asked for it. Rejects with the service's refusal. */
class SingleSignOnStrategy extends Strategy<LogIn, Request> {
  override name = "single-sign-on";

  override authenticate(request: Request): Promise<LogIn> {
    return this.verify(request);
  }
}

authenticator.use(
  new SingleSignOnStrategy(async (request) => {
    const claims = await readPlatformToken(tokenIn(request), "log-in");
    const pendingLogIn = await findPendingLogIn(request, claims);
    if (!pendingLogIn || !(await spendNonce(pendingLogIn.nonce, new Date(pendingLogIn.until))))
      throw new NonceError(platformId(claims.sub), pendingLogIn);
    return keepPlatformUser(claims);
  }),
);

const tokenIn = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

/** Returns the pending log-in of the tab that the token belongs to. */
const findPendingLogIn = async (request: Request, { nonce }: JWTPayload) =>
  (await readPendingLogIns(request)).find(({ pendingLogIn }) => pendingLogIn.nonce === nonce)
    ?.pendingLogIn;

interface Leaving {
  carried?: CarriedReview | null;
  confirms?: boolean;
  /** A nonce that is good no more. */
  used?: string;
}

/** Leads to the platform's log-in, and from there to where `asked` says. A review is kept meanwhile. */
export async function leadToPlatform(
  request: Request,
  asked: Pick<FormData | URLSearchParams, "get" | "has">,
  { carried = null, confirms = false, used = "" }: Leaving = {},
): Promise<Response> {
  const name = asked.has("redirectTo") ? "redirectTo" : "from";
  const path = safeRedirect(asked.get(name));
  const nonce = randomBytes(16).toString("base64url");
  const until = Date.now() + PLATFORM_LOG_IN_SECONDS * 1_000;
  const headers = await cookiesFor(request, { nonce, until, asked: [name, path], confirms }, used);
  if (carried) {
    await waitingReviewsByNetwork.consume(clientAddress());
    const waiting = carriedFor(path, carried);
    headers.append("Set-Cookie", await startSession(request, null, { waiting }));
  }
  const address = new URL(env().loginUrl!);
  address.searchParams.set("nonce", nonce);
  address.searchParams.set("return", env().appUrl + RETURN_PATH);
  return redirect(address.href, { headers });
}

/** Keeps one more pending log-in in the browser, and ends the one that was used, and the oldest where there are too many. */
async function cookiesFor(
  request: Request,
  pendingLogIn: PendingLogIn,
  used: string,
): Promise<Headers> {
  const cookie = cookieNamed(COOKIE + pendingLogIn.nonce.slice(0, 8));
  const kept = await cookie.serialize(pendingLogIn, { maxAge: PLATFORM_LOG_IN_SECONDS });
  const headers = new Headers({ "Set-Cookie": kept });
  let size = kept.length;
  for (const [index, older] of (await readPendingLogIns(request)).entries()) {
    size += older.size;
    const isOver = index + 1 >= MOST_TABS || size > MOST_COOKIE_BYTES;
    if (isOver || older.pendingLogIn.nonce === used)
      headers.append("Set-Cookie", await older.cookie.serialize("", { maxAge: 0 }));
  }
  return headers;
}

/**
 * Logs in the user of the platform's token, and leads on. With a token that was used, a user who is logged in already
 * is led on, too: after a second click, or on a page that is loaded again. A second click that comes before the first
 * one's answer has no log-in yet: it leads to the platform once more. Throws `TokenError`, `ServiceError` and
 * `SuspendedError`.
 */
export async function receiveUser(request: Request): Promise<Response> {
  const { data } = await getSession(request);
  try {
    const { user, proven } = await authenticator.authenticate("single-sign-on", request);
    const { asked, confirms } = (await findPendingLogIn(request, decodeJwt(tokenIn(request))))!;
    const to = await pathAfterLogIn(user, new URLSearchParams([asked]));
    const session = await startSession(request, proven, {
      waiting: data.waiting,
      typed: data.userId === user.id ? data.typed : undefined,
      notice: confirms ? "You have logged in again. Now send the form." : undefined,
      handedOffAt: Date.now(),
    });
    return redirect(to, { headers: { "Set-Cookie": session } });
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    if (data.user && error instanceof NonceError && error.userId === data.user.id) {
      const asked = error.pendingLogIn?.asked ?? ["from", "/"];
      return redirect(await pathAfterLogIn(data.user, new URLSearchParams([asked])));
    }
    log.warn({ failure: error.failure, kind: "log-in" }, TOKEN_REFUSED);
    if (data.user || !(error instanceof NonceError) || !error.pendingLogIn) throw error;
    const { asked, confirms, nonce: used } = error.pendingLogIn;
    return leadToPlatform(request, new URLSearchParams([asked]), { confirms, used });
  }
}

/**
 * Redirects to the log-in where the platform logs users in: it decides about their names, pictures, addresses and
 * passwords.
 */
export function requireOwnAccounts(request: Request): void {
  if (env().loginUrl) throw redirect(`/login${new URL(request.url).search}`);
}

/**
 * Re-authentication of a form's sender: the password in it, or a log-in on the platform where the platform logs users in. One
 * that is not fresh leads through the platform again, and back to `page`.
 */
export async function requireProof(
  request: Request,
  page: string,
  password: string,
): Promise<Proof> {
  if (!env().loginUrl) return password;
  const { id, data } = await getSession(request);
  if (Date.now() - (data.handedOffAt ?? 0) <= FRESH_MS) return new PlatformLogIn(id);
  const asked = new URLSearchParams({ redirectTo: page });
  throw await leadToPlatform(request, asked, { confirms: true });
}
