import type { Types } from "mongoose";
import { ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { writes } from "~/db/limits.server";
import { texts } from "~/lib/refusal-texts";

/** Where a service takes null, that is a visitor who is not logged in. */
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
 * The first checks of every change of a review: counts it. Throws `ServiceError` 401, and `RateLimitError` 429 when
 * the caller has made too many (docs/rules/requests.md, Limits).
 */
export async function requireWriter(caller: Caller | null): Promise<Types.ObjectId> {
  const id = requireCaller(caller);
  await writes.consume(id.toString());
  return id;
}
