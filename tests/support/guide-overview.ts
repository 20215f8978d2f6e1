import { type Clock, systemClock } from "~/infra/clock";
import type { Caller } from "~/services/caller.server";
import {
  type GuideOverview,
  type GuidePages,
  readGuideLists,
  readOverview,
} from "~/services/tours/guide-overview.server";

const FIRST_PAGES: GuidePages = { tours: 1, reviews: 1, open: 1, upcoming: 1, past: 1 };

/** The content of a guide's page at the clock's time, read again. */
export async function guideOverview(
  guide: Caller,
  { clock = systemClock, pages = {} }: { clock?: Clock; pages?: Partial<GuidePages> } = {},
): Promise<GuideOverview> {
  const now = clock();
  return readOverview(await readGuideLists(guide, now), { ...FIRST_PAGES, ...pages }, now);
}
