import { expect } from "vitest";
import { logIn } from "~/accounts/log-in/log-in.server";
import { exportData } from "~/personal-data/export.server";
import type { CurrentUser } from "~/accounts/users.server";
import type { Caller } from "~/accounts/caller.server";
import type { GuideQuery } from "~/guides/guide-address";
import { type GuideOverview, guideOverview as readOverview } from "~/guides/guide-overview.server";
import { listReviews, type ReviewList } from "~/reviews/list/list.server";
import type { PublicReview } from "~/reviews/list/public-review.server";
import { accountTexts } from "~/accounts/refusal-texts";

export const WRONG = { status: 400, message: accountTexts.wrongLogin };

export const WAIT = {
  status: 400,
  message: expect.stringMatching(
    /^Too many wrong passwords for this account\. Please wait 1[0-5] minutes and try again\.$/,
  ),
};

/** The address of log-ins unless a test says otherwise. */
export const HOME = "192.0.2.1";

/** The message of a refusal, or "in". */
export const outcome = (email: string, password: string, from = HOME) =>
  logIn(email, password, from).then(
    () => "in",
    (error: Error) => error.message,
  );

/** Tries a wrong password that many times; each is refused. */
export async function fail(email: string, times: number, from = HOME) {
  for (let time = 0; time < times; time++)
    await expect(logIn(email, "wrong", from)).rejects.toMatchObject(WRONG);
}

export async function exportOf(user: CurrentUser): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of await exportData(user)) text += piece;
  return JSON.parse(text) as Record<string, unknown>;
}

/** The JSON of a list, whether it comes as a whole or in parts. */
export async function jsonOf(list: ReviewList): Promise<string> {
  if (list.body) return list.body.toString();
  let json = "";
  for await (const part of list.parts()) json += part;
  return json;
}

/** The reviews of a tour as the API lists them. */
export async function listedReviews(tourId: string): Promise<PublicReview[]> {
  const json = await jsonOf(await listReviews(tourId));
  return (JSON.parse(json) as { reviews: PublicReview[] }).reviews;
}

const FIRST: GuideQuery = {
  tours: 1,
  open: 1,
  upcoming: 1,
  past: 1,
  all: "",
  tour: null,
  stars: null,
  sort: "unanswered",
  after: null,
  reply: null,
};

/** The content of a guide's page, without the parameters that are not given. */
export const guideOverview = (
  guide: Caller,
  query: Partial<GuideQuery> = {},
): Promise<GuideOverview> => readOverview(guide, { ...FIRST, ...query });
