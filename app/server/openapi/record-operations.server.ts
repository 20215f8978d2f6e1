import { texts } from "~/lib/refusal-texts";
import { EXAMPLE_BOOKING, EXAMPLE_TOUR, EXAMPLE_USER } from "~/reviews/schemas";
import {
  ifMatch,
  noTour,
  type Operation,
  type Operations,
  reviewTagHeader,
} from "./components.server";

/** The parts that all operations on records share. */
const stored = {
  ofService: true,
  success: {
    description: "The record is stored, or was already.",
    schema: "RecordResult",
    headers: reviewTagHeader,
  },
  failure: texts.recordFailed,
} satisfies Partial<Operation>;

/** Storing a whole record of that kind. */
const put = {
  ...stored,
  created: "The record is new.",
  header: ifMatch,
} satisfies Partial<Operation>;

const badRecord = (error: string) =>
  ["The record is bad: each field with the words of an import.", error] as const;
const notService = ["The caller is a user.", texts.serviceOnly] as const;
const changed = [
  "The record is in none of the states that If-Match names.",
  texts.recordChanged,
] as const;

const exampleRecord = {
  ...{ type: "bookings", id: EXAMPLE_BOOKING, userId: EXAMPLE_USER },
  ...{ tourId: EXAMPLE_TOUR, status: "COMPLETED" },
};

const description =
  "As an import stores it: the same again changes nothing, and fields that are not sent stay. With If-Match it overwrites nothing that the client has not seen.";

export const recordOperations = {
  "/api/users/{id}": {
    PUT: {
      ...put,
      id: "putUser",
      summary: "Store a user of the platform",
      description,
      body: { schema: "UserRecord", example: { name: "Ann", email: "ann@example.org" } },
      refusals: {
        400: badRecord("name: must be a string"),
        403: [
          "The caller is a user, or the account was deleted here.",
          texts.serviceOnly,
          texts.accountErased,
        ],
        412: changed,
      },
    },
    DELETE: {
      id: "deleteUser",
      summary: "Delete a user with all that is theirs",
      description:
        "As they could do it themselves. No record brings the account back. Has no body.",
      ofService: true,
      success: { description: "The user is gone.", schema: "UserDeleted" },
      refusals: {
        403: notService,
        404: ["There is no such user.", texts.userNotFound],
      },
      failure: texts.userDeleteFailed,
    },
  },
  "/api/bookings/{id}": {
    PUT: {
      ...put,
      id: "putBooking",
      summary: "Store a booking of the platform",
      description,
      body: {
        schema: "BookingRecord",
        example: { userId: EXAMPLE_USER, tourId: EXAMPLE_TOUR, status: "COMPLETED" },
      },
      refusals: {
        400: badRecord("status: must be a string"),
        403: notService,
        412: changed,
      },
    },
    PATCH: {
      ...stored,
      id: "patchBooking",
      summary: "Change a booking's status",
      description: "Its user can review the tour once it is `COMPLETED`.",
      body: { schema: "BookingStatus", example: { status: "COMPLETED" } },
      refusals: {
        400: badRecord("status: must be a string"),
        403: notService,
        404: ["There is no such booking.", texts.bookingNotFound],
      },
    },
    DELETE: {
      id: "deleteBooking",
      summary: "Delete a booking",
      description: "The review of its user stays, as one without this booking. Has no body.",
      ofService: true,
      success: { description: "The booking is gone.", schema: "BookingDeleted" },
      refusals: {
        403: notService,
        404: ["There is no such booking.", texts.bookingNotFound],
      },
      failure: texts.bookingDeleteFailed,
    },
  },
  "/api/records": {
    POST: {
      id: "storeRecords",
      summary: "Store up to 100 records",
      description:
        "A list, or a line of JSON for each, each with its `type`: users, tours, bookings or reviews. They are stored in their order, each by itself, and the answer has the same form: for each its `line`, type and id, and `result` or `error`. One whose error says that the time was up can be sent again.",
      ofService: true,
      body: {
        schema: "RecordList",
        example: [exampleRecord],
        asLines: { schema: "RecordLines", example: JSON.stringify(exampleRecord) },
        most: "1 MiB",
      },
      success: {
        status: 200,
        description: "A result for each record.",
        schema: "ResultList",
        asLines: "ResultLines",
      },
      refusals: {
        400: ["There is no record, or there are too many.", texts.tooManyRecords],
        403: notService,
      },
      failure: texts.recordsFailed,
    },
  },
} satisfies Operations;

export const closeTourOperation = {
  id: "closeTour",
  summary: "Close a tour that is no longer offered",
  description:
    "It leaves list and search at once, and the sitemap within minutes; its page, reviews and links stay, and who has taken part may still review it. A PUT opens it again. Has no body.",
  ofService: true,
  success: { description: "The tour is closed, or was already.", schema: "TourClosed" },
  refusals: { 403: notService, 404: noTour },
  failure: texts.tourCloseFailed,
} satisfies Operation;

export const putTourOperation = {
  ...put,
  id: "putTour",
  summary: "Store a tour of the platform",
  description,
  body: {
    schema: "TourRecord",
    example: { title: "Old Town Walk", slug: "old-town-walk", createdById: EXAMPLE_USER },
  },
  refusals: {
    400: badRecord("title: must be a string"),
    403: notService,
    412: changed,
  },
} satisfies Operation;
