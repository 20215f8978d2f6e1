import type { ClientSession } from "mongoose";
import { Erasure } from "#models/erasure";
import { batches, BATCH } from "~/db/batches";
import { keyedHash } from "~/lib/digest.server";
import { canonicalEmail } from "~/lib/email-address.server";

// Which accounts were deleted here, so that no import brings them back.

export interface Erasable {
  id?: string;
  email?: string;
}

const hashOfEmail = (email: string) => keyedHash("erased address", canonicalEmail(email));

const erasureHashes = ({ id, email }: Erasable) => [
  ...(id ? [keyedHash("erased account", id)] : []),
  ...(email ? [hashOfEmail(email)] : []),
];

export async function noteErasure(
  account: Erasable,
  erasedAt: Date,
  session: ClientSession,
): Promise<void> {
  for (const _id of erasureHashes(account))
    await Erasure.updateOne({ _id }, { $set: { erasedAt } }, { upsert: true, session });
}

/** Called in the transaction in which somebody has proven that the address is theirs. */
export async function forgetErasedAddress(email: string, session: ClientSession): Promise<void> {
  await Erasure.deleteOne({ _id: hashOfEmail(email) }, { session });
}

export async function forgetErasures(accounts: Erasable[]): Promise<void> {
  for (const some of batches(accounts.flatMap(erasureHashes), BATCH))
    await Erasure.deleteMany({ _id: { $in: some } });
}

/** Returns which of up to a hundred accounts were deleted here, by their ids or by their addresses. */
export async function erasedAmong<Account extends Erasable>(
  accounts: Account[],
): Promise<Set<Account>> {
  const byHash = new Map(accounts.flatMap((one) => erasureHashes(one).map((hash) => [hash, one])));
  const erased = new Set<Account>();
  for (const { _id } of await Erasure.find({ _id: { $in: [...byHash.keys()] } }, "_id").lean()) {
    const account = byHash.get(_id);
    if (account) erased.add(account);
  }
  return erased;
}
