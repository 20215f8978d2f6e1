import { type Clock, systemClock } from "~/infra/clock";
import type { Caller } from "~/services/caller.server";
import {
  type GuideOverview,
  type GuideQuery,
  readGuideLists,
  readOverview,
} from "~/services/tours/guide-overview.server";

/** What is asked for without any parameter. */
export const FIRST: GuideQuery = {
  ...{ tours: 1, open: 1, upcoming: 1, past: 1 },
  ...{ all: "", tour: null, stars: null, sort: "unanswered", after: null, reply: null },
};

/** The content of a guide's page at the clock's time, read again. */
export async function guideOverview(
  guide: Caller,
  { clock = systemClock, query = {} }: { clock?: Clock; query?: Partial<GuideQuery> } = {},
): Promise<GuideOverview> {
  const now = clock();
  return readOverview(await readGuideLists(guide, now), { ...FIRST, ...query }, now);
}
