import { GuideVisit, type GuideVisitDocument } from "#models/guide-visit";
import { DAY_MS, MINUTE_MS } from "~/lib/durations";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";

/** Time without a request after which a visit ends. */
export const VISIT_MS = 30 * MINUTE_MS;
/** Reviews are new at a guide's first visit if they are not older. */
const FIRST_MS = 7 * DAY_MS;
/**
 * Reviews of this time before the end of a visit are new at the next one: the last page was read before its visit was
 * noted.
 */
const UNSEEN_MS = 30_000;

/** Returns since when reviews are new to the guide (ISO 8601). */
export async function noteVisit(guide: Caller): Promise<string> {
  const _id = requireCaller(guide);
  const now = Date.now();
  const first = new Date(now - FIRST_MS);
  const isGoingOn = { $gt: ["$seenAt", new Date(now - VISIT_MS)] };
  const last = { $cond: [isGoingOn, "$since", { $subtract: ["$seenAt", UNSEEN_MS] }] };
  const isFirst = { $eq: [{ $type: "$seenAt" }, "missing"] };
  // One command, because the page has a bound of them.
  const noted = await GuideVisit.collection
    .findOneAndUpdate(
      { _id },
      [{ $set: { since: { $cond: [isFirst, first, last] }, seenAt: new Date(now) } }],
      { upsert: true, returnDocument: "after" },
    )
    .catch((error: unknown) => {
      if (!isDuplicateKeyError(error)) throw error;
      return null;
    });
  // Another request of the same visit was first.
  const visit = noted ?? (await GuideVisit.findById(_id).lean<GuideVisitDocument>());
  return ((visit?.since as Date | undefined) ?? first).toISOString();
}
