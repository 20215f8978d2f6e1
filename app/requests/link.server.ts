import type { ClientSession } from "mongoose";
import { storedContent, type TypedContent } from "~/reviews/content";
import { Review, type ReviewDocument } from "#models/review";
import { ReviewRequest, type ReviewRequestDocument } from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { deadLink } from "~/accounts/email-links.server";
import { type Caller, countWrite } from "~/accounts/caller.server";
import { activeUser, findUser } from "~/accounts/users.server";
import { unsubscribes, unsubscribesByNetwork } from "~/mail/limits.server";
import { sha256 } from "~/lib/digest.server";
import { ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { firstCharacters } from "~/lib/text";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { notifications } from "~/mail/delivery.server";
import { guideMailPreference } from "~/mail/mail-settings.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import { mayReview } from "~/reviews/may-review.server";
import { storedReviewTag } from "~/reviews/own-review.server";
import { postReview } from "~/reviews/post.server";
import { getReviewAndTour } from "~/reviews/read.server";
import { editDeadline } from "~/ui/time";
import { accountTexts } from "~/accounts/refusal-texts";
import { queueReceipt } from "./receipt-mail.server";

// The page behind the link of a request, whose holder reviews the tour as the guest
// (docs/rules/review-requests.md, The page behind the link).

const LONGEST_FIRST_NAME = 40;

/** A tour as the page names it. */
interface LinkTour {
  title: string;
  slug: string;
  timeZone: string;
}

interface FoundRequest {
  request: ReviewRequestDocument;
  guest: UserDocument | null;
  tour: TourDocument | null;
}

async function findByToken(token: string): Promise<FoundRequest | null> {
  const hash = sha256(token);
  const request = await ReviewRequest.findOne({ hash }).lean<ReviewRequestDocument>();
  if (!request) return null;
  const [guest, tour] = await Promise.all([
    User.findById(request.userId).lean<UserDocument>(),
    Tour.findById(request.tourId).lean<TourDocument>(),
  ]);
  return { request, guest, tour };
}

const isExpired = ({ expiresAt }: ReviewRequestDocument, now: Date) =>
  !expiresAt || expiresAt <= now;

export type LinkPage = Awaited<ReturnType<typeof readLink>>;

/**
 * Returns the contents of the link's page for a `reader` who is logged in, or for anybody. Nothing happens by opening
 * it: programs that look into e-mails do so, too.
 */
export async function readLink(token: string, reader: Caller | null) {
  const now = new Date();
  const found = await findByToken(token);
  const tour = found?.tour && linkTour(found.tour);
  if (!found || !tour || !found.guest || !activeUser(found.guest))
    return { kind: "over", tour: tour ?? null } as const;
  const { request, guest } = found;
  if (reader && reader.id !== guest._id.toString())
    return { kind: "other", tour, firstName: shortFirstName(guest) } as const;
  if (request.reviewId) {
    const stored = await Review.findById(request.reviewId).lean<ReviewDocument>();
    if (!stored) return { kind: isExpired(request, now) ? "over" : "deleted", tour } as const;
    const deadline = editDeadline(stored.createdAt.toISOString(), now);
    if (!deadline) return { kind: "over", tour } as const;
    const { review } = await getReviewAndTour(stored._id.toString());
    return { kind: "posted", tour, review, deadline, tag: storedReviewTag(stored) } as const;
  }
  if (request.absentAt) return { kind: "absent", tour } as const;
  if (isExpired(request, now)) return { kind: "over", tour } as const;
  const checked = await mayReview(guest._id, request.tourId);
  if (checked.kind !== "eligible") return { kind: "over", tour } as const;
  const { guide } = checked;
  return {
    kind: "ask",
    tour,
    departedAt: request.departedAt.toISOString(),
    author: guest.name,
    guide: guide?.name ?? "",
    guideIsTold: guideMailPreference(guide),
  } as const;
}

const linkTour = (tour: TourDocument): LinkTour => ({
  title: tour.title,
  slug: tour.slug,
  timeZone: tourTimeZone(tour),
});

const shortFirstName = ({ name }: UserDocument) =>
  firstCharacters(name.replace(/ .*/s, ""), LONGEST_FIRST_NAME);

/**
 * The request behind a link that somebody at `clientAddress` uses. Throws `ServiceError` 404 for one that does not
 * work, and 403 where another user is logged in.
 */
async function requestOfLink(
  token: string,
  reader: Caller | null,
  clientAddress: string,
): Promise<ReviewRequestDocument> {
  await unsubscribesByNetwork.consume(clientAddress);
  const request = await ReviewRequest.findOne({
    hash: sha256(token),
  }).lean<ReviewRequestDocument>();
  if (!request || !(await findUser(request.userId.toString()))) throw deadLink();
  await unsubscribes.consume(`request ${request._id}`);
  if (reader && reader.id !== request.userId.toString())
    throw new ServiceError(403, accountTexts.foreignLink);
  return request;
}

interface Options {
  reader: Caller | null;
  clientAddress: string;
}

/**
 * Posts the guest's review by checks 2 to 7 of docs/rules/reviews.md (Posting), and uses the link up in its
 * transaction. The same words again succeed again. Throws `ServiceError` likewise, and as `requestOfLink` does.
 */
export async function postByLink(
  token: string,
  content: Partial<TypedContent>,
  { reader, clientAddress }: Options,
): Promise<void> {
  const request = await requestOfLink(token, reader, clientAddress);
  const { tourId, userId } = request;
  // (docs/rules/review-requests.md, The page behind the link, check 3)
  if (await hasPosted(request, content)) return;
  if (request.reviewId) throw new ServiceError(400, texts.alreadyReviewed);
  if (request.absentAt || isExpired(request, new Date())) throw deadLink();
  const caller = { id: userId.toString() };
  try {
    await postReview(
      caller,
      { ...content, tourId: tourId.toString() },
      {
        counted: countWrite(caller),
        also: async (posted, session) => {
          await spendRequest(request, { reviewId: posted.id }, session);
          await queueReceipt(request, posted, token, session);
        },
      },
    );
    notifications.wake();
  } catch (error) {
    // The same form may have been sent twice at the same moment.
    const now = await ReviewRequest.findById(request._id).lean<ReviewRequestDocument>();
    if (!now || !(await hasPosted(now, content))) throw error;
  }
}

/** Whether the link has posted a review with exactly this content. */
async function hasPosted(
  { reviewId }: ReviewRequestDocument,
  content: Partial<TypedContent>,
): Promise<boolean> {
  if (!reviewId) return false;
  const same = { _id: reviewId, ...storedContent(content) };
  return (await Review.exists(same)) !== null;
}

/** Throws `ServiceError` 404 where the link works no more. */
async function spendRequest(
  { _id, hash }: ReviewRequestDocument,
  use: { reviewId: string } | { absentAt: Date },
  session?: ClientSession,
): Promise<void> {
  const unused = { reviewId: { $exists: false }, absentAt: { $exists: false } };
  const { matchedCount } = await ReviewRequest.updateOne(
    { _id, hash, ...unused, expiresAt: { $gt: new Date() } },
    { $set: use, $unset: { dueAt: 1 } },
    { session },
  );
  if (matchedCount === 0) throw deadLink();
}

/** The review that the link has posted, for 24 hours. Throws `ServiceError` 404, and 403 when they are over. */
async function postedByLink(
  token: string,
  { reader, clientAddress }: Options,
): Promise<{ caller: Caller; reviewId: string }> {
  const { reviewId, userId } = await requestOfLink(token, reader, clientAddress);
  const review = reviewId && (await Review.findById(reviewId).lean<ReviewDocument>());
  if (!review) throw deadLink();
  if (!editDeadline(review.createdAt.toISOString())) throw new ServiceError(403, texts.editTooLate);
  const caller = { id: userId.toString() };
  await countWrite(caller);
  return { caller, reviewId: reviewId.toString() };
}

/** Changes that review; throws `ServiceError` as `editReview` does, too. */
export async function editByLink(
  token: string,
  content: Partial<TypedContent>,
  { tag, ...options }: Options & { tag: string },
): Promise<void> {
  const { caller, reviewId } = await postedByLink(token, options);
  await editReview(caller, reviewId, content, { ifMatch: tag ? [tag] : undefined });
}

export async function deleteByLink(token: string, options: Options): Promise<void> {
  const { caller, reviewId } = await postedByLink(token, options);
  await deleteReview(caller, reviewId);
}

/** The guest did not take part: the link is used up, and nobody is reminded. A second call does nothing. */
export async function sayAbsent(token: string, { reader, clientAddress }: Options): Promise<void> {
  const request = await requestOfLink(token, reader, clientAddress);
  if (!request.absentAt) await spendRequest(request, { absentAt: new Date() });
}
