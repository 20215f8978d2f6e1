import type { Collection, Schema } from "mongoose";
import { Absence } from "./absence";
import { Access } from "./access";
import { AccessToken } from "./access-token";
import { AccountDeletion } from "./account-deletion";
import { Booking } from "./booking";
import { Case } from "./case";
import { Change } from "./change";
import { Completion } from "./completion";
import { Decision } from "./decision";
import { EmailLink } from "./email-link";
import { Erasure } from "./erasure";
import { StoredFigures } from "./figures";
import { FormerSlug } from "./former-slug";
import { GuideVisit } from "./guide-visit";
import { IdempotencyKey } from "./idempotency-key";
import { KnownNetworks } from "./known-networks";
import { Layout } from "./layout";
import { Notification } from "./notification";
import { Operator } from "./operator";
import { Picture, PicturePart } from "./picture";
import { RateLimitCount } from "./rate-limit";
import { RemovedReview } from "./removed-review";
import { Reply } from "./reply";
import { Report } from "./report";
import { Review } from "./review";
import { ReviewIndex, WordList } from "./review-index";
import { Asking, ReviewRequest } from "./review-request";
import { Sanction } from "./sanction";
import { Session } from "./session";
import { SlidingCount } from "./sliding-count";
import { SpentNonce } from "./spent-nonce";
import { Tour } from "./tour";
import { User } from "./user";
import { Webhook } from "./webhook";

/** Their indexes are built before the server listens. */
export const models: readonly {
  collection: Collection;
  schema: Pick<Schema, "indexes" | "paths">;
}[] = [
  User,
  Tour,
  FormerSlug,
  Booking,
  Completion,
  Absence,
  Review,
  Reply,
  RemovedReview,
  Change,
  ReviewIndex,
  WordList,
  Case,
  Report,
  Decision,
  Operator,
  Sanction,
  ReviewRequest,
  Asking,
  Notification,
  Webhook,
  Session,
  Access,
  AccessToken,
  EmailLink,
  SpentNonce,
  IdempotencyKey,
  RateLimitCount,
  SlidingCount,
  KnownNetworks,
  GuideVisit,
  AccountDeletion,
  Erasure,
  StoredFigures,
  Picture,
  PicturePart,
  Layout,
];
