import { User, type UserDocument } from "#models/user";
import { cached } from "~/lib/cache.server";
import { toObjectId } from "~/db/ids.server";
import { batches, BATCH } from "~/db/batches";

/** A user as everybody sees them (docs/rules/reviews.md, Reviews). */
export interface Author {
  name: string;
  image: string | null;
}

/**
 * Maximum age of an author in memory. Cached lists may add as much again: together the minute of docs/rules/reviews.md,
 * Listing.
 */
export const AUTHOR_STALENESS_MS = 30_000;

const CACHE_BYTES = 8 * 1024 * 1024;

/** Authors by their ids; `NOBODY` for an id that no account has. */
export interface Authors {
  get: (id: string) => Author;
}

/** The author whose account is gone. */
export const NOBODY: Author = { name: "", image: null };

export const toAuthor = (user: Author | null | undefined): Author =>
  user ? { name: user.name, image: user.image || null } : NOBODY;

const cachedAuthors = cached<Author>({
  name: "authors",
  ttl: AUTHOR_STALENESS_MS,
  maxBytes: CACHE_BYTES,
});

/**
 * Returns the authors of these ids, at most half a minute old. Without `remember`, the cache is not filled: a list of
 * very many authors would displace all others.
 */
export async function findAuthors(
  userIds: Iterable<string>,
  { remember = true } = {},
): Promise<Authors> {
  const found = new Map<string, Author>();
  const unknown: string[] = [];
  for (const id of new Set(userIds)) {
    const author = cachedAuthors.get(id);
    if (author) found.set(id, author);
    else unknown.push(id);
  }
  for (const batch of batches(unknown, BATCH)) {
    const users = await User.find(
      { _id: { $in: batch.map((id) => toObjectId(id)) } },
      "name image",
    ).lean<Pick<UserDocument, "_id" | "name" | "image">[]>();
    const byId = new Map(users.map((user) => [user._id.toString(), user]));
    for (const id of batch) {
      const author = toAuthor(byId.get(id));
      found.set(id, author);
      if (remember) cachedAuthors.set(id, author);
    }
  }
  return { get: (id) => found.get(id) ?? NOBODY };
}

let forgotten = 0;

/** How many authors this process has forgotten so far. */
export const authorsForgotten = () => forgotten;

/** Makes this process read that user again. */
export function forgetAuthor(userId: string): void {
  forgotten++;
  cachedAuthors.delete(userId);
}
