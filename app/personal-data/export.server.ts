import type { Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { Booking, type BookingDocument } from "#models/booking";
import { EmailLink, type EmailLinkDocument } from "#models/email-link";
import { GuideVisit } from "#models/guide-visit";
import { KnownNetworks, type KnownNetworksDocument } from "#models/known-networks";
import { IdempotencyKey, type IdempotencyKeyDocument } from "#models/idempotency-key";
import { AccessToken, type AccessTokenDocument } from "#models/access-token";
import {
  type AccountNotification,
  Notification,
  type ReviewNotification,
} from "#models/notification";
import { Case, type CaseDocument } from "#models/case";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Report, type ReportDocument } from "#models/report";
import { Reply, type ReplyDocument } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { Sanction, type SanctionDocument } from "#models/sanction";
import { Session, type SessionDocument } from "#models/session";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { toObjectId } from "~/db/ids.server";
import { namesOf } from "~/mail/outbox.server";
import { linksByAddressOf } from "~/accounts/email-links.server";
import { toTokenInfo } from "~/accounts/tokens.server";
import type { CurrentUser } from "~/accounts/users.server";
import { reportsOf } from "./case-words.server";

/** Everything that the site holds on the user, in JSON, without what would let somebody act in their name. */
export async function exportData(user: CurrentUser): Promise<AsyncGenerator<string>> {
  const account = await User.findById(toObjectId(user.id)).lean<UserDocument>();
  const profile = {
    ...user,
    hasPassword: Boolean(account?.passwordHash),
    reviewMails: account?.reviewMails ?? "each",
    replyMails: account?.replyMails ?? "each",
  };
  return toJson({ profile }, listsOf(user));
}

function listsOf(user: CurrentUser): Record<string, AsyncIterable<unknown>> {
  const userId = toObjectId(user.id);
  return {
    tours: each<TourDocument>(
      Tour.find({ createdById: userId }, "title slug"),
      ({ _id, title, slug }) => ({ id: _id.toString(), title, slug }),
    ),
    bookings: each<BookingDocument>(Booking.find({ userId }), ({ _id, tourId, status, date }) => ({
      id: _id.toString(),
      tourId: tourId.toString(),
      status,
      date,
    })),
    // Of which guides say that the user did not come, and as a guide, that others did not.
    absences: each<AbsenceDocument>(Absence.find({ userId }).sort({ at: -1 }), toAbsence),
    absencesOfOthers: each<AbsenceDocument>(Absence.find({ guideId: userId }), toAbsence),
    reviews: each<ReviewDocument>(
      Review.find({ userId }).sort({ createdAt: -1, _id: -1 }),
      ({ _id, tourId, rating, comment, createdAt, editedAt, verified }) => ({
        id: _id.toString(),
        tourId: tourId.toString(),
        rating,
        comment,
        createdAt,
        editedAt: editedAt ?? null,
        verified: verified === true,
      }),
    ),
    // To reviews of the user's tours. One that was withdrawn has no text.
    replies: each<ReplyDocument>(
      Reply.find({ userId }),
      ({ _id, tourId, text, createdAt, editedAt }) => ({
        reviewId: _id.toString(),
        tourId: tourId.toString(),
        text,
        createdAt,
        editedAt,
      }),
    ),
    // Taken down by an operator. One that its author has deleted since is only the pair that stays taken.
    removedReviews: each<RemovedReviewDocument>(
      RemovedReview.find({ userId }),
      ({ _id, tourId, removedAt, rating, review }) => ({
        id: _id.toString(),
        tourId: tourId.toString(),
        removedAt,
        rating,
        comment: review?.comment ?? null,
        createdAt: review?.createdAt ?? null,
      }),
    ),
    // About the user's reviews and replies, with the user's appeals.
    decisions: each<CaseDocument>(
      Case.find({ authorId: userId }),
      ({ kind, reviewId, openedAt, snapshot, decisions, appeals }) => ({
        kind,
        reviewId: reviewId.toString(),
        reportedAt: openedAt,
        snapshot,
        decisions: decisions.map(({ at, action, ground, explanation, reference }) => ({
          at,
          action,
          ground,
          explanation,
          reference,
        })),
        appeals: appeals.filter(({ by }) => by === "author").map(({ at, text }) => ({ at, text })),
      }),
    ),
    reports: each<ReportDocument>(
      reportsOf(namesOf(user)).map((filter) => Report.find(filter)),
      ({ reporter, reason, words, name, email, at }) =>
        reporter ? { reason, words, name, email, at } : { reason, email, at },
    ),
    sanctions: each<SanctionDocument>(
      namesOf(user).map((subject) => Sanction.find({ subject }).sort({ scope: 1, number: -1 })),
      ({ scope, kind, at, until, explanation, appeal, outcome }) => ({
        scope,
        kind,
        at,
        until,
        explanation,
        appeal,
        outcome: outcome && {
          at: outcome.at,
          stands: outcome.stands,
          explanation: outcome.explanation,
        },
      }),
    ),
    // About the user's reviews. The guide's name and address in them are the guide's.
    notifications: each<ReviewNotification>(Notification.find({ explorerId: userId }), toSentMail),
    // To the user as the guide of a tour.
    notificationsToMe: each<ReviewNotification>(Notification.find({ guideId: userId }), (mail) => ({
      guideName: mail.inputs.guideName,
      guideEmail: mail.inputs.guideEmail,
      ...toSentMail(mail),
    })),
    // About the account. Their texts may hold a link.
    accountMails: each<AccountNotification>(
      namesOf(user).map((owner) => Notification.find({ owner })),
      ({ mail, state, createdAt, endedAt }) => ({
        subject: mail?.subject ?? null,
        to: mail?.to.email ?? null,
        state,
        createdAt,
        sentAt: (state === "sent" && endedAt) || null,
      }),
    ),
    idempotencyKeys: each<IdempotencyKeyDocument>(
      IdempotencyKey.find({ userId }),
      ({ key, reviewId, createdAt, author, expiresAt }) => ({
        key,
        review: { id: reviewId.toString(), createdAt, user: author },
        expiresAt,
      }),
    ),
    accessTokens: each<AccessTokenDocument>(
      AccessToken.find({ userId }).sort({ createdAt: -1, _id: -1 }),
      toTokenInfo,
    ),
    sessions: each<SessionDocument>(
      Session.find({ userId, expiresAt: { $gt: new Date() } }),
      ({ browser, network, createdAt, lastUsedAt, expiresAt }) => ({
        browser: browser ?? null,
        network: network ?? null,
        createdAt: createdAt ?? null,
        lastUsedAt: lastUsedAt ?? null,
        expiresAt,
      }),
    ),
    // From where the user logs in, as hashes that tell nobody anything.
    knownNetworks: networksOf(userId),
    guideVisits: each(GuideVisit.find({ _id: userId }, "-_id since seenAt"), (visit) => visit),
    emailLinks: each<EmailLinkDocument>(
      [{ userId }, ...linksByAddressOf(user.email)].map((of) => EmailLink.find(of)),
      ({ purpose, email, expiresAt }) => ({ purpose, email, expiresAt }),
    ),
  };
}

