import { type ClientSession, Types } from "mongoose";
import { z } from "zod";
import { type Action, ACTIONS, Case, type CaseDocument, GROUNDS } from "#models/case";
import { Decision } from "#models/decision";
import { NO_ID } from "#models/reading";
import { Tour, type TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { FormError, ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { parseInput } from "~/lib/validation.server";
import { changeTour } from "~/reviews/change-tour.server";
import type { TourTransaction } from "~/reviews/tour-transaction.server";
import {
  hideReply,
  type NoReturn,
  redactReview,
  removeReview,
  restoreReview,
  restoreWords,
} from "~/reviews/removal.server";
import { countedRating } from "~/reviews/record-changes.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { notifications } from "~/mail/delivery.server";
import { wordsField } from "~/moderation/reports/report.server";
import { appealEnd, type Meanwhile } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";
import { queueDecisionForPeople } from "./mails.server";
import { findReportedContent, type Item, tagOfAll } from "./reported-content.server";
import { hasConflictOfInterest, requireDecider, appealRefusal } from "./operators.server";
import { reporterMails } from "./notify-reporters.server";
import { takeBackUnfounded } from "./sanctions/settle.server";

/** The longest reference of an order, in characters. */
const REFERENCE_MAX_LENGTH = 200;

const DecisionForm = z.object({
  version: z.coerce.number(),
  tag: z.string(),
  reports: z.coerce.number(),
  appeals: z.coerce.number(),
  action: z.enum(ACTIONS, { error: "Choose what to do." }),
  ground: z.enum(GROUNDS, { error: "Choose a ground." }),
  explanation: wordsField("Explain the decision to those whom it concerns."),
  reference: z
    .string()
    .trim()
    .max(REFERENCE_MAX_LENGTH, { error: `Write at most ${REFERENCE_MAX_LENGTH} characters.` }),
});
type Input = z.output<typeof DecisionForm>;
export const DECISION_FIELDS = DecisionForm.keyof().options;

/** Reads the fields of the operator's form; throws `FormError`. */
export function readDecision(form: Record<string, unknown>): Input {
  const input = parseInput(DecisionForm, form);
  if (input.ground === "order" && !input.reference)
    throw new FormError({ reference: moderationTexts.orderMissing });
  return input;
}

/** Returns what an operator can do with a case, by what there is of the item. */
export function actionsFor(item: Item | null, { _id }: Pick<CaseDocument, "_id">): Action[] {
  if (!item) return ["keep"];
  if (item.state === "shown")
    return item.kind === "review" && item.snapshot.text
      ? ["keep", "redact", "remove"]
      : ["keep", "remove"];
  // Only the case in which it was decided has the words, and those who are told of it.
  const restore: Action[] = item.takenDownIn?.equals(_id) ? ["restore"] : [];
  return item.state === "redacted" ? ["keep", ...restore, "remove"] : ["keep", ...restore];
}

/** Returns why somebody may not decide about a case; null if they may. */
export async function decisionBlocker(
  operator: UserDocument,
  found: CaseDocument,
  { item, tour }: { item: Item | null; tour: TourDocument | null },
  session?: ClientSession,
): Promise<string | null> {
  const about = { review: item?.review ?? null, tour };
  const isConcerned = (user: UserDocument) => hasConflictOfInterest(user, found, session, about);
  if (await isConcerned(operator)) return moderationTexts.ownCase;
  if (found.state === "decided") return moderationTexts.caseDecided;
  const last = found.decisions.at(-1);
  return found.state === "appealed" && last
    ? appealRefusal(operator._id, last.operatorId, isConcerned, session)
    : null;
}

/**
 * Decides about a case by the fields of the operator's form, which carries the state that the operator saw: acts on the
 * review or reply, recomputes the ratings, writes the row of the log and tells those whom it concerns, all in the
 * tour's own transaction (docs/rules/moderation.md, Decisions). Returns what has come since they looked: a case with
 * unread appeals waits again. Throws `FormError`, and `ServiceError` 404 for no such case, 403 when this operator may
 * not decide about it, 412 when something has changed meanwhile.
 */
export async function decide(
  operator: Caller,
  caseId: string,
  form: Record<string, unknown>,
): Promise<Meanwhile> {
  requireCaller(operator);
  const input = readDecision(form);
  await writes.consume(operator.id);
  const { tourId } = await requireCase(caseId);
  const meanwhile = await changeTour(tourId, async (tx) => {
    const { session, now } = tx;
    const decider = await requireDecider(operator, session);
    const found = await requireCase(caseId, session);
    const item = await findReportedContent(found, session);
    const tour = await Tour.findById(tourId, null, { session }).lean<TourDocument>();
    const tag = await tagOfAll(found, item, session);
    if (found.version !== input.version || tag !== input.tag)
      throw new ServiceError(412, moderationTexts.changedMeanwhile);
    const refusal = await decisionBlocker(decider, found, { item, tour }, session);
    if (refusal) throw new ServiceError(403, refusal);
    requireFitting(input, item, found);
    await writeDecision({ found, item, tour, input, operatorId: decider._id, now }, tx);
    return {
      reports: Math.max(0, found.reports - input.reports),
      appeals: Math.max(0, found.appeals.length - input.appeals),
    };
  });
  notifications.wake();
  reporterMails.wake();
  return meanwhile;
}

/** Returns the case of that id; throws `ServiceError` 404. */
export async function requireCase(caseId: string, session?: ClientSession): Promise<CaseDocument> {
  const id = toObjectId(caseId);
  const found = id && (await Case.findById(id, null, { session }).lean<CaseDocument>());
  if (!found) throw new ServiceError(404, moderationTexts.noCase);
  return found;
}

/** Validates that action and ground fit: content that stays is "allowed", content that goes is not. */
function requireFitting({ action, ground }: Input, item: Item | null, found: CaseDocument): void {
  if (!actionsFor(item, found).includes(action))
    throw new FormError({ action: moderationTexts.notPossible });
  const staysDown = action === "keep" && item !== null && item.state !== "shown";
  const isDown = action === "redact" || action === "remove" || staysDown;
  if (isDown && ground === "allowed")
    throw new FormError({ ground: moderationTexts.groundMissing });
  if (!isDown && ground !== "allowed")
    throw new FormError({
      ground: moderationTexts.groundAllowed,
    });
}

interface DecisionToWrite {
  found: CaseDocument;
  item: Item | null;
  tour: TourDocument | null;
  input: Input;
  operatorId: Types.ObjectId;
  now: Date;
}

async function writeDecision(deciding: DecisionToWrite, tx: TourTransaction): Promise<void> {
  const { session } = tx;
  const { found, item, tour, input, operatorId, now } = deciding;
  const { action, ground, explanation } = input;
  const { _id: caseId, kind, reviewId, tourId } = found;
  const removedText = await applyToItem(deciding, tx);
  const onAppeal = found.state === "appealed";
  const decided = { _id: new Types.ObjectId(), at: now, operatorId, action, ground, onAppeal };
  const decision = { ...decided, explanation, reference: input.reference || null };
  const hasUnread = found.appeals.length > input.appeals;
  await Decision.create(
    [
      {
        ...decided,
        caseId,
        kind,
        reviewId,
        tourId,
        // The same action again is about words that the author has written since.
        overturns: onAppeal && action !== "keep" && action !== found.decisions.at(-1)?.action,
        rating: item?.review?.rating ?? found.snapshot?.rating ?? null,
        waitedSince: found.since,
      },
    ],
    { session },
  );
  const { matchedCount } = await Case.updateOne(
    { _id: caseId, version: found.version },
    {
      $set: {
        state: hasUnread ? "appealed" : "decided",
        since: now,
        toldAfter: NO_ID,
        ...(!hasUnread && { endsAt: appealEnd(now) }),
        ...(item?.tag && { tag: item.tag }),
        ...(removedText !== null && { removedText }),
      },
      $unset: { openKey: true, ...(action === "restore" && { removedText: true }) },
      $push: { decisions: decision },
      $inc: { version: 1 },
    },
    { session },
  );
  if (matchedCount === 0) throw new ServiceError(412, moderationTexts.changedMeanwhile);
  const decidedNow = { ...found, decisions: [...found.decisions, decision] };
  await takeBackUnfounded(decidedNow, { at: now, operatorId }, session);
  await queueDecisionForPeople({ found, decision, tour }, session);
}

/** Does to the review or reply what was decided; returns the words that a redaction has taken, null otherwise. */
async function applyToItem(
  { found, item, input: { action, ground }, now }: DecisionToWrite,
  tx: TourTransaction,
): Promise<string | null> {
  const { session } = tx;
  const { reviewId, _id: caseId } = found;
  const mark = { at: now, ground, caseId };
  if (action === "keep") return null;
  if (found.kind === "reply") {
    await hideReply(reviewId, action === "remove" ? mark : null, session);
    return null;
  }
  if (item === null) throw new ServiceError(412, moderationTexts.changedMeanwhile);
  if (action === "restore") {
    const { removedText } = found;
    let no: NoReturn | null = removedText === undefined ? "deleted" : null;
    if (item.state === "removed") no = await restoreReview(reviewId, tx);
    // The words come back, too, where the review was redacted first and removed then.
    if (!no && removedText !== undefined)
      no = await restoreWords(reviewId, { comment: removedText }, session);
    if (no) throw new ServiceError(412, moderationTexts.cannotReturn[no]);
    // Only the words of the review come back: its rating has stayed.
    const stars = countedRating(item.review?.rating);
    if (item.review) tx.record({ type: "restored", review: reviewId, before: stars, stars });
    return null;
  }
  const { review } = item;
  if (!review) throw new ServiceError(412, moderationTexts.changedMeanwhile);
  if (action === "redact") return (await redactReview(review, mark, tx)).comment ?? "";
  await removeReview(review, mark, tx);
  return null;
}
