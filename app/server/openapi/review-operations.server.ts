import { ListReviewsQuery } from "~/reviews/list/api-page.server";
import { EXAMPLE_TOUR, GetReviewQuery, PostReviewHeaders } from "~/reviews/schemas";
import { texts } from "~/lib/refusal-texts";
import {
  ifMatch,
  ifNoneMatch,
  noTour,
  type Operations,
  preparing,
  REVIEW_TAG,
  reviewTagHeader,
  WEAK_TAG,
} from "./components.server";

const badComment = [texts.commentNotString, texts.commentTooLong];
const noReview = ["There is no such review.", texts.reviewNotFound] as const;
const changed = (what: string, text: string) =>
  [`The ${what} is in none of the states that If-Match names.`, text] as const;
const reviewChanged = changed("review", texts.changedMeanwhile);
const replyChanged = changed("reply", texts.replyChangedMeanwhile);

export const reviewOperations = {
  "/api/reviews": {
    GET: {
      id: "listReviews",
      summary: "All reviews of a tour, newest first, or a page of some",
      description:
        "Open to everybody. With `tourId` only, all reviews; any further parameter asks for a page, whose `Link` names the next one. If two reviews were posted at the same moment, the one with the larger id comes first. The answer has a weak ETag: with If-None-Match an unchanged list is not sent again.",
      query: ListReviewsQuery,
      header: ifNoneMatch(WEAK_TAG),
      success: {
        description: "The reviews, none for an unknown tour.",
        schema: "ReviewList",
        headers: { ETag: "ETag", Link: "Link" },
      },
      unchanged: "The list is still the one of If-None-Match. No body.",
      refusals: {
        400: ["No tour is named, or a parameter is wrong.", texts.tourIdRequired, texts.badCursor],
        503: preparing,
      },
      failure: texts.listFailed,
    },
    POST: {
      id: "createReview",
      summary: "Review a tour after a completed booking",
      description:
        "An explorer reviews a tour once, after a booking that was completed. The tour's ratings are recomputed in the same transaction, and its guide is told by e-mail.",
      header: PostReviewHeaders,
      body: {
        schema: "CreateReview",
        example: { tourId: EXAMPLE_TOUR, rating: 5, comment: "The view from the wall at dusk!" },
      },
      success: {
        description: "The stored review.",
        schema: "ReviewCreated",
        headers: { ...reviewTagHeader, "Idempotent-Replayed": "IdempotentReplayed" },
        links: ["Review", "EditReview", "DeleteReview", "TourOfReview"],
      },
      refusals: {
        400: [
          "The body, or the caller's standing with the tour, does not allow it.",
          texts.badKey,
          texts.missingFields,
          texts.badRating,
          ...badComment,
          texts.ownTour,
          texts.alreadyReviewed,
          texts.notCompleted,
        ],
        404: noTour,
        422: ["The key belongs to another request.", texts.keyReused],
      },
      failure: texts.createFailed,
    },
  },
  "/api/reviews/{id}": {
    GET: {
      id: "getReview",
      summary: "One review",
      description:
        "Open to everybody. Its strong ETag is for If-Match: before the dot it names the review's rating and comment, behind it the author's name and picture, which If-Match leaves out. With If-None-Match an unchanged review is not sent again. With `include=reply` the review has the guide's `reply`, and the ETag names both and is not for If-Match.",
      query: GetReviewQuery,
      header: ifNoneMatch(REVIEW_TAG),
      success: {
        description: "The review.",
        schema: "ReviewBody",
        headers: reviewTagHeader,
        links: ["EditReview", "DeleteReview", "TourOfReview"],
      },
      unchanged: "The review is still in the state of If-None-Match. No body.",
      refusals: { 404: noReview },
      failure: texts.reviewFailed,
    },
    PATCH: {
      id: "updateReview",
      summary: "Edit one's own review within 24 hours",
      description:
        "Changes only the fields that are sent; a comment of null or an empty one removes it. Sends no e-mail. With If-Match it overwrites nothing that the client has not seen.",
      header: ifMatch,
      body: { schema: "UpdateReview", example: { rating: 4 } },
      success: {
        description: "The changed review.",
        schema: "ReviewUpdated",
        headers: reviewTagHeader,
        links: ["Review", "EditReview", "DeleteReview", "TourOfReview"],
      },
      refusals: {
        400: ["The body does not allow it.", texts.noFields, texts.badRating, ...badComment],
        403: ["The review is somebody else's, or too old.", texts.editNotOwn, texts.editTooLate],
        404: noReview,
        412: reviewChanged,
      },
      failure: texts.updateFailed,
    },
    DELETE: {
      id: "deleteReview",
      summary: "Delete one's own review",
      description:
        "Only its author can delete a review, at any time. The tour's ratings are recomputed in the same transaction. Has no body.",
      header: ifMatch,
      success: { description: "The review is gone.", schema: "ReviewDeleted" },
      refusals: {
        403: ["The review is somebody else's.", texts.deleteNotOwn],
        404: noReview,
        412: reviewChanged,
      },
      failure: texts.deleteFailed,
    },
  },
  "/api/reviews/{id}/reply": {
    PUT: {
      id: "putReply",
      summary: "Reply to a review as its tour's guide",
      description:
        "Creates the reply or replaces its text; the same text again changes nothing. Only the tour's present guide can reply, and cannot change the reply of another guide. With If-Match it overwrites nothing that the client has not seen.",
      header: ifMatch,
      body: { schema: "PutReply", example: { text: "Thank you for coming, Ann." } },
      success: { description: "The stored reply.", schema: "ReplyBody", headers: reviewTagHeader },
      refusals: {
        400: ["The body does not allow it.", texts.badReply],
        403: [
          "The caller does not lead the tour, or did not write the reply.",
          texts.replyNotGuide,
          texts.replyHidden,
          texts.replyNotAuthor,
        ],
        404: noReview,
        412: replyChanged,
      },
      failure: texts.replyFailed,
    },
    DELETE: {
      id: "deleteReply",
      summary: "Withdraw the reply to a review",
      description:
        "Only the tour's present guide can withdraw it, also if the guide before wrote it. Its text is then gone. Has no body.",
      header: ifMatch,
      success: { description: "The reply is gone.", schema: "ReplyDeleted" },
      refusals: {
        403: ["The caller does not lead the tour.", texts.replyNotGuide],
        404: [
          "There is no such review, or no reply to it.",
          texts.reviewNotFound,
          texts.replyNotFound,
        ],
        412: replyChanged,
      },
      failure: texts.replyDeleteFailed,
    },
  },
} satisfies Operations;
