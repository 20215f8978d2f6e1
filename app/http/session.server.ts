import { createCookie, createSessionStorage } from "@remix-run/node";
import { env, required } from "../infra/env.server";
import {
  createSession,
  deleteSession,
  readSession,
  updateSession,
} from "../services/accounts/sessions.server";

/** How long a log-in lasts, in seconds. */
const SESSION_SECONDS = 30 * 24 * 60 * 60;

interface SessionData {
  userId: string;
}
interface FlashData {
  /** Told once, on the next page. */
  notice: string;
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

const storage = createSessionStorage<SessionData, FlashData>({
  cookie,
  createData: (data, expires) =>
    createSession({ ...data }, expires ?? new Date(Date.now() + SESSION_SECONDS * 1_000)),
  readData: readSession,
  updateData: (id, data) => updateSession(id, { ...data }),
  deleteData: deleteSession,
});

/** The session of a request's cookie; an empty one when it has none or a stale one. */
export function getSession(request: Request) {
  return storage.getSession(request.headers.get("Cookie"));
}

/** Stores the session and gives the value for `Set-Cookie`. */
export const commitSession = storage.commitSession;

/**
 * Starts a new session for a user, or with null for nobody, ends the one that the request had, and
 * gives the value for `Set-Cookie`. The `notice` is told on the next page.
 */
export async function startSession(
  request: Request,
  userId: string | null,
  notice?: string,
): Promise<string> {
  await storage.destroySession(await getSession(request));
  const session = await storage.getSession();
  if (userId) session.set("userId", userId);
  if (notice) session.flash("notice", notice);
  return storage.commitSession(session);
}

/** Ends the request's session on the server too, and gives the value for `Set-Cookie`. */
export async function endSession(request: Request): Promise<string> {
  return storage.destroySession(await getSession(request));
}
