import type { ClientSession } from "mongoose";
import { Sanction, type SanctionDocument, type SanctionScope } from "#models/sanction";

// Warnings and suspensions, for all services that ask whether somebody is suspended (docs/rules/moderation.md, Misuse).

/** Accounts or reporters by their names in sanctions, or an account by its address's keyed hash. */
type Suspended = { subject: { $in: string[] }; scope: SanctionScope } | { address: string };

/** A sanction that ends; a warning does not. */
type Suspension = SanctionDocument & { until: Date };

/** Finds the suspension that ends last among those in force at `now`. */
export async function findSuspension(
  whose: Suspended,
  now: Date,
  session?: ClientSession,
): Promise<Suspension | null> {
  // An account has one at a time; under several names there may be two.
  const found = await Sanction.find(
    { ...whose, until: { $gt: now }, "outcome.stands": { $ne: false } },
    null,
    { session },
  ).lean<Suspension[]>();
  return found.sort((a, b) => b.until.getTime() - a.until.getTime())[0] ?? null;
}

/**
 * Removes what a sanction says and whom it is about. With `addressUntil`, the hash of the address stays until then, and
 * a later call removes it.
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
 * The same for all sanctions of an account that is being deleted; `subjects` are its names in them. While a suspension
 * lasts, the hash of the address stays.
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
