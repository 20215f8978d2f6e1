import { texts } from "../../services/texts";
import type { Method } from "../api-route.server";
import { ifMatch, noReview, type Operation, reviewId, reviewTag } from "./operation.server";

export const replyOperations = {
  "/api/reviews/{id}/reply": {
    PUT: {
      id: "putReply",
      tag: "Reviews",
      summary: "Reply to a review as its tour's guide",
      description:
        "Creates the reply or replaces its text; the same text again changes nothing. Only the tour's present guide can reply, and cannot change the reply of another guide. With If-Match it overwrites nothing that the client has not seen.",
      path: reviewId,
      header: ifMatch,
      body: { schema: "PutReply", example: { text: "Thank you for coming, Ann." } },
      success: {
        description: "The stored reply.",
        schema: "ReplyBody",
        headers: reviewTag,
      },
      refusals: {
        400: ["The body does not allow it.", texts.badReply],
        403: [
          "The caller does not lead the tour, or did not write the reply.",
          texts.replyNotGuide,
          texts.replyHidden,
          texts.replyNotAuthor,
        ],
        ...noReview,
        412: [
          "The reply is in none of the states that If-Match names.",
          texts.replyChangedMeanwhile,
        ],
      },
      failure: texts.replyFailed,
    },
    DELETE: {
      id: "deleteReply",
      tag: "Reviews",
      summary: "Withdraw the reply to a review",
      description:
        "Only the tour's present guide can withdraw it, also if the guide before wrote it. Its text is then gone. Has no body.",
      path: reviewId,
      header: ifMatch,
      success: { description: "The reply is gone.", schema: "ReplyDeleted" },
      refusals: {
        403: ["The caller does not lead the tour.", texts.replyNotGuide],
        404: [
          "There is no such review, or no reply to it.",
          texts.reviewNotFound,
          texts.replyNotFound,
        ],
        412: [
          "The reply is in none of the states that If-Match names.",
          texts.replyChangedMeanwhile,
        ],
      },
      failure: texts.replyDeleteFailed,
    },
  },
} satisfies Record<string, Partial<Record<Method, Operation>>>;
