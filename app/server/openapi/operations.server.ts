import { OwnListQuery } from "~/me/my-reviews.server";
import { texts } from "~/lib/refusal-texts";
import { AllChangesQuery, ChangesQuery, TourQuery } from "~/reviews/list-changes.server";
import { RatingsQuery, ToursQuery } from "~/tours/search/api-list.server";
import {
  ifNoneMatch,
  noTour,
  type Operation,
  type Operations,
  preparing,
  WEAK_TAG,
} from "./components.server";
import { closeTourOperation, putTourOperation, recordOperations } from "./record-operations.server";
import { reviewOperations } from "./review-operations.server";

const pageOfChanges: Pick<Operation, "header" | "success" | "unchanged" | "failure"> = {
  header: ifNoneMatch(WEAK_TAG),
  success: {
    description: "The changes.",
    schema: "ChangeList",
    headers: { ETag: "ETag", Link: "Link" },
  },
  unchanged: "The page is still that of If-None-Match. No body.",
  failure: texts.changesFailed,
};

/** The document describes these, `Allow` follows from their methods, and `failure` is the text of a 500. */
export const operations = {
  ...reviewOperations,
  "/api/tours": {
    GET: {
      id: "findTour",
      summary: "A tour with its ratings, by its slug, or a list of tours",
      description:
        "Open to everybody. A page's address ends with the slug of its tour; a client gets here the id that all other operations need. Without a slug any other parameter asks for a page of tours, whose `Link` names the next one.",
      query: ToursQuery,
      success: {
        description: "The tour of the slug, or a page of tours.",
        schema: "TourOrTours",
        headers: { Link: "Link" },
        links: ["ReviewsOfTour"],
      },
      refusals: {
        400: [
          "Nothing is asked for, or a parameter is wrong.",
          texts.slugRequired,
          texts.badCursor,
        ],
        404: noTour,
        503: preparing,
      },
      failure: texts.tourFailed,
    },
  },
  "/api/ratings": {
    GET: {
      id: "listRatings",
      summary: "The ratings of up to 100 tours",
      description:
        "Open to everybody. In the order of the ids; unknown tours are absent. With If-None-Match unchanged ratings are not sent again.",
      query: RatingsQuery,
      header: ifNoneMatch(WEAK_TAG),
      success: { description: "The ratings.", schema: "RatingsList", headers: { ETag: "ETag" } },
      unchanged: "The ratings are still those of If-None-Match. No body.",
      refusals: { 400: ["No tours are named, or too many.", texts.badTourIds] },
      failure: texts.ratingsFailed,
    },
  },
  "/api/me/reviews": {
    GET: {
      id: "listOwnReviews",
      summary: "The caller's own reviews, newest first",
      description: "Twenty on a page, whose `Link` names the next one.",
      ofCaller: true,
      query: OwnListQuery,
      success: {
        description: "The reviews.",
        schema: "OwnReviewList",
        headers: { Link: "Link" },
      },
      refusals: { 400: ["The cursor is none.", texts.badCursor] },
      failure: texts.listFailed,
    },
  },
  "/api/me/tours-to-review": {
    GET: {
      id: "listToursToReview",
      summary: "The tours that wait for the caller's review",
      description: "Ten on a page, the latest first; its `Link` names the next one.",
      ofCaller: true,
      query: OwnListQuery,
      success: { description: "The tours.", schema: "ToursToReview", headers: { Link: "Link" } },
      refusals: { 400: ["The cursor is none.", texts.badCursor] },
      failure: texts.toursToReviewFailed,
    },
  },
  "/api/tours/{id}": {
    GET: {
      id: "getTour",
      summary: "A tour with its ratings",
      description:
        "Open to everybody. The mean and the counts are those of all reviews that were stored before the request arrived. With `at`, only the rating at that time. With `include=participation`, also how many guests took part, were asked and have reviewed: where the site shows it to everybody, or to the tour's guide and to programs of the platform.",
      query: TourQuery,
      success: { description: "The tour.", schema: "TourOrRating", links: ["ReviewsOfTour"] },
      refusals: {
        400: ["A parameter is wrong.", texts.badTime],
        404: [...noTour, texts.ratingUnknown],
      },
      failure: texts.tourFailed,
    },
    PUT: putTourOperation,
    DELETE: closeTourOperation,
  },
  "/api/tours/{id}/jsonld": {
    GET: {
      id: "getStructuredData",
      summary: "A tour's structured data, for a page of its platform",
      description:
        "Open to everybody. A Product of schema.org with the rating and the ten newest reviews, to be put into a page's `script` of the type `application/ld+json`.",
      header: ifNoneMatch(WEAK_TAG),
      success: { description: "The data.", schema: "StructuredData", headers: { ETag: "ETag" } },
      nothing:
        "The tour has neither a rating nor a price, without which search engines take no Product. No body.",
      unchanged: "The data are still those of If-None-Match. No body.",
      refusals: { 404: noTour },
      failure: texts.tourFailed,
    },
  },
  "/api/tours/{id}/changes": {
    GET: {
      id: "listChanges",
      summary: "Every change of a tour's reviews, oldest first",
      description:
        "Open to everybody. Each entry has the hash of the one before, so that the ratings can be replayed and nothing can be left out. A hundred on a page, whose `Link` names the next one.",
      query: ChangesQuery,
      ...pageOfChanges,
      refusals: { 400: ["A parameter is wrong.", texts.badVersion], 404: noTour },
    },
  },
  "/api/changes": {
    GET: {
      id: "listAllChanges",
      summary: "Every change of the reviews of all tours, oldest first",
      description:
        "Open to everybody. Only changes that are older than two minutes, so that none comes before one that was listed. A hundred on a page, whose `Link` names the next one.",
      query: AllChangesQuery,
      ...pageOfChanges,
      refusals: { 400: ["A parameter is wrong.", texts.badCursor] },
    },
  },
  ...recordOperations,
  "/api/openapi.json": {
    GET: {
      id: "getOpenApi",
      summary: "This document",
      description: "Open to everybody. Generated from the schemas that validate requests.",
      success: { description: "The OpenAPI document of this API.", schema: "OpenApi" },
      failure: texts.documentFailed,
    },
  },
} satisfies Operations;
