import { randomBytes } from "node:crypto";
import { Change, type ChangeDocument } from "#models/change";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { toObjectId } from "~/db/ids.server";
import { systemClock } from "~/infra/clock";
import { sha256 } from "~/infra/digest.server";
import { env } from "~/infra/env.server";
import { ServiceError } from "~/infra/errors.server";
import { texts } from "~/infra/refusal-texts";
import { signedText } from "~/infra/signature.server";
import { hashOf, NOTHING } from "./record-changes.server";

type Receipted = Pick<ReviewDocument, "_id" | "tourId" | "rating" | "comment">;

/** Returns the receipt of one's own review. Throws `ServiceError` 404 "Review not found" for any other. */
export async function getReceipt(caller: Caller | null, reviewId: string): Promise<string> {
  const [_id, userId] = [toObjectId(reviewId), requireCaller(caller)];
  const review = _id && (await Review.findOne({ _id, userId }).lean<ReviewDocument>());
  if (!review) throw new ServiceError(404, texts.reviewNotFound);
  return makeReceipt(review);
}

/**
 * Returns a signed text with which its author can show that a review was there: its last line, or that of its tour for a
 * review that is older than the lines, and a hash of its words. Nothing of it is stored.
 */
export async function makeReceipt({ _id, tourId, rating, comment }: Receipted): Promise<string> {
  const { version, hash } = await lineOf({ _id, tourId });
  const salt = randomBytes(16).toString("hex");
  return signedText([
    "tour-reviews receipt 1",
    `site ${env().appUrl}`,
    `time ${systemClock().toISOString()}`,
    `tour ${tourId.toString()}`,
    `review ${_id.toString()}`,
    `rating ${rating}`,
    `version ${version}`,
    `line ${hash}`,
    `salt ${salt}`,
    `words ${sha256(`${salt}\n${comment ?? ""}`)}`,
  ]);
}

async function lineOf({ _id, tourId }: Pick<Receipted, "_id" | "tourId">) {
  const line = await Change.findOne({ review: _id }).sort({ version: -1 }).lean<ChangeDocument>();
  if (line) return { version: line.version, hash: hashOf(line) };
  const tour = await Tour.findById(tourId, "lastChange").lean<TourDocument>();
  return tour?.lastChange ?? { version: 0, hash: NOTHING };
}
