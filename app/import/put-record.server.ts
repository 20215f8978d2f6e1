import { setTimeout as delay } from "node:timers/promises";
import { type ClientSession, type Model, Types } from "mongoose";
import {
  allowsNoReview,
  Booking,
  type BookingDocument,
  COMPLETED,
  readBooking,
} from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { User } from "#models/user";
import { erasedAmong } from "~/accounts/erasures.server";
import { isArgon2 } from "~/accounts/log-in/hashing.server";
import { toObjectId } from "~/db/ids.server";
import { platformId } from "~/db/platform-ids.server";
import { inTransaction } from "~/db/transaction.server";
import { env } from "~/config/env.server";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { askGuests } from "~/requests/worker.server";
import { authorChanged } from "~/reviews/list/list.server";
import { revokeRights, revokesRight, verifyReviewOfBooking } from "~/reviews/list/verified.server";
import type { IfMatch } from "~/reviews/own-review.server";
import { claimTour, recomputeRatings } from "~/reviews/ratings.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import { findOtherEmails } from "./emails.server";
import { toNewAccess, storeNewAccess } from "./new-access.server";
import { PictureFiles } from "./pictures.server";
import { EMAIL_TAKEN, SLUG_TAKEN } from "./read-file.server";
import { comparedFields, recordTag } from "./record-tag.server";
import {
  type Issue,
  type Kind,
  requireObject,
  parseRecord,
  type Records,
  unknownRecord,
} from "./records.server";
import { claimSlug, hasSlug, keepFormerSlugs } from "./slugs.server";
import { isStored, type StoredRecord, storedById } from "./stored.server";
import { withPasswordHash } from "./writes.server";

/** Kinds of records that a platform can PUT. */
export const PUT_KINDS = ["users", "tours", "bookings"] as const;
export type PutKind = (typeof PUT_KINDS)[number];

export interface PutResult {
  result: "created" | "changed" | "unchanged";
  /** Set for a booking whose status neither allows a review nor turns into one that does. */
  allowsReview?: false;
  /** Names the state of the record, for `If-Match`. */
  tag: string;
}

const MODELS = { users: User, tours: Tour, bookings: Booking };

/** Attempts while others change the same record, each after a random pause. */
const MOST_ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 100;

/**
 * Stores a platform's record as an import does (docs/rules/import.md, Records by the API): a repetition changes nothing.
 * Throws `ServiceError` 400 with the import's words, 403 for an account that was deleted here, and 412 where the record
 * has none of the states of `ifMatch`.
 */
export async function putRecord(
  kind: PutKind,
  recordId: string,
  body: unknown,
  { ifMatch }: IfMatch = {},
): Promise<PutResult> {
  const { record, issues } = parseRecord<Kind>(kind, { ...requireObject(body), id: recordId });
  if (kind === "users" && !isArgon2((record as Records["users"]).passwordHash ?? ""))
    delete (record as Records["users"]).passwordHash;
  if (kind === "tours") issues.push(...(await new PictureFiles(undefined).name(record)));
  const { id: named = recordId } = requireObject(body);
  if (platformId(named) !== platformId(recordId))
    issues.push({ field: "id", message: "must be that of the address" });
  refuseIssues(issues);
  const { id } = record as { id: string };
  return untilStored(async () => {
    const before = (await storedById(MODELS[kind].collection, [{ id }])).get(id);
    refuseIssues(await findContradictions(kind, record, body as object, before));
    const tag = before ? recordTag(kind, before) : "";
    if (ifMatch && !ifMatch.includes(tag)) throw new ServiceError(412, texts.recordChanged);
    const { id: _, ...fields } = await withPasswordHash(record, before?.passwordHash);
    if (before && isStored(before, fields) && !before.closedHereAt)
      return { result: "unchanged", tag, ...allowing(fields) };
    const stored = await writeFields(kind, fields, before ?? new Types.ObjectId(id));
    if (!stored) return null;
    if (before?.closedHereAt) tourRefresh.walkNext();
    await updateDependents(kind, record);
    const result = before ? "changed" : "created";
    return { result, tag: recordTag(kind, stored), ...allowing(fields) };
  });
}

/** Retries a write that returns null because another one was quicker. */
async function untilStored(store: () => Promise<PutResult | null>): Promise<PutResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await store();
    if (result) return result;
    if (attempt === MOST_ATTEMPTS) throw new Error("The record is changed by others all the time");
    await delay(Math.random() * LONGEST_PAUSE_MS);
  }
}

/**
 * Stores the fields of a new record of the id `before`, or of the record `before` as it was read. Returns the record;
 * null where another write was quicker.
 */
