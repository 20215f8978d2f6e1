import { texts } from "../../services/texts";
import { always, answer, anyone, linksTo, refusal } from "./components.server";
import { reviewPaths } from "./review-operations.server";
import { EXAMPLE_TOUR } from "./schemas.server";

const slug = {
  name: "slug",
  in: "query",
  required: true,
  description: "The part of its page's address that names the tour.",
  schema: { type: "string", minLength: 1 },
  example: "old-town-walk",
};

const tourAnswer = answer("The tour.", "TourBody", { links: linksTo("ReviewsOfTour") });

/** The `paths` of the document: every operation under /api. */
export const paths = {
  ...reviewPaths,
  "/api/tours": {
    get: {
      operationId: "findTour",
      tags: ["Tours"],
      summary: "A tour with its ratings, by its slug",
      description:
        "Open to everybody. A page's address ends with the slug of its tour; a client gets here the id that all other operations need.",
      security: anyone,
      parameters: [slug],
      responses: {
        200: tourAnswer,
        400: refusal("No slug is named.", texts.slugRequired),
        404: refusal("There is no such tour.", texts.tourNotFound),
        ...always(texts.tourFailed),
      },
    },
  },
  "/api/tours/{id}": {
    get: {
      operationId: "getTour",
      tags: ["Tours"],
      summary: "A tour with its ratings",
      description:
        "Open to everybody. The mean and the counts are those of all reviews that were stored before the request arrived.",
      security: anyone,
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "The tour's id. A value that is not an id is an unknown tour.",
          schema: { type: "string", minLength: 1 },
          example: EXAMPLE_TOUR,
        },
      ],
      responses: {
        200: tourAnswer,
        404: refusal("There is no such tour.", texts.tourNotFound),
        ...always(texts.tourFailed),
      },
    },
  },
  "/api/openapi.json": {
    get: {
      operationId: "getOpenApi",
      tags: ["Meta"],
      summary: "This document",
      description: "Open to everybody. Generated from the schemas that validate requests.",
      security: anyone,
      responses: {
        200: answer("The OpenAPI document of this API.", "OpenApi"),
        ...always(texts.documentFailed),
      },
    },
  },
};