const toAbsence = ({ bookingId, tourId, date, at, objectedAt }: AbsenceDocument) => ({
  bookingId: bookingId.toString(),
  tourId: tourId.toString(),
  date,
  saidAt: at,
  objectedAt,
});

const toSentMail = ({ _id, inputs, state, createdAt, endedAt }: ReviewNotification) => ({
  reviewId: _id.toString(),
  explorerName: inputs.explorerName,
  tourTitle: inputs.tourTitle,
  rating: inputs.rating,
  comment: inputs.comment,
  state,
  createdAt,
  sentAt: (state === "sent" && endedAt) || null,
});

async function* networksOf(userId: Types.ObjectId | null): AsyncGenerator<unknown> {
  const known = await KnownNetworks.findById(userId).lean<KnownNetworksDocument>();
  for (const { usedAt } of known?.networks ?? []) yield { usedAt };
}

interface Query {
  lean(): { cursor(options: { batchSize: number }): AsyncIterable<unknown> };
}

/** An export takes as much memory as a batch, whatever there is. */
async function* each<Document>(
  queries: Query | Query[],
  toRecord: (document: Document) => unknown,
): AsyncGenerator<unknown> {
  for (const query of [queries].flat())
    for await (const document of query.lean().cursor({ batchSize: 200 }))
      yield toRecord(document as Document);
}

async function* toJson(
  fields: Record<string, unknown>,
  lists: Record<string, AsyncIterable<unknown>>,
): AsyncGenerator<string> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(fields)) {
    yield `${separator}  "${name}": ${JSON.stringify(value)}`;
    separator = ",\n";
  }
  for (const [name, records] of Object.entries(lists)) {
    yield `${separator}  "${name}": [`;
    separator = "\n";
    for await (const record of records) {
      yield `${separator}    ${JSON.stringify(record)}`;
      separator = ",\n";
    }
    yield separator === "\n" ? "]" : "\n  ]";
    separator = ",\n";
  }
  yield "\n}\n";
}
