import type { Types } from "mongoose";
import { type LimitState, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { writes } from "~/db/limits.server";
import { texts } from "~/lib/refusal-texts";

/** The user who calls a service. Where a service takes null, nobody is logged in. */
export interface Caller {
  id: string;
  /** Set when the platform's own token acts for the user. */
  by?: "platform";
}

/** Throws `ServiceError` 401 when nobody is logged in. */
export function requireCaller(caller: Caller | null): Types.ObjectId {
  const id = toObjectId(caller?.id);
  if (!id) throw new ServiceError(401, texts.unauthorized);
  return id;
}

/**
 * Counts a change of a review or a reply, refused before all checks but the first one, and returns what is left. Throws
 * `ServiceError` 401, and `RateLimitError` 429 when the caller has made too many (docs/rules/requests.md, Limits).
 */
export const countWrite = async (caller: Caller | null): Promise<LimitState> =>
  writes.consume(requireCaller(caller).toString());

/** Returns what reads have found while a change is counted; a count that refuses the change refuses it first. */
export async function whileCounted<Found>(
  counted: Promise<unknown> | undefined,
  found: Promise<Found>,
): Promise<Found> {
  // What it throws is thrown below, unless the count refuses.
  found.catch(() => {});
  await counted;
  return found;
}
