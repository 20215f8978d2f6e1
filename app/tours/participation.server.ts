import { env } from "~/config/env.server";
import type { Caller } from "~/accounts/caller.server";
import { type Participation, cachedParticipation } from "~/requests/participation.server";
import { getTourDocument, type PublicTour, toPublicTour } from "./tours.server";

/**
 * Returns the tour with how many guests took it, were asked and have reviewed it: null for who may not know, where
 * `SHOW_PARTICIPATION` does not tell everybody. Throws `ServiceError` 404 "Tour not found".
 */
export async function getParticipatedTour(
  tourId: string,
  { caller, isService }: { caller: Caller | null; isService: boolean },
): Promise<PublicTour & { participation: Participation | null }> {
  const found = await getTourDocument(tourId);
  const tour = toPublicTour(found);
  const mayKnow = env().showParticipation || isService || caller?.id === tour.createdById;
  return { ...tour, participation: mayKnow ? await cachedParticipation(found) : null };
}
