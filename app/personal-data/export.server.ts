import type { Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { AccessToken } from "#models/access-token";
import { Booking } from "#models/booking";
import { Case, type CaseDocument } from "#models/case";
import { CONTENT_FIELDS, WORD_FIELDS } from "~/reviews/content";
import { EmailLink } from "#models/email-link";
import { GuideVisit } from "#models/guide-visit";
import { IdempotencyKey, type IdempotencyKeyDocument } from "#models/idempotency-key";
import { KnownNetworks, type KnownNetworksDocument } from "#models/known-networks";
import {
  type AccountNotification,
  Notification,
  type NotificationDocument,
  type ReviewNotification,
} from "#models/notification";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Reply, type ReplyDocument } from "#models/reply";
import { Report, type ReportDocument } from "#models/report";
import { Review, type ReviewDocument } from "#models/review";
import { ReviewRequest } from "#models/review-request";
import { Sanction, type SanctionDocument } from "#models/sanction";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { toObjectId } from "~/db/ids.server";
import { ownerNames } from "~/mail/outbox.server";
import { linkFiltersByAddress } from "~/accounts/email-links.server";
import type { CurrentUser } from "~/accounts/users.server";
import { env } from "~/config/env.server";
import { makeReceipt } from "~/reviews/signed-texts.server";
import { reportFilters } from "./case-words.server";

/** Everything that the site holds on the user, in JSON, without what would let somebody act in their name. */
export async function exportData(user: CurrentUser): Promise<AsyncGenerator<string>> {
  const account = await User.findById(toObjectId(user.id)).lean<UserDocument>();
  const { id, name, email, image } = user;
  const profile = {
    ...{ id, name, email, image },
    hasPassword: Boolean(account?.passwordHash),
    reviewMails: account?.reviewMails ?? "each",
    replyMails: account?.replyMails ?? "each",
    reviewRequests: account?.reviewRequests ?? true,
  };
  return toJson(profile, exportedLists(user));
}

function exportedLists(user: CurrentUser): Record<string, AsyncIterable<unknown>> {
  const userId = toObjectId(user.id);
  const names = ownerNames(user);
  return {
    tours: each(Tour.find({ createdById: userId }, "title slug"), only("id title slug")),
    bookings: each(Booking.find({ userId }), only("id tourId status date")),
    // No-shows: as an explorer, and as a guide.
    absences: each(Absence.find({ userId }).sort({ at: -1 }), toAbsence),
    absencesOfOthers: each(Absence.find({ guideId: userId }), toAbsence),
    reviews: each(
      Review.find({ userId }).sort({ createdAt: -1, _id: -1 }),
      async (review: ReviewDocument) => ({
        ...only("id tourId", ...CONTENT_FIELDS, "createdAt editedAt")(review),
        verified: review.verified === true,
        // An operator's command may not know the site's secret.
        ...(env().sessionSecret && { receipt: await makeReceipt(review) }),
        ...(review.postedBy === "platform" && { postedBy: review.postedBy }),
      }),
    ),
    // To reviews of the user's tours. One that was withdrawn has no text.
    replies: each(Reply.find({ userId }), (reply: ReplyDocument) => ({
      reviewId: reply._id,
      ...only("tourId text createdAt editedAt")(reply),
    })),
    // Taken down by an operator. One that its author has deleted since is only the pair that stays taken.
    removedReviews: each(RemovedReview.find({ userId }), (removed: RemovedReviewDocument) => ({
      ...only("id tourId removedAt rating")(removed),
      ...only(...WORD_FIELDS, "createdAt")(removed.review ?? {}),
    })),
    // About the user's reviews and replies, with the user's appeals.
    decisions: each(Case.find({ authorId: userId }), (found: CaseDocument) => ({
      ...only("kind reviewId snapshot")(found),
      reportedAt: found.openedAt,
      decisions: found.decisions.map(only("at action ground explanation reference")),
      appeals: found.appeals.filter(({ by }) => by === "author").map(only("at text")),
    })),
    reports: each(
      reportFilters(names).map((filter) => Report.find(filter)),
      (report: ReportDocument) =>
        only(report.reporter ? "reason words name email at" : "reason email at")(report),
    ),
    sanctions: each(
      names.map((subject) => Sanction.find({ subject }).sort({ scope: 1, number: -1 })),
      (sanction: SanctionDocument) => ({
        ...only("scope kind at until explanation appeal")(sanction),
        outcome: sanction.outcome && only("at stands explanation")(sanction.outcome),
      }),
    ),
    // The requests by which the user was asked for reviews, or why not.
    reviewRequests: each(
      ReviewRequest.find({ userId }),
      only("tourId departedAt dueAt sentAt remindedAt notAsked expiresAt reviewId absentAt"),
    ),
    // About the user's reviews. The guide's name and address in them are the guide's.
    notifications: each(Notification.find({ explorerId: userId }), toSentMail),
    // To the user as the guide of a tour.
    notificationsToMe: each(Notification.find({ guideId: userId }), (mail: ReviewNotification) => ({
      ...only("guideName guideEmail")(mail.inputs),
      ...toSentMail(mail),
    })),
    // About the account. Their texts may hold a link.
    accountMails: each(
      names.map((owner) => Notification.find({ owner })),
      (notification: AccountNotification) => ({
        subject: notification.mail?.subject ?? null,
        to: notification.mail?.to.email ?? null,
        ...whenSent(notification),
      }),
    ),
    idempotencyKeys: each(
      IdempotencyKey.find({ userId }),
      ({ key, reviewId, createdAt, author, expiresAt }: IdempotencyKeyDocument) => ({
        key,
        review: { id: reviewId, createdAt, user: author },
        expiresAt,
      }),
    ),
    accessTokens: each(
      AccessToken.find({ userId }).sort({ createdAt: -1, _id: -1 }),
      only("id name createdAt lastUsedAt expiresAt"),
    ),
    sessions: each(
      Session.find({ userId, expiresAt: { $gt: new Date() } }),
      only("browser network createdAt lastUsedAt expiresAt"),
    ),
    // From where the user logs in, as hashes that tell nobody anything.
    knownNetworks: exportedNetworks(userId),
    guideVisits: each(GuideVisit.find({ _id: userId }), only("since seenAt")),
    emailLinks: each(
      [{ userId }, ...linkFiltersByAddress(user.email)].map((of) => EmailLink.find(of)),
      only("purpose email expiresAt"),
    ),
  };
}

