import { z } from "zod";
import { AccessToken } from "../../../models/access-token";
import { Booking, COMPLETED, type BookingDocument } from "../../../models/booking";
import { IdempotencyKey, type IdempotencyKeyDocument } from "../../../models/idempotency-key";
import { Notification, type NotificationDocument } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { Session, type SessionDocument } from "../../../models/session";
import { Tour, type TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import {
  listTokens,
  nameField,
  parseForm,
  requirePassword,
  type CurrentUser,
} from "./log-in.server";
import { toObjectId } from "../../infra/ids.server";
import { writes } from "../../infra/rate-limits.server";
import { forgetLists } from "../reviews/list.server";
import { deleteReviewsOf, EDIT_WINDOW_MS, type PublicReview } from "../reviews/create.server";

/** Longest address of a picture, in characters. */
export const IMAGE_MAX_LENGTH = 2_048;

const IMAGE_REFUSED = "Enter an address that starts with https://, or leave this empty.";

const imageField = z
  .string()
  .trim()
  .refine((value) => value === "" || isPictureAddress(value), { error: IMAGE_REFUSED })
  // As a browser would ask for it: without spaces and line breaks in it.
  .transform((value) => (value === "" ? null : new URL(value).href))
  .refine((value) => value === null || value.length <= IMAGE_MAX_LENGTH, {
    error: `Enter an address of at most ${IMAGE_MAX_LENGTH} characters.`,
  });

/** Whether every reader's browser may load that: encrypted, and without somebody's password in it. */
function isPictureAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && !username && !password;
}

/** Changes the name and the picture that everybody sees. Throws `FormError`. */
export async function updateProfile(
  user: CurrentUser,
  form: { name: string; image: string },
): Promise<void> {
  const schema = z.object({
    name: nameField("your name"),
    // A picture that the platform has set may be of another kind; it can stay.
    image: form.image === user.image ? z.string() : imageField,
  });
  const profile = parseForm(schema, form);
  await writes.consume(user.id);
  await User.updateOne({ _id: toObjectId(user.id) }, { $set: profile });
  forgetLists();
}

/** An own review as its author sees it. */
export interface MyReview {
  id: string;
  rating: number;
  comment: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  edited: boolean;
  /** Until when it can be edited, in ISO 8601; null when that is over. */
  editableUntil: string | null;
  /** Null when the tour is gone. */
  tour: { title: string; slug: string } | null;
}

/** The user's reviews, newest first. */
export async function myReviews(user: { id: string }, now: Date): Promise<MyReview[]> {
  const reviews = await Review.find({ userId: toObjectId(user.id) })
    .sort({ createdAt: -1, _id: -1 })
    .lean<ReviewDocument[]>();
  const tours = await Tour.find(
    { _id: { $in: reviews.map(({ tourId }) => tourId) } },
    "title slug",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map(({ _id, title, slug }) => [_id.toString(), { title, slug }]));
  return reviews.map((review) => {
    const end = new Date(review.createdAt.getTime() + EDIT_WINDOW_MS);
    return {
      id: review._id.toString(),
      rating: review.rating,
      comment: review.comment || null,
      createdAt: review.createdAt.toISOString(),
      edited: Boolean(review.editedAt),
      editableUntil: now <= end ? end.toISOString() : null,
      tour: byId.get(review.tourId.toString()) ?? null,
    };
  });
}

export interface TourToReview {
  title: string;
  slug: string;
  /** When the user last took part, in ISO 8601; null when the booking does not say. */
  date: string | null;
}

/** The tours that the user may review and has not, those taken part in last first. */
export async function toursToReview(user: { id: string }): Promise<TourToReview[]> {
  const userId = toObjectId(user.id);
  const [bookings, reviewed] = await Promise.all([
    Booking.find({ userId, status: COMPLETED }, "tourId date").lean<BookingDocument[]>(),
    Review.distinct("tourId", { userId }),
  ]);
  const done = new Set(reviewed.map(String));
  const dates = new Map<string, number>();
  for (const { tourId, date } of bookings) {
    const id = tourId.toString();
    if (!done.has(id)) dates.set(id, Math.max(dates.get(id) ?? 0, date?.getTime() ?? 0));
  }
  const tours = await Tour.find(
    { _id: { $in: [...dates.keys()].map(toObjectId) }, createdById: { $ne: userId } },
    "title slug",
  ).lean<TourDocument[]>();
  const dateOf = (tour: TourDocument) => dates.get(tour._id.toString())!;
  return tours
    .sort((a, b) => dateOf(b) - dateOf(a) || a.title.localeCompare(b.title, "en"))
    .map((tour) => ({
      title: tour.title,
      slug: tour.slug,
      date: dateOf(tour) ? new Date(dateOf(tour)).toISOString() : null,
    }));
}

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
    Notification.find({ explorerId: userId }).lean<NotificationDocument[]>(),
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
    reviews: reviews.map(({ _id, tourId, rating, comment, createdAt, editedAt }) => ({
      id: _id.toString(),
      tourId: tourId.toString(),
      rating,
      comment,
      createdAt,
      editedAt: editedAt ?? null,
    })),
    // The guide's address in them is the guide's.
    notifications: notifications.map(({ _id, inputs, state, createdAt, sentAt }) => ({
      reviewId: _id.toString(),
      explorerName: inputs.explorerName,
      tourTitle: inputs.tourTitle,
      rating: inputs.rating,
      comment: inputs.comment,
      state,
      createdAt,
      sentAt: sentAt ?? null,
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
export async function accountContents(user: { id: string }) {
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
  const { password } = parseForm(
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