async function writeFields(
  kind: PutKind,
  fields: object,
  before: StoredRecord | Types.ObjectId,
): Promise<Record<string, unknown> | null> {
  const { slug } = fields as { slug?: string };
  const model = MODELS[kind] as Model<object>;
  const isNew = before instanceof Types.ObjectId;
  const storeFields = async (session?: ClientSession) => {
    if (isNew) {
      const created = await new model({ ...fields, _id: before }).save({ session });
      return created.toObject<Record<string, unknown>>();
    }
    // Past Mongoose, which would compare with something else than what a platform has stored oddly.
    const filter = { ...Object.fromEntries(comparedFields(kind, before)), _id: before._id };
    const change = {
      $set: model.castObject(fields),
      ...(before.closedHereAt !== undefined && { $unset: { closedHereAt: true } }),
    };
    const { matchedCount } = await model.collection.updateOne(filter, change, { session });
    return matchedCount === 1 ? { ...before, ...fields } : null;
  };
  try {
    if (slug !== undefined && (isNew || before.slug !== slug))
      return await inTransaction(async (session) => {
        await claimSlug(slug, session);
        if (await hasSlug(slug, isNew ? before : before._id, session)) return null;
        if (!isNew) await keepFormerSlugs([{ id: before._id.toString(), slug }], session);
        const stored = await storeFields(session);
        if (isNew) await rateNewTour(before, session);
        return stored;
      });
    if (kind === "bookings" && !isNew && revokesRight(before, { ...before, ...fields }))
      return await revokeRights(before.tourId, [before.userId], storeFields);
    const access = kind === "users" && !isNew ? toNewAccess(before, fields) : null;
    return access && !isNew
      ? await storeNewAccess(before, access, storeFields)
      : await storeFields();
  } catch (error) {
    if (isDuplicateKeyError(error)) return null;
    throw error;
  }
}

/** Computes the ratings of a new tour, which may have been there before, with reviews that have stayed. */
async function rateNewTour(tourId: Types.ObjectId, session: ClientSession): Promise<void> {
  await claimTour(tourId, session);
  await recomputeRatings(tourId, session);
}

/** Throws `ServiceError` 400 that names them, if there are any. */
export function refuseIssues(issues: Issue[]): void {
  if (issues.length === 0) return;
  const named = issues.map(({ field, message }) => `${field}: ${message}`);
  throw new ServiceError(400, named.join("; "));
}

/** Returns in which points the record contradicts others in the database. */
async function findContradictions(
  kind: PutKind,
  record: Partial<Records[Kind]>,
  sent: object,
  before: Record<string, unknown> | undefined,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  if (kind === "users") {
    const { id, email } = record as Records["users"];
    if (!before && (await erasedAmong([{ id, email }])).size > 0)
      throw new ServiceError(403, texts.accountErased);
    const isMoved = before?.email !== email;
    if (isMoved && (await findOtherEmails([{ id, email, number: 0 }])).size > 0)
      issues.push({ field: "email", message: EMAIL_TAKEN });
    return issues;
  }
  const { id, slug, createdById, userId, tourId } = record as Partial<
    Records["tours"] & Records["bookings"]
  >;
  for (const [field, user] of Object.entries({ createdById, userId }))
    if (user && !(await User.exists({ _id: user })))
      issues.push(unknownRecord("user", field, sent));
  if (tourId && !(await Tour.exists({ _id: tourId })))
    issues.push(unknownRecord("tour", "tourId", sent));
  if (id && slug && (await hasSlug(slug, new Types.ObjectId(id))))
    issues.push({ field: "slug", message: SLUG_TAKEN });
  return issues;
}

/** Updates what depends on the record, as an import does. */
async function updateDependents(kind: PutKind, record: Partial<Records[Kind]>): Promise<void> {
  if (kind === "users" && record.id) authorChanged(record.id);
  if (kind !== "bookings") return;
  const { userId, tourId, status, date = null } = record as Records["bookings"];
  const ids = { userId: new Types.ObjectId(userId), tourId: new Types.ObjectId(tourId) };
  const booking = { ...ids, date };
  await verifyReviewOfBooking(booking);
  if (status === COMPLETED) await askFor(booking);
}

/** Asks for a review, of what was completed before the request as well as by it: nobody is asked twice. */
async function askFor(booking: Pick<BookingDocument, "userId" | "tourId" | "date">): Promise<void> {
  if (!env().reviewRequests) return;
  const { date } = booking;
  const tour = date ? null : await Tour.findById(booking.tourId, "date").lean<TourDocument>();
  await askGuests([{ ...booking, date: date ?? tour?.date ?? null }], new Date());
}

function allowing(fields: object): Pick<PutResult, "allowsReview"> {
  const { status } = fields as { status?: string };
  return status !== undefined && allowsNoReview(status) ? { allowsReview: false } : {};
}

function readStored(before: StoredRecord) {
  const booking = { ...before } as unknown as BookingDocument;
  readBooking(booking);
  return booking;
}

/** Changes a booking's status. Throws `ServiceError` 400 with the import's words, and 404 "Booking not found". */
export async function patchBooking(bookingId: string, body: unknown): Promise<PutResult> {
  const { record, issues } = parseRecord("bookings", requireObject(body));
  refuseIssues(issues.filter(({ field }) => field === "status"));
  const _id = toObjectId(bookingId);
  if (!_id) throw new ServiceError(404, texts.bookingNotFound);
  const { status } = record as { status: string };
  return untilStored(async () => {
    const before = await Booking.collection.findOne<StoredRecord>({ _id });
    if (!before) throw new ServiceError(404, texts.bookingNotFound);
    const isSame = before.status === status;
    const stored = isSame ? before : await writeFields("bookings", { status }, before);
    if (!stored) return null;
    await verifyReviewOfBooking(before);
    if (!isSame && status === COMPLETED) await askFor(readStored(before));
    const result = isSame ? "unchanged" : "changed";
    return { result, tag: recordTag("bookings", stored), ...allowing({ status }) };
  });
}
