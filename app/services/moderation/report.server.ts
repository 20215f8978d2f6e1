import { Types, type ClientSession } from "mongoose";
import { z } from "zod";
import { Case, type CaseDocument, itemKey, type Reason } from "../../../models/case";
import { Report, type ReportDocument } from "../../../models/report";
import { type Clock, systemClock } from "../../infra/clock";
import { canonicalEmail } from "../../infra/email-address.server";
import { env } from "../../infra/env.server";
import { isDuplicateKeyError, RateLimitError, ServiceError } from "../../infra/errors.server";
import { inTransaction } from "../../infra/transaction.server";
import { parseInput } from "../../infra/validation.server";
import { dayInWords } from "../../infra/zones";
import { findAuthors } from "../../store/people.server";
import { findSuspension } from "../../store/sanctions.server";
import { ofAddress, ownersOf } from "../accounts/account-mails.server";
import { emailField, NAME_MAX_LENGTH } from "../accounts/fields.server";
import { type CurrentUser, findUserByEmail } from "../accounts/users.server";
import { receiptsByAddress, reportsByNetwork } from "../limits.server";
import { wakeNotifications } from "../notifications/delivery.server";
import { queueReceipt } from "./case-mails.server";
import { findItem, type Item, readItemAddress } from "./items.server";
import { receiptToken } from "./links.server";
import { REASONS, WORDS_MAX_LENGTH } from "./words";

export const NOTHING_TO_REPORT =
  "There is no such review or reply. Copy the address of its page: it ends with /reviews/ and 24 letters and digits.";

export const ALREADY_DECIDED =
  "We have already decided about this text for that reason. You can report it for another reason, or again once it has changed.";

const TOO_LONG = `Write at most ${WORDS_MAX_LENGTH.toLocaleString("en-GB")} characters.`;

/** A text of a report, an explanation or an appeal; `empty` is the refusal of none. */
export const wordsField = (empty: string) =>
  z
    .string()
    .trim()
    .min(1, { error: empty })
    .refine((text) => [...text].length <= WORDS_MAX_LENGTH, { error: TOO_LONG })
    .transform((text) => text.toWellFormed().replace(/\r\n?/g, "\n"));

const ReportForm = z.object({
  url: z.string(),
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]], { error: "Choose a reason." }),
  words: wordsField("Write what is wrong with it."),
  name: z
    .string()
    .trim()
    .max(NAME_MAX_LENGTH, {
      error: `Write a name of at most ${NAME_MAX_LENGTH} characters.`,
    }),
  email: emailField.optional(),
  goodFaith: z.literal("yes", { error: "Confirm that you believe what you report to be true." }),
});

/** What is about to be reported, as the form shows it. */
export interface Reported {
  kind: Item["kind"];
  reviewId: string;
  /** Who wrote it; empty for a former account. */
  author: string;
  rating: number | null;
  text: string | null;
}

/** Returns what the address is about, for the form; null when everybody who looks finds nothing there. */
export async function findReported(url: string): Promise<Reported | null> {
  const item = await findShown(url);
  if (!item) return null;
  const authorId = item.authorId.toString();
  const { rating, text } = item.snapshot;
  return {
    kind: item.kind,
    reviewId: item.reviewId.toString(),
    author: (await findAuthors([authorId])).get(authorId)!.name,
    ...{ rating, text },
  };
}

async function findShown(url: string, session?: ClientSession): Promise<Item | null> {
  const address = readItemAddress(url);
  const item = address && (await findItem(address, session));
  return item?.state === "removed" ? null : item;
}

/**
 * Stores what somebody reports, logged in or not, from a client at `clientAddress`: in the open case of that review or
 * reply, or in a new one, with the text as it is now. Returns the token of its receipt, whose page needs no log-in.
 * Throws `FormError` for a form that is not complete, `ServiceError` 404 when there is nothing at that address, 403
 * when it was decided for that reason and has not changed, or the reporter is suspended, and `RateLimitError` 429.
 */
