import { Types } from "mongoose";
import { z } from "zod";
import { Tour, type TourDocument } from "#models/tour";
import {
  type EntryPlace,
  findEntryAt,
  findTourEntriesAfter,
  findEntriesAfter,
} from "~/db/embedded/changes.server";
import { cursorCodec, cursorId, cursorNumber } from "~/db/cursor.server";
import { toObjectId } from "~/db/ids.server";
import { cursorParameter, pageSize } from "~/db/page-query.server";
import { LONGEST_TRANSACTION_MS } from "~/db/transaction.server";
import { ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { isoTime } from "~/lib/validation.server";
import { type PublicChange, toPublicChange } from "./record-changes.server";
import type { Rating } from "./schemas";

// docs/rules/reviews.md, Changes.

const CHANGES_ON_PAGE = 100;

const limit = pageSize.meta({ description: "How many a page has at most: 100 without it." });

/** Query of GET /api/tours/{id}/changes. */
export const ChangesQuery = z.object({
  limit,
  after: z
    .string()
    .regex(/^\d{1,15}$/, { error: texts.badVersion })
    .transform(Number)
    .optional()
    .meta({ description: "Only the changes after this version.", examples: [100] }),
});

const entryCursor = cursorCodec<EntryPlace>({
  time: cursorNumber(/^\d{13}$/).transform((time) => new Date(time)),
  tourId: cursorId.transform((id) => new Types.ObjectId(id)),
  version: cursorNumber(/^\d{1,15}$/),
});

/** Query of GET /api/changes. */
export const AllChangesQuery = z.object({ limit, after: cursorParameter(entryCursor) });

/** Query of GET /api/tours/{id}. */
export const TourQuery = z.object({
  at: isoTime(texts.badTime).optional().meta({
    description: "The rating at this time instead of the tour; of a day, at its first moment, UTC.",
  }),
  include: z
    .string()
    .optional()
    .meta({
      description:
        "`participation` adds how many guests took the tour, were asked and have reviewed it; any other value adds nothing.",
      examples: ["participation"],
    }),
});

/** The rating of a tour at an earlier time. */
export type RatingAt = z.output<typeof Rating>;

interface ChangesPage {
  changes: PublicChange[];
  /** `after` of the next page; null on the last one. */
  next: string | null;
}

async function getChangedTour(tourId: string): Promise<TourDocument> {
  const id = toObjectId(tourId);
  const tour = id && (await Tour.findById(id, "lastChange reviewCount").lean<TourDocument>());
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  return tour;
}

/** Returns a page of the changes of a tour's reviews, the oldest first. Throws `ServiceError` 404 "Tour not found". */
export async function listChanges(
  tourId: string,
  { limit: size = CHANGES_ON_PAGE, after = 0 }: z.output<typeof ChangesQuery>,
): Promise<ChangesPage> {
  const { _id } = await getChangedTour(tourId);
  const found = await findTourEntriesAfter(_id, after, size + 1);
  const changes = found.slice(0, size).map(toPublicChange);
  const last = found.length > size ? changes.at(-1) : undefined;
  return { changes, next: last ? String(last.version) : null };
}

/** Returns the last `count` changes up to that version, the newest first. */
export async function changesUpTo(
  tourId: TourDocument["_id"],
  version: number,
  count: number,
): Promise<PublicChange[]> {
  const found = await findTourEntriesAfter(tourId, Math.max(0, version - count), count);
  return found
    .map(toPublicChange)
    .filter((change) => change.version <= version)
    .toReversed();
}

/**
 * Returns a page of the changes of all tours, the oldest first: only those that are older than the longest transaction,
 * so that none comes before one that was listed.
 */
export async function listAllChanges({
  limit: size = CHANGES_ON_PAGE,
  after,
}: z.output<typeof AllChangesQuery>): Promise<ChangesPage> {
  const until = new Date(Date.now() - LONGEST_TRANSACTION_MS);
  const found = await findEntriesAfter(entryCursor.decode(after), until, size + 1);
  const listed = found.slice(0, size);
  const last = found.length > size ? listed.at(-1) : undefined;
  return { changes: listed.map(toPublicChange), next: last ? entryCursor.encode(last) : null };
}

/** Throws `ServiceError` 404 for no tour, and for a time whose reviews no entry counts. */
export async function ratingAt(tourId: string, at: string): Promise<RatingAt> {
  const tour = await getChangedTour(tourId);
  const { _id, lastChange } = tour;
  const time = new Date(at);
  const entry = await findEntryAt(_id, time, lastChange?.version ?? 0);
  if (!entry) {
    // The first entry of reviews that were there before it is a checkpoint.
    const [first] = await findTourEntriesAfter(_id, 0, 1);
    if (first ? first.type === "checkpoint" : tour.reviewCount > 0)
      throw new ServiceError(404, texts.ratingUnknown);
  }
  const { version = 0, mean: avgRating = 0, count: reviewCount = 0 } = entry ?? {};
  return { tourId: _id.toString(), at: time.toISOString(), version, avgRating, reviewCount };
}
