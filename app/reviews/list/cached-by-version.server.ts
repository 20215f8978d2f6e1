import type { TourDocument } from "#models/tour";
import { cached } from "~/lib/cache.server";
import { sha256 } from "~/lib/digest.server";

type LoadValue<Value> = () => Promise<Value>;

const cache = cached<NonNullable<unknown>, LoadValue<NonNullable<unknown>>>({
  name: "parts of pages",
  maxBytes: 64 * 1024 * 1024,
  load: (_key, read) => read(),
});

/** Reads once, and again after `ttl` milliseconds. */
export const cachedFor = <Value extends NonNullable<unknown>>(
  key: string,
  ttl: number,
  read: LoadValue<Value>,
): Promise<Value> => cache.forceFetch(key, { context: read, ttl }) as Promise<Value>;

/**
 * Reads once for each version, since a tour and a version name one state of its reviews
 * (docs/decisions/004-list-cache-by-version.md), and again after `ttl` milliseconds, since what a platform writes
 * changes no version.
 */
export const cachedByVersion = <Value extends NonNullable<unknown>>(
  { _id, ratingsVersion }: Pick<TourDocument, "_id" | "ratingsVersion">,
  what: string,
  ttl: number,
  read: LoadValue<Value>,
): Promise<Value> => cachedFor(`${_id.toString()} ${ratingsVersion} ${what}`, ttl, read);

/** Names the state of the reviews of several tours; null where nobody has changed those of one here. */
export const stateOfReviews = (
  tours: Pick<TourDocument, "_id" | "ratingsVersion">[],
): string | null =>
  tours.every(({ ratingsVersion }) => ratingsVersion > 0)
    ? sha256(tours.map(({ _id, ratingsVersion }) => `${_id.toString()} ${ratingsVersion}`).join())
    : null;
