import type { ClientSession } from "mongoose";
import { z } from "zod";
import { reportsByNetwork } from "~/moderation/limits.server";
import { inTransaction } from "~/db/transaction.server";
import { ServiceError } from "~/lib/errors.server";
import { parseInput } from "~/lib/validation.server";
import { wordsField } from "~/moderation/reports/report.server";
import { appealEnd } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";

/** A decision about somebody, who can appeal against it once by a link: in a case, or a warning or a suspension. */
export interface Appealable {
  /** Null while nothing is decided that they can appeal against. */
  decidedAt: Date | null;
  hasAppealed: boolean;
}

/** Returns until when they can appeal; null if they cannot, or have. */
export function appealDeadline({ decidedAt, hasAppealed }: Appealable, now: Date): Date | null {
  if (!decidedAt || hasAppealed) return null;
  const end = appealEnd(decidedAt);
  return now <= end ? end : null;
}

const AppealForm = z.object({ words: wordsField("Write why the decision is wrong.") });

/**
 * Makes the function that stores the appeal of the holder of a link, from a client at `clientAddress`, with `store`.
 * It throws `FormError`, `ServiceError` 404 for a link that is not ours, 403 when they can no longer appeal, and
 * `RateLimitError` 429.
 */
export const appealBy =
  <Subject extends Appealable>(
    read: (token: string, session: ClientSession) => Promise<Subject>,
    store: (
      subject: Subject,
      appeal: { text: string; at: Date },
      session: ClientSession,
    ) => Promise<unknown>,
  ) =>
  async (token: string, form: Record<string, unknown>, clientAddress: string): Promise<void> => {
    const { words } = parseInput(AppealForm, form);
    await reportsByNetwork.consume(clientAddress);
    await inTransaction(async (session) => {
      const subject = await read(token, session);
      const at = new Date();
      if (!appealDeadline(subject, at)) throw new ServiceError(403, moderationTexts.appealLate);
      await store(subject, { text: words, at }, session);
    });
  };
