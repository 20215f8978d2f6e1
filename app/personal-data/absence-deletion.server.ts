import type { Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { BATCH } from "~/db/batches";
import { inTransaction } from "~/db/transaction.server";

/**
 * Removes what guides say of the user, and forgets that it was the user who said so of others, who can still object.
 * Calls `renew` before each bit of work.
 */
export async function forgetAbsences(
  userId: Types.ObjectId,
  renew: () => Promise<void>,
): Promise<void> {
  for (const of of [{ userId }, { guideId: userId }])
    while (true) {
      const found = await Absence.find(of, "_id").limit(BATCH).lean<AbsenceDocument[]>();
      if (found.length === 0) break;
      await renew();
      const these = { _id: { $in: found.map(({ _id }) => _id) } };
      await inTransaction(async (session) => {
        if ("userId" in of) await Absence.deleteMany(these, { session });
        else await Absence.updateMany(these, { $unset: { guideId: true } }, { session });
      });
    }
}
