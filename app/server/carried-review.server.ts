import { redirect } from "@remix-run/node";
import { HOUR_MS } from "~/lib/durations";
import { CONTENT_FIELDS, type TypedContent } from "~/reviews/content";
import { FormError } from "~/lib/errors.server";
import type { CurrentUser } from "~/accounts/users.server";
import { overLength } from "~/lib/review-limits";
import { currentUser } from "./current-user.server";
import { formText } from "./form-data.server";
import { logInPath } from "./pages.server";
import { reviewBody } from "./review-form.server";
import { type CarriedReview, takeFlash, type WaitingReview } from "./session.server";

// A review that somebody wrote while their session ended: docs/decisions/007-pages-without-javascript.md

/** Time after the log-in in which the carried review's form must be opened. */
const WAITING_MS = HOUR_MS;

/**
 * The current user, for an action that takes a review. A visitor's form is sent on to the log-in page, which leads
 * back to `anchor` of the action's page.
 */
export async function requireAuthor(request: Request, anchor = ""): Promise<CurrentUser> {
  const user = await currentUser(request);
  if (user) return user;
  // The browser sends the same form to that page.
  throw redirect(logInPath(new URL(request.url).pathname + anchor), 307);
}

/** The review that a form of the log-in page carries, or null; its comment may still be too long. */
export function carriedReview(form: FormData): CarriedReview | null {
  if (!CONTENT_FIELDS.some((name) => form.has(name))) return null;
  // As a form of ours sends it, and nothing longer.
  const part = (name: string, kind: RegExp) => kind.exec(formText(form, name))?.[0] ?? "";
  return {
    ...reviewBody(form),
    rating: part("rating", /^[1-5]$/),
    tag: part("tag", /^[\w-]{1,64}$/),
  };
}

/** A carried comment that is too long is never stored in a session: its author must shorten it first. */
export function requireLength(carried: CarriedReview | null): void {
  const refusal = carried && overLength(carried.comment);
  if (refusal) throw new FormError({ comment: refusal });
}

export const carriedFor = (to: string, review: CarriedReview): WaitingReview => ({
  ...review,
  to: to.replace(/[?#].*/s, ""),
  until: new Date(Date.now() + WAITING_MS).toISOString(),
});

/** Returns the review that waits for the form of the requested page, or null; a rating of 0 is none. */
export async function takeCarriedReview(
  request: Request,
): Promise<(TypedContent & { tag: string }) | null> {
  // A visitor's waits for the log-in on the platform.
  if (!(await currentUser(request))) return null;
  const isHere = ({ to }: WaitingReview) => to === new URL(request.url).pathname;
  const waiting = await takeFlash(request, "waiting", isHere);
  if (!waiting || new Date(waiting.until) <= new Date()) return null;
  const { to, until, ...carried } = waiting;
  return { ...carried, rating: Number(carried.rating) };
}
