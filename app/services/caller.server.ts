import type { Types } from "mongoose";
import { ServiceError } from "../infra/errors.server";
import { toObjectId } from "../infra/ids.server";
import { writes } from "./limits.server";

/** Who asks: the current user, or null. */
export type Caller = { id: string } | null;

/** The caller's id; throws `ServiceError` when there is no current user. */
export function requireCaller(caller: Caller): Types.ObjectId {
  const id = toObjectId(caller?.id);
  if (!id) throw unauthorized();
  return id;
}

/** The first check of every change; throws `RateLimitError` to a caller with too many of them. */
export async function requireWriter(caller: Caller): Promise<Types.ObjectId> {
  const id = requireCaller(caller);
  await writes.consume(id.toString());
  return id;
}

export const unauthorized = () => new ServiceError(401, "Unauthorized");
