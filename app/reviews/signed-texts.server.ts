import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { Change, type ChangeDocument } from "#models/change";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { toObjectId } from "~/db/ids.server";
import { derivedKey, sha256 } from "~/lib/digest.server";
import { env, required } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { entryHash, NO_HASH } from "./record-changes.server";

type Receipted = Pick<ReviewDocument, "_id" | "tourId" | "rating" | "comment">;

/** Returns the receipt of one's own review. Throws `ServiceError` 404 "Review not found" for any other. */
export async function getReceipt(caller: Caller | null, reviewId: string): Promise<string> {
  const _id = toObjectId(reviewId);
  const userId = requireCaller(caller);
  const review = _id && (await Review.findOne({ _id, userId }).lean<ReviewDocument>());
  if (!review) throw new ServiceError(404, texts.reviewNotFound);
  return makeReceipt(review);
}

/**
 * Returns a signed text with which its author can show that a review was there: its last entry, or that of its tour for
 * a review that is older than the log, and a hash of its words. Nothing of it is stored.
 */
export async function makeReceipt({ _id, tourId, rating, comment }: Receipted): Promise<string> {
  const { version, hash } = await findEntryOfReview({ _id, tourId });
  const salt = randomBytes(16).toString("hex");
  return signedText([
    "tour-reviews receipt 1",
    `site ${env().appUrl}`,
    `time ${new Date().toISOString()}`,
    `tour ${tourId.toString()}`,
    `review ${_id.toString()}`,
    `rating ${rating}`,
    `version ${version}`,
    `line ${hash}`,
    `salt ${salt}`,
    `words ${sha256(`${salt}\n${comment ?? ""}`)}`,
  ]);
}

async function findEntryOfReview({ _id, tourId }: Pick<Receipted, "_id" | "tourId">) {
  const entry = await Change.findOne({ review: _id }).sort({ version: -1 }).lean<ChangeDocument>();
  if (entry) return { version: entry.version, hash: entryHash(entry) };
  const tour = await Tour.findById(tourId, "lastChange").lean<TourDocument>();
  return tour?.lastChange ?? { version: 0, hash: NO_HASH };
}

/** PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410, 7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Returns lines of a text with a signature that everybody can check: a further line `ed25519 KEY SIGNATURE`, in base64url,
 * after an empty one. The key follows from `SESSION_SECRET`, so that it is in every backup.
 */
export function signedText(lines: string[]): string {
  const secret = derivedKey(required(env().sessionSecret, "SESSION_SECRET"), "signature");
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, secret]),
    format: "der",
    type: "pkcs8",
  });
  const text = lines.map((line) => `${line}\n`).join("");
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return `${text}\ned25519 ${x} ${sign(null, Buffer.from(text), key).toString("base64url")}\n`;
}
