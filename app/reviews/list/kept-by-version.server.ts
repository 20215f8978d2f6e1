import type { TourDocument } from "#models/tour";
import { cached } from "~/infra/cache.server";

type Read<Value> = () => Promise<Value>;

// A tour and a version name one state of its reviews (docs/decisions/004-list-cache-by-version.md).
const kept = cached<NonNullable<unknown>, Read<NonNullable<unknown>>>({
  name: "reviews by version",
  maxBytes: 20 * 1024 * 1024,
  load: (_key, read) => read(),
});

/** Reads once for each version, and again after `ttl` milliseconds, since what a platform writes changes no version. */
export const keptByVersion = <Value extends NonNullable<unknown>>(
  { _id, ratingsVersion }: Pick<TourDocument, "_id" | "ratingsVersion">,
  what: string,
  ttl: number,
  read: Read<Value>,
): Promise<Value> =>
  kept.forceFetch(`${_id.toString()} ${ratingsVersion} ${what}`, {
    context: read,
    ttl,
  }) as Promise<Value>;
