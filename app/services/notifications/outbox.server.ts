import type { ClientSession } from "mongoose";
import { Notification, type ReviewNotificationInputs } from "../../../models/notification";
import type { ReviewDocument } from "../../../models/review";
import type { TourDocument } from "../../../models/tour";
import { User, type UserDocument } from "../../../models/user";
import { log } from "../../infra/log.server";

/** When the daily e-mails are sent, in hours UTC. */
const DIGEST_HOUR = 7;

/**
 * Adds the guide's e-mail about a new review to the outbox, in the review's own transaction: to be sent
 * at once or in the daily e-mail, as the guide has chosen. A guide who wants none, or has no account or
 * no address, gets none (docs/rules.md, Notifications; docs/decisions/003-outbox.md).
 */
export async function enqueueNotification(
  review: ReviewDocument,
  tour: TourDocument,
  explorer: UserDocument | null,
  session: ClientSession,
): Promise<void> {
  const guide = await User.findById(tour.createdById, null, { session }).lean<UserDocument>();
  if (guide?.reviewMails === "none") return;
  if (!guide?.email) {
    log.warn({ tourId: tour._id }, "the tour's guide has no e-mail address, nobody is notified");
    return;
  }
  const inputs: ReviewNotificationInputs = {
    guideName: guide.name,
    guideEmail: guide.email,
    explorerName: explorer?.name ?? "",
    tourTitle: tour.title,
    rating: review.rating,
    comment: review.comment,
    tourSlug: tour.slug,
  };
  const { _id, createdAt } = review;
  const when =
    guide.reviewMails === "daily"
      ? { digest: true, dueAt: nextDigest(createdAt) }
      : { dueAt: createdAt };
  await Notification.create(
    [
      {
        _id,
        guideId: guide._id,
        explorerId: review.userId,
        inputs,
        state: "pending",
        createdAt,
        attempts: 0,
        ...when,
      },
    ],
    { session },
  );
}

function nextDigest(after: Date): Date {
  const due = new Date(after);
  due.setUTCHours(DIGEST_HOUR, 0, 0, 0);
  if (due <= after) due.setUTCDate(due.getUTCDate() + 1);
  return due;
}
