import { Types, type ClientSession } from "mongoose";
import { z } from "zod";
import { REASONS } from "#models/case";
import { User, type UserDocument } from "#models/user";
import { isVisible } from "#models/visible";
import { canonicalEmail } from "~/lib/email-address.server";
import { env } from "~/config/env.server";
import { isDuplicateKeyError, RateLimitError, ServiceError } from "~/lib/errors.server";
import { inTransaction } from "~/db/transaction.server";
import { texts } from "~/lib/refusal-texts";
import { parseInput } from "~/lib/validation.server";
import { dayInWords } from "~/config/zones";
import { findAuthors } from "~/accounts/people.server";
import { claimAccess } from "~/accounts/access.server";
import { requireCaller } from "~/accounts/caller.server";
import { findSuspension } from "~/accounts/suspended.server";
import { ownerOfAddress, ownerNames } from "~/mail/outbox.server";
import { emailField, NAME_MAX_LENGTH } from "~/accounts/fields.server";
import {
  activeUser,
  type CurrentUser,
  findUserByEmail,
  toCurrentUser,
} from "~/accounts/users.server";
import { receiptsByAddress, reportsByNetwork } from "~/moderation/limits.server";
import { notifications } from "~/mail/delivery.server";
import {
  findReportedContent,
  type Item,
  readItemAddress,
} from "~/moderation/reported-content.server";
import { receiptToken } from "~/moderation/links.server";
import { WORDS_MAX_LENGTH } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";
import { storeReport } from "./stored-report.server";

const TOO_LONG = `Write at most ${WORDS_MAX_LENGTH.toLocaleString("en-GB")} characters.`;

/** A text of a report, an explanation or an appeal; `empty` is the refusal of none. */
export const wordsField = (empty: string) =>
  z
    .string()
    .trim()
    .refine(isVisible, { error: empty })
    .refine((text) => [...text].length <= WORDS_MAX_LENGTH, { error: TOO_LONG })
    .transform((text) => text.toWellFormed().replace(/\r\n?/g, "\n"));

const ReportForm = z.object({
  url: z.string(),
  reason: z.enum(REASONS, { error: "Choose a reason." }),
  words: wordsField("Write what is wrong with it."),
  name: z
    .string()
    .trim()
    .max(NAME_MAX_LENGTH, { error: `Write a name of at most ${NAME_MAX_LENGTH} characters.` }),
  email: emailField.optional(),
  goodFaith: z.literal("yes", { error: "Confirm that you believe what you report to be true." }),
});
export const REPORT_FIELDS = ReportForm.keyof().options;

/** Returns what the address is about, as the form shows it; null when everybody who looks finds nothing there. */
export async function findReported(url: string) {
  const item = await findShown(url);
  if (!item) return null;
  const authorId = item.authorId.toString();
  const { rating, text } = item.snapshot;
  const author = (await findAuthors([authorId])).get(authorId).name;
  return { kind: item.kind, reviewId: item.reviewId.toString(), author, rating, text };
}

async function findShown(url: string, session?: ClientSession): Promise<Item | null> {
  const address = readItemAddress(url);
  const item = address && (await findReportedContent(address, session));
  return item?.state === "removed" ? null : item;
}

/**
 * Stores what somebody reports, logged in or not, from a client at `clientAddress`: in the open case of that review or
 * reply, or in a new one, with the text as it is now. Returns the token of its receipt, whose page needs no log-in.
 * Throws `FormError` for a form that is not complete, `ServiceError` 404 when there is nothing at that address, 403
 * when it was decided for that reason and has not changed, or the caller is suspended, and `RateLimitError` 429. A report
 * that names a suspended address is answered like any other, and not taken: nobody learns of the suspension.
 */
export async function reportItem(
  caller: CurrentUser | null,
  form: Record<string, unknown>,
  clientAddress: string,
): Promise<string> {
  const email = typeof form.email === "string" && form.email.trim() !== "" ? form.email : undefined;
  const input = parseInput(ReportForm, { ...form, email });
  await reportsByNetwork.consume(clientAddress);
  if (!(await findShown(input.url)))
    throw new ServiceError(404, moderationTexts.nothingToReport, "url");
  if (caller) await requireMayReport(caller);
  const { reason, words, name, email: given } = input;
  const isMailed = given !== undefined && (await maySend(given));
  // Named once: when only the answer to a commit is lost, the transaction is tried again.
  const _id = new Types.ObjectId();
  const storeWithCase = () =>
    inTransaction(async (session) => {
      if (caller) await requireMayStillReport(caller, session);
      const owner = given === undefined ? null : await findUserByEmail(given);
      const isTaken = given === undefined || !(await isSuspendedAddress(given, owner, session));
      const item = await findShown(input.url, session);
      if (!item) throw new ServiceError(404, moderationTexts.nothingToReport, "url");
      const email = isMailed ? given : null;
      const ofAccount = isMailed && owner && { owner: owner._id.toString() };
      const sent = { _id, reason, words, name, email, ...ofAccount, caller, at: new Date() };
      await storeReport(item, sent, isTaken, session);
    });
  await storeWithCase().catch((error: unknown) => {
    // Another report has just opened the case, which this one joins.
    if (isDuplicateKeyError(error, "openKey")) return storeWithCase();
    throw error;
  });
  if (isMailed) notifications.wake();
  return receiptToken(_id);
}

const findReportingSuspension = (subjects: string[], session?: ClientSession) =>
  findSuspension({ subject: { $in: subjects }, scope: "reports" }, new Date(), session);

/** Refuses a report by an account that an operator has suspended from reporting. */
async function requireMayReport(caller: CurrentUser, session?: ClientSession) {
  const suspension = await findReportingSuspension(ownerNames(caller), session);
  if (!suspension) return;
  const end = dayInWords(suspension.until, env().timeZone);
  throw new ServiceError(403, moderationTexts.noReports(end));
}

/** The same in the transaction of a report, and that the account is still there. */
async function requireMayStillReport(caller: CurrentUser, session: ClientSession) {
  const _id = requireCaller(caller);
  await claimAccess(_id, session);
  const user = await User.findById(_id, null, { session }).lean<UserDocument>();
  if (!activeUser(user)) throw new ServiceError(401, texts.unauthorized);
  await requireMayReport(caller, session);
}

/** Returns whether an address, or the account that has it, is suspended from reporting. */
async function isSuspendedAddress(
  email: string,
  owner: UserDocument | null,
  session: ClientSession,
): Promise<boolean> {
  if (owner) await claimAccess(owner._id, session);
  const names = owner ? ownerNames(toCurrentUser(owner)) : [];
  return (await findReportingSuspension([...names, ownerOfAddress(email)], session)) !== null;
}

/** Returns whether an address that nobody has proven gets one more e-mail; without it the report counts all the same. */
async function maySend(email: string): Promise<boolean> {
  try {
    await receiptsByAddress.consume(canonicalEmail(email));
    return true;
  } catch (refusal) {
    if (refusal instanceof RateLimitError) return false;
    throw refusal;
  }
}
