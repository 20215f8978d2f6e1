import type { ClientSession } from "mongoose";
import { Sanction, type SanctionDocument, type SanctionScope } from "../../models/sanction";

// Warnings and suspensions, for all services that ask whether somebody is suspended (docs/rules.md, Misuse).

/** Whose suspension: by the names of an account or a reporter, or by the keyed hash of an account's address. */
type Suspended = { subject: { $in: string[] }; scope: SanctionScope } | { address: string };

/** The suspension of these that ends last, of those that have not ended at `now` and stand; null when there is none. */
export async function findSuspension(
  whose: Suspended,
  now: Date,
  session?: ClientSession,
): Promise<SanctionDocument | null> {
  // One at a time, and seldom a second of another name.
  const found = await Sanction.find(
    { ...whose, until: { $gt: now }, "outcome.stands": { $ne: false } },
    null,
    { session },
  ).lean<SanctionDocument[]>();
  return found.sort((a, b) => b.until!.getTime() - a.until!.getTime())[0] ?? null;
}

/**
 * Removes the words of a sanction, and whose it is. With `addressUntil`, that its address is suspended stays until that
 * time, when this is done again.
 */
export async function removeSanctionWords(
  { _id, appeal, outcome }: SanctionDocument,
  { addressUntil }: { addressUntil: Date | null },
  session: ClientSession,
): Promise<void> {
  await Sanction.updateOne(
    { _id },
    {
      $set: {
        explanation: null,
        email: null,
        appeal: appeal && { ...appeal, text: null },
        outcome: outcome && { ...outcome, explanation: null },
        ...(addressUntil && { endsAt: addressUntil }),
      },
      $unset: {
        subject: true,
        waitsSince: true,
        ...(!addressUntil && { address: true, endsAt: true }),
      },
    },
    { session },
  );
}

/**
 * Removes the words of the sanctions of an account that is being deleted, and whose they are; `subjects` are its names
 * in them. That its address is suspended stays until that is over.
 */
export async function forgetSanctions(subjects: string[], session: ClientSession): Promise<void> {
  const found = await Sanction.find({ subject: { $in: subjects } }, null, { session }).lean<
    SanctionDocument[]
  >();
  for (const one of found) {
    const addressUntil = one.address === undefined ? null : one.until;
    await removeSanctionWords(one, { addressUntil }, session);
  }
}
