import { z } from "zod";
import { Tour } from "#models/tour";
import { findChangesAfter } from "~/db/embedded/changes.server";
import { toObjectId } from "~/db/ids.server";
import { pageSize } from "~/db/page-query.server";
import { ServiceError } from "~/infra/errors.server";
import { texts } from "~/infra/refusal-texts";
import { type PublicChange, toPublicChange } from "./record-changes.server";

const CHANGES_ON_PAGE = 100;

/** Query of GET /api/tours/{id}/changes (docs/rules/reviews.md, Changes). */
export const ChangesQuery = z.object({
  limit: pageSize.meta({ description: "How many a page has at most: 100 without it." }),
  after: z
    .string()
    .regex(/^\d{1,15}$/, { error: texts.badVersion })
    .transform(Number)
    .optional()
    .meta({ description: "Only the changes after this version.", examples: [100] }),
});

/**
 * Returns a page of the changes of a tour's reviews, the oldest first, and the version at which the next one begins.
 * Throws `ServiceError` 404 "Tour not found".
 */
export async function listChanges(
  tourId: string,
  { limit: size = CHANGES_ON_PAGE, after = 0 }: z.output<typeof ChangesQuery>,
): Promise<{ changes: PublicChange[]; next: string | null }> {
  const id = toObjectId(tourId);
  if (!id || !(await Tour.exists({ _id: id }))) throw new ServiceError(404, texts.tourNotFound);
  const found = await findChangesAfter(id, after, size + 1);
  const changes = found.slice(0, size).map(toPublicChange);
  const next = found.length > size ? String(changes.at(-1)!.version) : null;
  return { changes, next };
}
