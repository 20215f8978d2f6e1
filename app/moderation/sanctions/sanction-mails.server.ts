import type { ClientSession } from "mongoose";
import { renderSanction } from "#emails/sanction-mail";
import type { SanctionDocument } from "#models/sanction";
import type { UserDocument } from "#models/user";
import { env } from "~/infra/env.server";
import { queueMail, type Reader } from "~/mail/outbox.server";
import { sanctionToken } from "~/moderation/links.server";
import { appealEnd } from "~/ui/labels";
import { MISUSE_PATH, SANCTION_EFFECTS, SANCTION_TITLES, sanctionPath } from "./sanction-labels";

/**
 * Puts the e-mail about a warning or a suspension, or about what was decided on an appeal, into the outbox: to the
 * account, or to the address that the reporter gave. Somebody without an address is told nothing. Call
 * `wakeNotifications` after the commit.
 */
export async function queueSanction(
  { _id, kind, scope, until, at, explanation, email, appeal, outcome }: SanctionDocument,
  user: UserDocument | null,
  session: ClientSession,
): Promise<void> {
  const to: Reader | null = user ?? (email ? { email, account: null } : null);
  if (!to?.email) return;
  const { appUrl, contact, timeZone } = env();
  const rendered = await renderSanction(
    {
      ...(user?.name && { name: user.name }),
      title: SANCTION_TITLES[kind][scope],
      effect: SANCTION_EFFECTS[kind][scope],
      until,
      explanation: (outcome ?? { explanation }).explanation ?? "",
      outcome: outcome && { stands: outcome.stands, onAppeal: appeal !== null },
      appealUntil: outcome ? null : appealEnd(at),
      isAccount: scope === "account" && kind === "suspension",
      url: appUrl + sanctionPath(sanctionToken(_id)),
      ruleUrl: appUrl + MISUSE_PATH,
    },
    { to: to.email, appUrl, contact, timeZone },
  );
  await queueMail(to, rendered, session);
}
