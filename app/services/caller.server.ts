import type { Types } from "mongoose";
import { ServiceError } from "../infra/errors.server";
import { toObjectId } from "../infra/ids.server";
import { writes } from "./limits.server";
import { texts } from "./texts";

/** Who asks: a user, by id. Where a service takes null, that is a visitor who is not logged in. */
export interface Caller {
  id: string;
}

/** Returns the caller's id; throws `ServiceError` 401 when nobody is logged in. */
export function requireCaller(caller: Caller | null): Types.ObjectId {
  const id = toObjectId(caller?.id);
  if (!id) throw new ServiceError(401, texts.unauthorized);
  return id;
}

/**
 * The first checks of every change of a review: `requireCaller`, then counts the change while `look` makes
 * the others, and returns what that returns. Throws `RateLimitError` 429 when the caller has made too many
 * (docs/rules.md, Limits), whatever `look` says.
 */
export async function requireWriter<Looked>(
  caller: Caller | null,
  look: (author: Types.ObjectId) => Promise<Looked>,
): Promise<Looked & { author: Types.ObjectId }> {
  const author = requireCaller(caller);
  const [counted, looked] = await Promise.allSettled([
    writes.consume(author.toString()),
    look(author),
  ]);
  if (counted.status === "rejected") throw counted.reason;
  if (looked.status === "rejected") throw looked.reason;
  return { ...looked.value, author };
}
