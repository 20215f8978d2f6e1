import { env } from "~/config/env.server";
import type { CurrentUser } from "~/accounts/users.server";
import { nextTourToReview } from "~/me/my-reviews.server";
import { hasOpenDepartures } from "~/guides/guide-overview.server";
import { leadsTours } from "~/tours/tours.server";
import { safeRedirect } from "./redirects.server";

/**
 * The path that follows the log-in (docs/rules/accounts.md, Current user). `asked` is the form or query of the log-in
 * page: its `redirectTo` is where they asked to go, its `from` only where they came from.
 */
export async function pathAfterLogIn(
  user: CurrentUser,
  asked: Pick<FormData | URLSearchParams, "get">,
): Promise<string> {
  const redirectTo = asked.get("redirectTo");
  if (redirectTo !== null) return safeRedirect(redirectTo);
  return (await landingPage(user)) ?? safeRedirect(asked.get("from"));
}

/** Null when nothing waits for the user. */
async function landingPage(user: CurrentUser): Promise<string | null> {
  if (await nextTourToReview(user)) return "/me";
  const completesHere = env().bookingCompletion === "automatic" && (await leadsTours(user.id));
  return completesHere && (await hasOpenDepartures(user)) ? "/guide" : null;
}
