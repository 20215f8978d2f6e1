import { createCookie, createSessionStorage } from "@remix-run/node";
import type { Content } from "~/reviews/content";
import { env, required } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { clearRequestCache, oncePerRequest, requestScope } from "~/lib/request-scope.server";
import {
  createSession,
  deleteSession,
  readSession,
  type SessionClient,
  updateSession,
} from "~/accounts/log-in/sessions.server";
import type { CurrentUser, ProvenUser } from "~/accounts/users.server";
import { shownNetwork } from "./guard/client-address.server";

const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** A session without a user holds only a notice for the next page. */
const NOBODYS_SECONDS = 60 * 60;

/** The fields of a review's form as they were sent; `tag` is the state that an edit was opened with. */
export interface CarriedReview extends Record<keyof Content, string> {
  tag: string;
}

/** A review that was carried through the log-in, for the page at the path `to` until `until` (ISO 8601). */
export interface WaitingReview extends CarriedReview {
  to: string;
  until: string;
}

/** Flash data: the session keeps it for one page. */
export interface Flash {
  notice: string;
  /** The address in the form of the log-in page: its owner has just proven it. */
  email: string;
  /** The id of the review that was just posted, for which its tour's page thanks once. */
  posted: string;
  waiting: WaitingReview;
  /** An operator's form that leads to `path` and was sent when the half an hour was over. */
  typed: { path: string; values: Record<string, string> };
}

interface SessionData extends Partial<Flash> {
  userId: string;
  /** Set only while the session is created, which it depends on; never stored. */
  proven: ProvenUser;
  /** The user of that id, found together with the session; never stored. */
  user: CurrentUser;
  /** Until when an operator may decide without giving their password again, in milliseconds since 1970. */
  operatorUntil: number;
  /** When the platform has logged the user in, in milliseconds since 1970. */
  handedOffAt: number;
  /** Set only if the cookie names a session that no longer exists; never stored. */
  ended: true;
}

const { secure, sessionSecret } = env();

const cookie = createCookie(secure ? "__Host-session" : "session", {
  httpOnly: true,
  maxAge: SESSION_SECONDS,
  path: "/",
  sameSite: "lax",
  secrets: [required(sessionSecret, "SESSION_SECRET")],
  secure,
});

export const SESSION_COOKIE = cookie.name;

const storage = createSessionStorage<SessionData>({
  cookie,
  createData: (data, expires) =>
    createSession(
      { ...data },
      expires ?? new Date(Date.now() + SESSION_SECONDS * 1_000),
      presentClient(),
    ),
  readData: async (id) => (await readSession(id, presentClient())) ?? { ended: true as const },
  updateData: (id, { user: _, ...data }) => updateSession(id, data),
  deleteData: deleteSession,
});

/** The client of the present request, as its log-in is shown to its owner. */
function presentClient(): SessionClient | undefined {
  const scope = requestScope.getStore();
  if (!scope) return undefined;
  const { userAgent, clientAddress } = scope;
  return { userAgent, clientAddress, network: shownNetwork(clientAddress) };
}

/** Looked up once in a request: every loader sees the same session. */
export function getSession(request: Pick<Request, "headers">) {
  const header = request.headers.get("Cookie");
  return oncePerRequest(`session of ${header}`, () => storage.getSession(header));
}

export const sessionId = async (request: Request) => (await getSession(request)).id;

export const commitSession = storage.commitSession;

/**
 * Ends the session that the request had, and begins one of the user who is `proven`, or of nobody. Returns the value for
 * `Set-Cookie`. Throws as `createSession` does.
 */
export async function startSession(
  request: Request,
  proven: ProvenUser | null,
  {
    notice,
    email,
    waiting,
    typed,
    handedOffAt,
  }: Partial<Flash & Pick<SessionData, "handedOffAt">> = {},
): Promise<string> {
  await endSession(request);
  const session = await storage.getSession();
  if (proven) session.set("proven", proven);
  if (notice) session.set("notice", notice);
  if (email) session.set("email", email);
  if (waiting) session.set("waiting", waiting);
  if (typed) session.set("typed", typed);
  if (handedOffAt) session.set("handedOffAt", handedOffAt);
  return storage.commitSession(session, proven ? {} : { maxAge: NOBODYS_SECONDS });
}

const takenIn = (request: Pick<Request, "headers">) =>
  oncePerRequest(`taken of ${request.headers.get("Cookie")}`, () => new Set<string>());

/** Returns null unless it `isWanted`, and when asked again. */
export async function takeFlash<Name extends keyof Flash>(
  request: Pick<Request, "headers">,
  name: Name,
  isWanted: (value: Flash[Name]) => boolean = () => true,
): Promise<Flash[Name] | null> {
  const session = await getSession(request);
  const value = session.get(name) as Flash[Name] | undefined;
  if (value === undefined || !isWanted(value)) return null;
  session.unset(name);
  takenIn(request).add(name);
  return value;
}

/**
 * Stores the session without what its page's loaders have taken, and sets its cookie in `headers`. One without a user
 * ends. When the database fails, the next page shows it again.
 */
export async function storeTaken(request: Request, headers: Headers): Promise<void> {
  if (takenIn(request).size === 0) return;
  const session = await getSession(request);
  const stored = session.has("userId")
    ? storage.commitSession(session)
    : storage.destroySession(session);
  const cookie = await stored.catch((error: unknown) =>
    log.warn({ err: error }, "a session is not stored"),
  );
  if (cookie) headers.append("Set-Cookie", cookie);
}

/** Returns the value for `Set-Cookie`. */
export async function endSession(request: Request): Promise<string> {
  const setCookie = await storage.destroySession(await getSession(request));
  clearRequestCache();
  return setCookie;
}
