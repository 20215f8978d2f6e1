import type { ClientSession } from "mongoose";
import { Sanction, type SanctionDocument, type SanctionScope } from "../../models/sanction";

// Warnings and suspensions, for all services that ask whether somebody is suspended (docs/rules.md, Misuse).

/** Of those, what has not been taken back. */
export const STANDING = { "outcome.stands": { $ne: false } };

/** The latest end of the suspensions from that of any of these subjects; null when there is none at `now`. */
export async function suspendedUntil(
  subjects: string[],
  scope: SanctionScope,
  now: Date,
  session?: ClientSession,
): Promise<Date | null> {
  const found = await Sanction.find(
    { subject: { $in: subjects }, scope, until: { $gt: now }, ...STANDING },
    "until",
    { session },
  ).lean<SanctionDocument[]>();
  return latest(found);
}

/** The same of an account that had that address, as a keyed hash, also when it is deleted. */
export async function addressSuspendedUntil(address: string, now: Date): Promise<Date | null> {
  const found = await Sanction.find({ address, until: { $gt: now }, ...STANDING }, "until").lean<
    SanctionDocument[]
  >();
  return latest(found);
}

/** There is one at a time, and seldom a second of another name. */
function latest(found: SanctionDocument[]): Date | null {
  const ends = found.map(({ until }) => until!.getTime());
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** Removes the words of a sanction, and whose it is. Without its end, that only a new account of the address looks for. */
export async function removeSanctionWords(
  { _id, appeal, outcome }: SanctionDocument,
  { keepAddress }: { keepAddress: boolean },
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
      },
      $unset: {
        subject: true,
        waitsSince: true,
        ...(!keepAddress && { address: true, endsAt: true }),
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
  for (const one of found) await removeSanctionWords(one, { keepAddress: true }, session);
}
