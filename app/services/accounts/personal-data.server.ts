import { z } from "zod";
import { AccessToken } from "../../../models/access-token";
import { Booking, type BookingDocument } from "../../../models/booking";
import { IdempotencyKey, type IdempotencyKeyDocument } from "../../../models/idempotency-key";
import { Notification, type ReviewNotification } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { Session, type SessionDocument } from "../../../models/session";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { writes } from "../limits.server";
import { parseInput } from "../../infra/validation.server";
import { deleteReviewsOf } from "../reviews/delete.server";
import type { PublicReview } from "../reviews/public-review.server";
import { requirePassword } from "./passwords.server";
import { listTokens } from "./tokens.server";
import type { CurrentUser } from "./users.server";

/** Everything that the site holds on the user, without what would let somebody act in their name. */
export async function exportData(user: CurrentUser) {
  const userId = toObjectId(user.id);
  const [account, tours, bookings, reviews, sessions, accessTokens] = await Promise.all([
    User.findById(userId).lean<UserDocument>(),
    Tour.find({ createdById: userId }, "title slug").lean<TourDocument[]>(),
    Booking.find({ userId }).lean<BookingDocument[]>(),
    Review.find({ userId }).sort({ createdAt: -1, _id: -1 }).lean<ReviewDocument[]>(),
    Session.find({ userId, expiresAt: { $gt: new Date() } }, "expiresAt").lean<SessionDocument[]>(),
    listTokens(user),
  ]);
  const [notifications, idempotencyKeys] = await Promise.all([
    Notification.find({ explorerId: userId }).lean<ReviewNotification[]>(),
    IdempotencyKey.find({ userId }).lean<IdempotencyKeyDocument[]>(),
  ]);
  return {
    profile: {
      ...user,
      hasPassword: Boolean(account?.passwordHash),
      reviewMails: account?.reviewMails ?? "each",
    },
    tours: tours.map(({ _id, title, slug }) => ({ id: _id.toString(), title, slug })),
    bookings: bookings.map(({ _id, tourId, status, date }) => ({
      id: _id.toString(),
      tourId: tourId.toString(),
      status,
      date: date ?? null,
    })),
    reviews: reviews.map(({ _id, tourId, rating, comment, createdAt, editedAt, verified }) => ({
      id: _id.toString(),
      tourId: tourId.toString(),
      rating,
      comment,
      createdAt,
      editedAt: editedAt ?? null,
      verified: verified === true,
    })),
    // The guide's address in them is the guide's.
    notifications: notifications.map(({ _id, inputs, state, createdAt, endedAt }) => ({
      reviewId: _id.toString(),
      explorerName: inputs.explorerName,
      tourTitle: inputs.tourTitle,
      rating: inputs.rating,
      comment: inputs.comment,
      state,
      createdAt,
      sentAt: (state === "sent" && endedAt) || null,
    })),
    idempotencyKeys: idempotencyKeys.map(({ key, answer, expiresAt }) => ({
      key,
      review: JSON.parse(answer) as PublicReview,
      expiresAt,
    })),
    accessTokens,
    sessions: sessions.map(({ expiresAt }) => ({ expiresAt })),
  };
}

/** How many reviews go with the user's account, and how many tours stay. */
export async function accountContents(user: Caller) {
  const userId = toObjectId(user.id);
  const [reviews, tours] = await Promise.all([
    Review.countDocuments({ userId }),
    Tour.countDocuments({ createdById: userId }),
  ]);
  return { reviews, tours };
}

/**
 * Deletes the user with all reviews, e-mails, tokens, log-ins and idempotency keys; bookings are the
 * platform's, and tours stay.
 * What was interrupted can be asked for again. Throws `FormError`, and `ServiceError` after too many
 * wrong passwords.
 */
export async function deleteAccount(user: CurrentUser, form: { password: string }): Promise<void> {
  const { password } = parseInput(
    z.object({ password: z.string().min(1, "Enter your password.") }),
    form,
  );
  await writes.consume(user.id);
  const { _id } = await requirePassword(user.id, password, "password");
  // First, so that nothing more is written in the user's name.
  await endAccess(_id);
  // The account outlives its reviews: a log-in can repeat what a crash has cut off.
  await deleteReviewsOf(user.id);
  await User.deleteOne({ _id });
  // What requests under way, or a log-in meanwhile, have left.
  await deleteReviewsOf(user.id);
  await endAccess(_id);
  await Notification.deleteMany({ $or: [{ guideId: _id }, { explorerId: _id }] });
  await IdempotencyKey.deleteMany({ userId: _id });
}

async function endAccess(userId: UserDocument["_id"]): Promise<void> {
  await Session.deleteMany({ userId });
  await AccessToken.deleteMany({ userId });
}
