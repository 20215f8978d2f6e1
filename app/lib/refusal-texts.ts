import { COMMENT_MAX_LENGTH, KEY_MAX_LENGTH, REPLY_MAX_LENGTH } from "./review-limits";

/** Word for word (docs/rules). */
export const texts = {
  unauthorized: "Unauthorized",
  notFound: "Not found",

  missingFields: "Missing required fields",
  badRating: "Rating must be an integer between 1 and 5",
  commentNotString: "Comment must be a string",
  commentTooLong: `Comment must be at most ${COMMENT_MAX_LENGTH} characters`,
  tourNotFound: "Tour not found",
  ownTour: "You cannot review your own tour",
  alreadyReviewed: "You have already reviewed this tour",
  notCompleted:
    "You can review this tour once you have taken it: as soon as the guide marks it complete, or 24 hours after it.",

  tourIdRequired: "Tour ID is required",
  badTourIds: "tourIds must be 1 to 100 ids, separated by commas",
  badCursor: "after must be a cursor from the Link of an answer",
  searchPreparing: "The search is being prepared",
  badVersion: "after must be the version of a change",
  badTime: "at must be a date or a time in ISO 8601",
  ratingUnknown: "No rating of that time is known",
  slugRequired: "Slug is required",

  noFields: "No fields to update",
  reviewNotFound: "Review not found",
  editNotOwn: "You can only edit your own reviews",
  editTooLate: "Reviews can only be edited within 24 hours of posting",
  deleteNotOwn: "You can only delete your own reviews",
  changedMeanwhile: "The review was changed meanwhile",

  badReply: `Reply must be 1 to ${REPLY_MAX_LENGTH} characters`,
  replyNotGuide: "Only the tour's guide can reply",
  replyNotAuthor: "Only its author can change this reply",
  replyHidden: "This reply was removed by a decision",
  replyNotFound: "Reply not found",
  replyChangedMeanwhile: "The reply was changed meanwhile",

  badKey: `Idempotency-Key must be 1 to ${KEY_MAX_LENGTH} printable ASCII characters`,
  keyReused: "This Idempotency-Key was already used with another body",
  tooManyRequests: "Too many requests",
  logInUnchecked: "The log-in cannot be checked at the moment. Please try again in a minute.",

  created: "Review submitted successfully",
  updated: "Review updated successfully",
  deleted: "Review deleted successfully",
  replyDeleted: "Reply deleted successfully",

  serviceOnly: "Only a service token may do this",
  recordChanged: "The record was changed meanwhile",
  accountErased: "This account was deleted here",
  operatorAccount: "The password and the address of an operator are changed by the operator only",
  userNotFound: "User not found",
  bookingNotFound: "Booking not found",
  tooManyRecords: "The body must have 1 to 100 records, on a line each or in a list",
  recordLate: "The time was up: send this record again",
  reviewRemoved: "This review was removed here",
  userDeleted: "User deleted successfully",
  tourClosed: "Tour closed successfully",
  bookingDeleted: "Booking deleted successfully",

  recordFailed: "Failed to store record",
  recordsFailed: "Failed to store records",
  tourCloseFailed: "Failed to close tour",
  bookingDeleteFailed: "Failed to delete booking",
  userDeleteFailed: "Failed to delete user",
  tourFailed: "Failed to fetch tour",
  ratingsFailed: "Failed to fetch ratings",
  toursToReviewFailed: "Failed to fetch tours to review",
  documentFailed: "Failed to make the OpenAPI document",
  listFailed: "Failed to fetch reviews",
  changesFailed: "Failed to fetch changes",
  reviewFailed: "Failed to fetch review",
  createFailed: "Failed to create review",
  updateFailed: "Failed to update review",
  deleteFailed: "Failed to delete review",
  replyFailed: "Failed to store reply",
  replyDeleteFailed: "Failed to delete reply",
} as const;

/** Texts of pages, where the API has other words or none. */
export const pageTexts = {
  busy: "The site is very busy. Nothing was stored: please try again in a moment.",
  uncertain: "We cannot tell whether this was stored. Please look before you try again.",
  updated: "Review updated successfully.",
  deleted: "Review deleted successfully.",
  changedMeanwhile: "This review has changed since you opened it.",
  replied: "Your reply was published.",
  replyDeleted: "The reply was withdrawn.",
  replyChangedMeanwhile: "This reply has changed since you opened it.",
  linkNotValid: "This link is not valid.",
} as const;
