import { type ClientSession, Types } from "mongoose";
import { formsOfSlug, Tour } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { keepReportsOf } from "~/accounts/left-addresses.server";
import { inTransaction } from "~/db/transaction.server";
import { ServiceError } from "~/lib/errors.server";
import { SLUG_TAKEN } from "./read-file.server";
import { claimSlug, keepFormerSlugs } from "./slugs.server";

// Users who take one another's addresses, and tours that take one another's slugs.

/** Each taker with the owners whose address or slug it takes. */
export type Takers<Key> = ReadonlyMap<Key, readonly Key[]>;

/** Returns groups that have to change together: each taker with all that it takes from, and theirs. */
export function exchangeGroups<Key>(takers: Takers<Key>): Key[][] {
  const neighbours = new Map<Key, Key[]>();
  const join = (one: Key, other: Key) =>
    neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
  for (const [taker, owners] of takers)
    for (const owner of owners) {
      join(taker, owner);
      join(owner, taker);
    }
  const seen = new Set<Key>();
  const groups: Key[][] = [];
  for (const start of neighbours.keys()) {
    if (seen.has(start)) continue;
    const group = [start];
    seen.add(start);
    for (const one of group)
      for (const other of neighbours.get(one) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        group.push(other);
      }
    groups.push(group);
  }
  return groups;
}

interface ExchangeOptions {
  timeoutMs?: number;
  moved?: (before: UserDocument, email: string, session: ClientSession) => Promise<void>;
}

/**
 * Exchanges addresses among stored users. The unique index checks every write, so all of them are without an address in
 * between, which no other transaction sees. `moved` is called with each user as they were.
 */
export async function exchangeEmails(
  users: { id: string; email: string }[],
  { timeoutMs, moved = async () => {} }: ExchangeOptions = {},
): Promise<void> {
  await inTransaction(
    async (session) => {
      const _id = { $in: users.map(({ id }) => new Types.ObjectId(id)) };
      const stored = await User.find({ _id }, null, { session }).lean<UserDocument[]>();
      await User.collection.updateMany({ _id }, { $unset: { email: true } }, { session });
      for (const { id, email } of users) {
        const before = stored.find((user) => user._id.toString() === id);
        if (!before) continue;
        await User.collection.updateOne({ _id: before._id }, { $set: { email } }, { session });
        await moved(before, email, session);
      }
      await keepReportsOf(stored, session);
    },
    timeoutMs === undefined ? {} : { timeoutMs },
  );
}

/** Exchanges slugs among stored tours. */
export async function exchangeSlugs(tours: { id: string; slug: string }[]): Promise<void> {
  await inTransaction(async (session) => {
    const ids = tours.map(({ id }) => id);
    for (const { slug } of tours) {
      await claimSlug(slug, session);
      const other = { slug: { $in: formsOfSlug(slug) }, _id: { $nin: ids } };
      if (await Tour.exists(other).session(session))
        throw new ServiceError(400, `slug: ${SLUG_TAKEN}`);
    }
    await keepFormerSlugs(tours, session);
    for (const { id, slug } of tours)
      await Tour.updateOne({ _id: id }, { $set: { slug } }, { session });
  });
}
