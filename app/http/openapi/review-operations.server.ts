import { KEY_MAX_LENGTH } from "../../services/limits";
import { texts } from "../../services/texts";
import { always, answer, anyone, linksTo, refusal } from "./components.server";
import { EXAMPLE_REVIEW, EXAMPLE_TOUR, refTo } from "./schemas.server";

/** A request body of the component schema of that name. */
const body = (name: string, example: object) => ({
  required: true,
  description:
    "JSON, at most 64 KiB. Unknown fields are ignored; a body that is not an object counts as {}.",
  content: { "application/json": { schema: { $ref: refTo(name) }, example } },
});

/** A response that is one review, with the tag of its state. */
const reviewAnswer = (
  description: string,
  name: string,
  headers: object = {},
  links: object = linksTo("Review", "EditReview", "DeleteReview", "TourOfReview"),
) =>
  answer(description, name, {
    links,
    headers: {
      ETag: { $ref: "#/components/headers/ReviewTag" },
      "X-Request-Id": { $ref: "#/components/headers/RequestId" },
      ...headers,
    },
  });

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "Succeeds only if the review is in this state: the ETag of an earlier answer, or several, separated by commas, or `*`. Weak tags never match.",
  schema: { type: "string" },
  example: '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"',
};
const changed = {
  412: refusal("The review is in none of the states that If-Match names.", texts.changedMeanwhile),
};

/** Further answers that every change may give. */
const tooMany = { 429: { $ref: "#/components/responses/TooManyRequests" } };
const unauthorized = { 401: { $ref: "#/components/responses/Unauthorized" } };
const currentUser = [{ token: [] }, { session: [] }];

const BAD_COMMENT = [texts.commentNotString, texts.commentTooLong];

const reviewId = {
  name: "id",
  in: "path",
  required: true,
  description: "The review's id. A value that is not an id is an unknown review.",
  schema: { type: "string", minLength: 1 },
  example: EXAMPLE_REVIEW,
};

/** The header of a GET that answers 304 to a client that already has the current state. */
const ifNoneMatch = (example: string) => ({
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of the client's copy, or several, separated by commas.",
  schema: { type: "string" },
  example,
});

const listHeaders = {
  ETag: { $ref: "#/components/headers/ETag" },
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
};

/** The `paths` of reviews. */
export const reviewPaths = {
  "/api/reviews": {
    get: {
      operationId: "listReviews",
      tags: ["Reviews"],
      summary: "All reviews of a tour, newest first",
      description:
        "Open to everybody. Of two reviews posted at the same moment the one with the larger id comes first. The answer has a weak ETag: with If-None-Match an unchanged list is not sent again.",
      security: anyone,
      parameters: [
        {
          name: "tourId",
          in: "query",
          required: true,
          description: "The tour's id. An unknown tour has no reviews.",
          schema: { type: "string", minLength: 1 },
          example: EXAMPLE_TOUR,
        },
        ifNoneMatch('W/"n4bQgYhMfWWaL-qgxVrQFaO_Txs"'),
      ],
      responses: {
        200: answer("The reviews, none for an unknown tour.", "ReviewList", {
          headers: listHeaders,
        }),
        304: {
          description: "The list is still the one of If-None-Match. No body.",
          headers: listHeaders,
        },
        400: refusal("No tour is named.", texts.tourIdRequired),
        ...always(texts.listFailed),
      },
    },
    post: {
      operationId: "createReview",
      tags: ["Reviews"],
      summary: "Review a tour after a completed booking",
      description:
        "An explorer reviews a tour once, after a booking that was completed. The tour's ratings are recomputed in the same transaction, and its guide is told by e-mail.",
      security: currentUser,
      parameters: [
        {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description:
            "Makes the request safe to repeat. Within 24 hours the same key with the same body gets the first answer again; with another body it is refused. Each user has their own keys. Failed requests are not remembered.",
          schema: {
            type: "string",
            minLength: 1,
            maxLength: KEY_MAX_LENGTH,
            pattern: "^[ -~]+$",
          },
          example: "8e03978e-40d5-43e6-bc93-6894a57f9324",
        },
      ],
      requestBody: body("CreateReview", {
        tourId: EXAMPLE_TOUR,
        rating: 5,
        comment: "The view from the wall at dusk!",
      }),
      responses: {
        201: reviewAnswer("The stored review.", "ReviewCreated", {
          "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" },
        }),
        400: refusal(
          "The body, or the caller's standing with the tour, does not allow it.",
          texts.badKey,
          texts.missingFields,
          texts.badRating,
          ...BAD_COMMENT,
          texts.ownTour,
          texts.alreadyReviewed,
          texts.notCompleted,
        ),
        ...unauthorized,
        404: refusal("There is no such tour.", texts.tourNotFound),
        422: refusal("The key belongs to another request.", texts.keyReused),
        ...tooMany,
        ...always(texts.createFailed),
      },
    },
  },
  "/api/reviews/{id}": {
    get: {
      operationId: "getReview",
      tags: ["Reviews"],
      summary: "One review",
      description:
        "Open to everybody. Its strong ETag names the review's rating and comment and is for If-Match; a new name or picture of the author does not change it. With If-None-Match an unchanged review is not sent again.",
      security: anyone,
      parameters: [reviewId, ifNoneMatch('"3q2-7wAAAAAAAAAAAAAAAAAAAAA"')],
      responses: {
        200: reviewAnswer(
          "The review.",
          "ReviewBody",
          {},
          linksTo("EditReview", "DeleteReview", "TourOfReview"),
        ),
        304: {
          description: "The review is still in the state of If-None-Match. No body.",
          headers: {
            ETag: { $ref: "#/components/headers/ReviewTag" },
            "X-Request-Id": { $ref: "#/components/headers/RequestId" },
          },
        },
        404: refusal("There is no such review.", texts.reviewNotFound),
        ...always(texts.reviewFailed),
      },
    },
    patch: {
      operationId: "updateReview",
      tags: ["Reviews"],
      summary: "Edit one's own review within 24 hours",
      description:
        "Changes only the fields that are sent; a comment of null or an empty one removes it. Sends no e-mail. With If-Match it overwrites nothing that the client has not seen.",
      security: currentUser,
      parameters: [reviewId, ifMatch],
      requestBody: body("UpdateReview", { rating: 4 }),
      responses: {
        200: reviewAnswer("The changed review.", "ReviewUpdated"),
        400: refusal(
          "The body does not allow it.",
          texts.noFields,
          texts.badRating,
          ...BAD_COMMENT,
        ),
        ...unauthorized,
        403: refusal(
          "The review is somebody else's, or too old.",
          texts.editNotOwn,
          texts.editTooLate,
        ),
        404: refusal("There is no such review.", texts.reviewNotFound),
        ...changed,
        ...tooMany,
        ...always(texts.updateFailed),
      },
    },
    delete: {
      operationId: "deleteReview",
      tags: ["Reviews"],
      summary: "Delete one's own review",
      description:
        "At any time, only by its author. The tour's ratings are recomputed in the same transaction. Has no body.",
      security: currentUser,
      parameters: [reviewId, ifMatch],
      responses: {
        200: answer("The review is gone.", "ReviewDeleted"),
        ...unauthorized,
        403: refusal("The review is somebody else's.", texts.deleteNotOwn),
        404: refusal("There is no such review.", texts.reviewNotFound),
        ...changed,
        ...tooMany,
        ...always(texts.deleteFailed),
      },
    },
  },
};