export async function reportItem(
  caller: CurrentUser | null,
  form: Record<string, unknown>,
  clientAddress: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<string> {
  const email = typeof form.email === "string" && form.email.trim() !== "" ? form.email : undefined;
  const input = parseInput(ReportForm, { ...form, email });
  await reportsByNetwork.consume(clientAddress);
  if (!(await findShown(input.url))) throw new ServiceError(404, NOTHING_TO_REPORT, "url");
  await requireMayReport(caller, input.email, clock());
  const isTold = input.email !== undefined && (await maySend(input.email));
  const store = () =>
    inTransaction((session) => storeReport(caller, input, isTold, session, clock()));
  const _id = await store().catch((error: unknown) => {
    // Another report has just opened the case, which this one joins.
    if (isDuplicateKeyError(error, "openKey")) return store();
    throw error;
  });
  if (isTold) wakeNotifications();
  return receiptToken(_id);
}

/** Refuses a report by an account or an address that an operator has suspended from reporting. */
async function requireMayReport(caller: CurrentUser | null, email: string | undefined, now: Date) {
  const owner = email === undefined ? null : await findUserByEmail(email);
  const subjects = [
    ...(caller ? ownersOf(caller) : []),
    ...(email === undefined ? [] : [ofAddress(email)]),
    ...(owner ? [owner._id.toString()] : []),
  ];
  if (subjects.length === 0) return;
  const suspension = await findSuspension({ subject: { $in: subjects }, scope: "reports" }, now);
  if (!suspension) return;
  const end = dayInWords(suspension.until!, env().timeZone);
  throw new ServiceError(
    403,
    `We do not accept your reports until ${end}. Our e-mail about it says why, and how you can appeal.`,
  );
}

/** Whether an address that nobody has proven gets one more e-mail; without one the report counts all the same. */
async function maySend(email: string): Promise<boolean> {
  try {
    await receiptsByAddress.consume(canonicalEmail(email));
    return true;
  } catch (refusal) {
    if (refusal instanceof RateLimitError) return false;
    throw refusal;
  }
}

async function storeReport(
  caller: CurrentUser | null,
  input: z.output<typeof ReportForm>,
  isTold: boolean,
  session: ClientSession,
  now: Date,
): Promise<Types.ObjectId> {
  const item = await findShown(input.url, session);
  if (!item) throw new ServiceError(404, NOTHING_TO_REPORT, "url");
  const { reason, words, name, email } = input;
  const caseId = await joinCase(item, reason, session, now);
  const report: ReportDocument = {
    _id: new Types.ObjectId(),
    caseId,
    ...{ reason, words, at: now },
    ...{ name: name || null, email: email || null },
    ...reporterOf(caller, email),
  };
  await Report.create([report], { session });
  if (isTold) await queueReceipt(report, session);
  return report._id;
}

/** By what an operator finds earlier reports of the same account or address. */
const reporterOf = (
  caller: CurrentUser | null,
  email: string | undefined,
): Pick<ReportDocument, "reporter"> =>
  caller ? { reporter: caller.id } : email ? { reporter: ofAddress(email) } : {};

/** Adds a report to the item's open case, or opens one; returns the case's id. */
async function joinCase(
  item: Item,
  reason: Reason,
  session: ClientSession,
  now: Date,
): Promise<Types.ObjectId> {
  const openKey = itemKey(item);
  const rank = reason === "danger" ? 0 : 1;
  const open = await Case.findOne({ openKey }, "rank", { session }).lean<CaseDocument>();
  if (open) {
    await Case.updateOne(
      { _id: open._id },
      {
        $set: { rank: Math.min(rank, open.rank) },
        $inc: { reports: 1, version: 1 },
        $addToSet: { reasons: reason },
      },
      { session },
    );
    return open._id;
  }
  const { kind, reviewId, tourId, authorId, tag, snapshot } = item;
  const decided = await Case.exists({
    ...{ reviewId, kind, tag, reasons: reason },
    state: { $ne: "open" },
  }).session(session);
  if (decided) throw new ServiceError(403, ALREADY_DECIDED);
  const _id = new Types.ObjectId();
  await Case.create(
    [
      {
        ...{ _id, kind, reviewId, tourId, authorId, tag, snapshot, openKey, rank },
        ...{ state: "open", since: now, openedAt: now, version: 1 },
        ...{ reports: 1, reasons: [reason], decisions: [], appeals: [] },
      } satisfies CaseDocument,
    ],
    { session },
  );
  return _id;
}