const toAbsence = ({ bookingId, tourId, date, at, objectedAt }: AbsenceDocument) => ({
  bookingId,
  tourId,
  date,
  saidAt: at,
  objectedAt,
});

const toSentMail = (mail: ReviewNotification) => ({
  reviewId: mail._id,
  ...only("explorerName tourTitle", ...CONTENT_FIELDS)(mail.inputs),
  ...whenSent(mail),
});

const whenSent = ({ state, createdAt, endedAt }: NotificationDocument) => ({
  state,
  createdAt,
  sentAt: (state === "sent" && endedAt) || null,
});

async function* exportedNetworks(userId: Types.ObjectId | null): AsyncGenerator<unknown> {
  const known = await KnownNetworks.findById(userId).lean<KnownNetworksDocument>();
  for (const { usedAt } of known?.networks ?? []) yield { usedAt };
}

/** Makes a record with only these fields of a document, whose `_id` is `id`; null for one that it does not have. */
const only =
  (...fields: string[]) =>
  (document: object): Record<string, unknown> => {
    const { _id, ...others } = document as Record<string, unknown>;
    const values: Record<string, unknown> = { ...others, id: String(_id) };
    const names = fields.flatMap((some) => some.split(" "));
    return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  };

interface ExportQuery {
  lean(): { cursor(options: { batchSize: number }): AsyncIterable<unknown> };
}

/** An export takes as much memory as a batch, whatever there is. */
async function* each<Document>(
  queries: ExportQuery | ExportQuery[],
  toRecord: (document: Document) => unknown,
): AsyncGenerator<unknown> {
  for (const query of [queries].flat())
    for await (const document of query.lean().cursor({ batchSize: 200 }))
      yield await toRecord(document as Document);
}

async function* toJson(
  profile: object,
  lists: Record<string, AsyncIterable<unknown>>,
): AsyncGenerator<string> {
  yield `{\n  "profile": ${JSON.stringify(profile)}`;
  for (const [name, records] of Object.entries(lists)) {
    yield `,\n  "${name}": [`;
    let separator = "\n";
    for await (const record of records) {
      yield `${separator}    ${JSON.stringify(record)}`;
      separator = ",\n";
    }
    yield separator === "\n" ? "]" : "\n  ]";
  }
  yield "\n}\n";
}
