import { randomUUID } from "node:crypto";
import { keepPictures, makeBookedExplorer, makeReview, makeTour, PASSWORD } from "./factories";
import { mailsPath } from "./app";
import { makeLink, makeRequest, type Scene, type World } from "./world";

// Every route, once: its address, who may read it, the requests that change something with the answer for each sender,
// and the pages to look at. tests/support/access.unit.test.ts and tests/reviews/authorization.http.test.ts compare it
// with Remix' own list.

export const STRANGERS = [
  "nobody",
  "expired session",
  "logged-out cookie",
  "revoked token",
] as const;
const USERS = ["author", "other explorer", "explorer without completed booking", "guide"] as const;
/** All who may send a request. */
export const ACTORS = [...STRANGERS, ...USERS] as const;
export type Actor = (typeof ACTORS)[number];

/** Names for several actors, the narrowest first: it counts before a wider one. */
const GROUPS = {
  strangers: STRANGERS,
  users: USERS,
  everybody: ACTORS,
} satisfies Record<string, readonly Actor[]>;

interface Answer {
  status: number;
  /**
   * An API's error or message, the target of a redirect, or words on the page. `:path` is the request's own path,
   * `:slug` the tour's slug, `:id` the review's id.
   */
  text: string;
  /** Whether it changes anything. */
  writes: boolean;
}
const refused = (status: number, text: string): Answer => ({ status, text, writes: false });
const accepted = (status: number, text: string): Answer => ({ status, text, writes: true });

/** An actor's own answer counts before that of a group. */
type Answers = Partial<Record<Actor | keyof typeof GROUPS, Answer>>;

/** A request that changes something, if its sender may do that. */
interface Change {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The form, if the page has several. */
  intent?: string;
  /** The fields of its form or of its JSON body; none by default. */
  fields?: (world: World) => Record<string, string | number>;
  /** A user who may do it; the author by default. */
  sender?: Sender | "anybody";
  answers: Answers;
}
type Sender = "author" | "booked" | "guide" | "operator";

/** A page to look at, with the demo data. */
interface Shown {
  as?: Viewer;
  /** Its address, if it is not the route's. */
  path?: string | ((scene: Scene & { author: { email: string } }) => Promise<string>);
}
/** The demo log-in that sees it. */
export type Viewer = "explorer" | "author" | "guide" | "operator";

interface Route {
  /** An address of the pattern which names what is there; the pattern itself without it. */
  path?: (scene: Scene) => string;
  /** `users` are all who are logged in; `only` is the user whose page it is, and `others` the status for other users. */
  readers: "anybody" | "users" | { only: "author" | "guide" | "operator"; others: 403 | 404 };
  changes?: Change[];
  /** By the name of its picture. Every route with a page has at least one. */
  pages?: Record<string, Shown>;
}

const UNAUTHORIZED = refused(401, "Unauthorized");
const TO_LOG_IN = refused(302, "/login?redirectTo=:path");
/** To the log-in page with what was typed, which comes back from there. */
const TO_LOG_IN_WITH_FIELDS = refused(307, "/login?redirectTo=:path");
export const TOO_LATE = refused(403, "Reviews can only be edited within 24 hours of posting");
const NOT_EDITED = refused(403, "You can only edit your own reviews");
const NOT_DELETED = refused(403, "You can only delete your own reviews");
const NO_REPLY = refused(403, "Only the tour's guide can reply");
const SOMEBODY_ELSES = refused(403, "This link is somebody else’s. Log out to use it.");
const LINK_IS_OVER = refused(404, "This link no longer works");
const LINK_SENT = "Please check your e-mail.";

/** Of a post by those who may not review the tour. */
const NO_POST: Answers = {
  guide: refused(400, "You cannot review your own tour"),
  "explorer without completed booking": refused(
    400,
    "You can review this tour once you have taken it: as soon as the guide marks it complete, or 24 hours after it.",
  ),
  author: refused(400, "You have already reviewed this tour"),
};
/** For anybody else there is no such page. */
const ONLY_FOR_OPERATORS: Answers = { strangers: TO_LOG_IN, users: refused(404, "Not found") };
/** Of the platform. */
const ONLY_FOR_PROGRAMS: Answers = {
  strangers: UNAUTHORIZED,
  users: refused(403, "Only a service token may do this"),
};

const opinion = () => ({ rating: 1, comment: "written in the test" });
const tourPath = ({ tour }: Pick<Scene, "tour">) => `/tours/${tour.slug}`;
const reviewPath = ({ review }: Scene) => `/reviews/${review._id.toString()}`;
const apiReviewPath = (scene: Scene) => `/api${reviewPath(scene)}`;
const apiTourPath = ({ tour }: Scene) => `/api/tours/${tour._id.toString()}`;

/** The address of a link that has posted a review. */
async function postedByLink(query = ""): Promise<string> {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  const { _id } = await makeReview(guest, tour, { comment: "We saw herons." });
  return `/review/${await makeRequest(guest, tour, { reviewId: _id })}${query}`;
}

export const REGISTER: Record<string, Route> = {
  "/": {
    readers: "anybody",
    pages: {
      tours: {},
      "tours, nothing found": { path: "/?q=submarine" },
      "tours, a word left out": { path: "/?q=lantern+submarine" },
      "tours, by day": { path: "/?from=2001-01-01&to=2098-12-31" },
      "tours, none on a day": { path: "/?q=lantern&from=2001-01-01&to=2001-01-01" },
    },
  },
  "/*": {
    path: () => "/some/where",
    readers: "anybody",
    pages: { "not found": { path: "/no-such-page" } },
  },
  "/about/reviews": { readers: "anybody", pages: { "how reviews are checked": {} } },
  "/about/reviews.json": { readers: "anybody" },
  "/tours/:slug": {
    path: tourPath,
    readers: "anybody",
    pages: {
      tour: {},
      "tour, to be booked": {
        path: async () =>
          tourPath({ tour: await makeTour({ bookingUrl: "https://tours.example.com/harbour" }) }),
      },
      "tour, filtered": { path: "/tours/porto-sarrava-by-lantern?stars=5&comments=1" },
      "tour, searched": { path: "/tours/sunset-sail-to-isola-merla?q=boat&lang=en" },
      "tour with pictures": {
        path: async () => tourPath({ tour: await makeTour({ images: await keepPictures(4) }) }),
      },
      "tour without reviews": { path: async () => tourPath({ tour: await makeTour() }) },
      "tour, write a review": { as: "explorer", path: "/tours/sunset-sail-to-isola-merla" },
      "tour, own tour": { as: "guide" },
    },
    changes: [
      {
        method: "POST",
        fields: opinion,
        sender: "booked",
        answers: {
          strangers: TO_LOG_IN_WITH_FIELDS,
          ...NO_POST,
          "other explorer": accepted(302, "/tours/:slug"),
        },
      },
    ],
  },
  "/tours/:slug/changes": {
    path: (scene) => `${tourPath(scene)}/changes`,
    readers: "anybody",
    pages: { "changes of a rating": {} },
  },
  "/tours/:slug/pictures": {
    path: (scene) => `${tourPath(scene)}/pictures`,
    readers: "anybody",
    pages: {
      "a picture": {
        path: async () =>
          `${tourPath({ tour: await makeTour({ images: await keepPictures(4) }) })}/pictures?n=2`,
      },
    },
  },
  "/tours/:slug/reviews": { path: (scene) => `${tourPath(scene)}/reviews`, readers: "anybody" },
  "/pictures/:name": { path: () => "/pictures/none.webp", readers: "anybody" },
  "/guides/:id": {
    path: ({ guide }) => `/guides/${guide._id.toString()}`,
    readers: "anybody",
    pages: { "guide as others see them": {} },
  },
  "/reviews/:id": {
    path: reviewPath,
    readers: "anybody",
    pages: { review: {}, "review, own": { as: "author" } },
  },
  "/reviews/:id/receipt": {
    path: (scene) => `${reviewPath(scene)}/receipt`,
    readers: { only: "author", others: 404 },
  },
  "/reviews/:id/edit": {
    path: (scene) => `${reviewPath(scene)}/edit`,
    readers: { only: "author", others: 403 },
    pages: { "edit review": { as: "author" }, forbidden: { as: "explorer" } },
    changes: [
      {
        method: "POST",
        intent: "save",
        fields: opinion,
        answers: {
          strangers: TO_LOG_IN_WITH_FIELDS,
          users: NOT_EDITED,
          author: accepted(302, "/reviews/:id"),
        },
      },
      {
        method: "POST",
        intent: "open",
        fields: opinion,
        answers: {
          strangers: TO_LOG_IN_WITH_FIELDS,
          users: NOT_EDITED,
          author: refused(200, "written in the test"),
        },
      },
    ],
  },
  "/reviews/:id/reply": {
    path: (scene) => `${reviewPath(scene)}/reply`,
    readers: { only: "guide", others: 403 },
    pages: { "reply to review": { as: "guide" } },
    changes: [
      {
        method: "POST",
        intent: "save",
        fields: ({ replyTag }) => ({ comment: "answered in the test", tag: replyTag }),
        sender: "guide",
        answers: {
          strangers: TO_LOG_IN_WITH_FIELDS,
          users: NO_REPLY,
          guide: accepted(302, "/reviews/:id"),
        },
      },
      {
        method: "POST",
        intent: "withdraw",
        fields: ({ replyTag }) => ({ tag: replyTag }),
        sender: "guide",
        answers: {
          strangers: TO_LOG_IN_WITH_FIELDS,
          users: NO_REPLY,
          guide: accepted(302, "/reviews/:id"),
        },
      },
    ],
  },
  "/reviews/:id/delete": {
    path: (scene) => `${reviewPath(scene)}/delete`,
    readers: { only: "author", others: 403 },
    pages: { "delete review": { as: "author" } },
    changes: [
      {
        method: "POST",
        answers: {
          strangers: TO_LOG_IN,
          users: NOT_DELETED,
          author: accepted(302, "/tours/:slug"),
        },
      },
    ],
  },
  "/login": {
    readers: "anybody",
    pages: { "log in": {} },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: ({ author }) => ({ email: author.email, password: PASSWORD }),
        answers: { everybody: accepted(302, "/") },
      },
    ],
  },
  // Only where a platform logs users in: tests/accounts/single-sign-on.http.test.ts
  "/login/return": { readers: "anybody", pages: { "no pending log-in": {} } },
  "/logout": {
    readers: "anybody",
    changes: [
      {
        method: "POST",
        answers: { strangers: refused(302, "/"), users: accepted(302, "/") },
      },
    ],
  },
  "/signup": {
    readers: "anybody",
    pages: { "sign up": {} },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: () => ({ email: "nina@example.test" }),
        answers: { everybody: accepted(200, LINK_SENT) },
      },
    ],
  },
  "/signup/:token": {
    path: ({ links }) => `/signup/${links["sign-up"]}`,
    readers: "anybody",
    pages: {
      "finish sign-up": {},
      "sign-up of an account": {
        path: async ({ author: { email } }) =>
          `/signup/${await makeLink({ _id: randomUUID(), purpose: "sign-up", email })}`,
      },
    },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: () => ({ name: "Nina New", password: PASSWORD }),
        answers: { everybody: accepted(302, "/") },
      },
    ],
  },
  "/reset": {
    readers: "anybody",
    pages: { "reset password": {} },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: ({ author }) => ({ email: author.email }),
        answers: { everybody: accepted(200, LINK_SENT) },
      },
    ],
  },
  "/reset/:token": {
    path: ({ links }) => `/reset/${links.reset}`,
    readers: "anybody",
    pages: { "new password": {}, "dead link": { path: "/reset/nothing" } },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: () => ({ newPassword: "seven blue boats" }),
        answers: { everybody: accepted(302, "/login") },
      },
    ],
  },
  "/me": {
    readers: "users",
    pages: { "my reviews": { as: "author" }, "my reviews, waiting": { as: "explorer" } },
    changes: [
      {
        method: "POST",
        fields: ({ absenceId }) => ({ absence: absenceId }),
        answers: {
          strangers: TO_LOG_IN,
          users: refused(404, "This link is not valid."),
          author: accepted(302, "/me"),
        },
      },
    ],
  },
  "/absences/:token": {
    path: ({ absence }) => `/absences/${absence}`,
    readers: "anybody",
    pages: { "were you there": {} },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: ({ absenceId }) => ({ absence: absenceId }),
        answers: { everybody: accepted(302, "/absences/:token") },
      },
    ],
  },
  "/review/:token": {
    path: ({ request }) => `/review/${request}`,
    readers: "anybody",
    pages: {
      "review by a link": {},
      "review by a link, not there": {
        path: ({ request }) => Promise.resolve(`/review/${request}?absent=1`),
      },
      "review by a link, posted": { path: () => postedByLink() },
      "review by a link, to change": { path: () => postedByLink("?change=1") },
      "review by a link, to delete": { path: () => postedByLink("?delete=1") },
      "review by a link, somebody else's": { as: "guide" },
    },
    changes: [
      {
        method: "POST",
        intent: "post",
        sender: "anybody",
        fields: opinion,
        answers: {
          strangers: accepted(302, "/review/:token"),
          users: SOMEBODY_ELSES,
          "other explorer": accepted(302, "/review/:token"),
        },
      },
      // A review that the link has posted can be changed by it; here it has posted none.
      {
        method: "POST",
        intent: "save",
        sender: "anybody",
        fields: opinion,
        answers: {
          strangers: LINK_IS_OVER,
          users: SOMEBODY_ELSES,
          "other explorer": LINK_IS_OVER,
        },
      },
      {
        method: "POST",
        intent: "delete",
        sender: "anybody",
        fields: opinion,
        answers: {
          strangers: LINK_IS_OVER,
          users: SOMEBODY_ELSES,
          "other explorer": LINK_IS_OVER,
        },
      },
      {
        method: "POST",
        intent: "absent",
        sender: "anybody",
        answers: {
          strangers: accepted(302, "/review/:token"),
          users: SOMEBODY_ELSES,
          "other explorer": accepted(302, "/review/:token"),
        },
      },
    ],
  },
  "/me/data.json": { readers: "users" },
  "/me/account": {
    readers: "users",
    pages: { account: { as: "explorer" } },
    changes: [
      {
        method: "POST",
        intent: "profile",
        fields: () => ({ name: "Another Name", image: "" }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/account") },
      },
      {
        method: "POST",
        intent: "address",
        fields: () => ({ newEmail: "another@example.test", currentPassword: PASSWORD }),
        answers: { strangers: TO_LOG_IN, users: accepted(200, LINK_SENT) },
      },
      {
        method: "POST",
        intent: "review-requests",
        fields: () => ({ reviewRequests: "none" }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/account") },
      },
      {
        method: "POST",
        intent: "reply-mails",
        fields: () => ({ replyMails: "none" }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/account") },
      },
      {
        method: "POST",
        intent: "password",
        fields: () => ({ currentPassword: PASSWORD, newPassword: "seven blue boats" }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/account") },
      },
      {
        method: "POST",
        intent: "create-token",
        fields: () => ({
          tokenName: "made in the test",
          expiry: "30",
          currentPassword: PASSWORD,
        }),
        answers: { strangers: TO_LOG_IN, users: accepted(200, "trv_") },
      },
      // The author's token: for anybody else it does not exist, which only their own session reveals.
      {
        method: "POST",
        intent: "revoke-token",
        fields: ({ tokenId }) => ({ tokenId }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/account") },
      },
    ],
  },
  "/me/account/delete": {
    readers: "users",
    pages: { "delete account": { as: "explorer" } },
    changes: [
      {
        method: "POST",
        fields: () => ({ password: PASSWORD }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/") },
      },
    ],
  },
  "/me/address/:token": {
    path: ({ links }) => `/me/address/${links.address}`,
    readers: { only: "author", others: 404 },
    pages: { "confirm address": { as: "explorer" } },
    changes: [
      {
        method: "POST",
        answers: {
          strangers: TO_LOG_IN,
          users: LINK_IS_OVER,
          author: accepted(302, "/me/account"),
        },
      },
    ],
  },
  "/me/sessions": {
    readers: "users",
    pages: { sessions: { as: "explorer" } },
    changes: [
      // The author's log-in: for anybody else it has ended already, which only their own session reveals.
      {
        method: "POST",
        intent: "end",
        fields: ({ sessionId }) => ({ session: sessionId }),
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/sessions") },
      },
      {
        method: "POST",
        intent: "end-others",
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/me/sessions") },
      },
    ],
  },
  "/report": {
    readers: "anybody",
    pages: {
      "report, by address": {},
      report: {
        path: (scene) => Promise.resolve(`/report?url=${encodeURIComponent(reviewPath(scene))}`),
      },
    },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: (world) => ({
          url: reviewPath(world),
          reason: "off-topic",
          words: "It is about a hotel.",
          name: "",
          email: "rita@example.test",
          goodFaith: "yes",
        }),
        answers: { everybody: accepted(302, "/cases/:token") },
      },
    ],
  },
  "/cases/:token": {
    path: ({ cases }) => `/cases/${cases.statement}`,
    readers: "anybody",
    pages: { "a decision, for its author": {} },
    changes: [
      {
        method: "POST",
        intent: "appeal",
        sender: "anybody",
        fields: () => ({ words: "It is my own number." }),
        answers: { everybody: accepted(302, "/cases/:token") },
      },
      {
        method: "POST",
        intent: "delete",
        sender: "anybody",
        fields: () => ({ sure: "yes" }),
        answers: { everybody: accepted(302, "/cases/:token") },
      },
    ],
  },
  "/receipts/:token": {
    path: ({ cases }) => `/receipts/${cases.mailed}`,
    readers: "anybody",
    pages: { "a receipt, by e-mail": {} },
    changes: [
      {
        method: "POST",
        intent: "open",
        sender: "anybody",
        answers: { everybody: accepted(302, "/receipts/:token") },
      },
      {
        method: "POST",
        intent: "deny",
        sender: "anybody",
        answers: { everybody: accepted(302, "/receipts/:token") },
      },
    ],
  },
  "/operator": {
    readers: { only: "operator", others: 404 },
    pages: { reports: { as: "operator" } },
    changes: [
      {
        method: "POST",
        sender: "operator",
        fields: () => ({ password: PASSWORD, to: "" }),
        answers: ONLY_FOR_OPERATORS,
      },
    ],
  },
  "/operator/cases/:id": {
    path: ({ cases }) => `/operator/cases/${cases.open}`,
    readers: { only: "operator", others: 404 },
    pages: { "a case": { as: "operator" } },
    changes: [
      {
        method: "POST",
        sender: "operator",
        fields: ({ reviewTag, replyTag }) => ({
          version: 1,
          tag: `${reviewTag} ${replyTag}`,
          reports: 1,
          appeals: 0,
          action: "keep",
          ground: "allowed",
          reference: "",
          explanation: "It is an opinion.",
        }),
        answers: ONLY_FOR_OPERATORS,
      },
    ],
  },
  "/operator/cases/:id/misuse": {
    path: ({ cases }) => `/operator/cases/${cases.decided}/misuse`,
    readers: { only: "operator", others: 404 },
    pages: { "warn or suspend": { as: "operator" } },
    changes: [
      {
        method: "POST",
        sender: "operator",
        fields: () => ({ number: 2, kind: "warning", days: 7, explanation: "Three numbers." }),
        answers: ONLY_FOR_OPERATORS,
      },
    ],
  },
  "/operator/sanctions/:id": {
    path: ({ cases }) => `/operator/sanctions/${cases.warning}`,
    readers: { only: "operator", others: 404 },
    pages: { "a warning, for operators": { as: "operator" } },
    changes: [
      {
        method: "POST",
        sender: "operator",
        fields: () => ({ appealed: "no", outcome: "taken back", explanation: "It was one." }),
        answers: ONLY_FOR_OPERATORS,
      },
    ],
  },
  "/sanctions/:token": {
    path: ({ cases }) => `/sanctions/${cases.suspension}`,
    readers: "anybody",
    pages: { "a suspension, for its account": {} },
    changes: [
      {
        method: "POST",
        intent: "appeal",
        sender: "anybody",
        fields: () => ({ words: "It was somebody else." }),
        answers: { everybody: accepted(302, "/sanctions/:token") },
      },
      {
        method: "POST",
        intent: "delete",
        sender: "anybody",
        fields: () => ({ sure: "yes" }),
        answers: { everybody: accepted(302, "/sanctions/:token") },
      },
    ],
  },
  "/sanctions/:token/data.json": {
    path: ({ cases }) => `/sanctions/${cases.suspension}/data.json`,
    readers: "anybody",
  },
  "/guide": {
    readers: "users",
    pages: {
      guide: { as: "guide" },
      "guide, chosen reviews": { as: "guide", path: "/guide?stars=4" },
    },
    changes: [
      {
        method: "POST",
        intent: "complete",
        fields: ({ tour }) => ({ tourId: tour._id.toString(), date: "" }),
        sender: "guide",
        answers: {
          strangers: TO_LOG_IN,
          users: refused(403, "You can only complete departures of your own tours"),
          guide: accepted(302, "/guide"),
        },
      },
      {
        method: "POST",
        intent: "undo",
        fields: ({ completionId }) => ({ completion: completionId }),
        sender: "guide",
        answers: {
          strangers: TO_LOG_IN,
          users: refused(403, "You can only undo what you have done"),
          guide: accepted(302, "/guide"),
        },
      },
    ],
  },
  "/guide/mail": {
    readers: "users",
    pages: { "mail settings": { as: "guide" } },
    changes: [
      {
        method: "POST",
        fields: () => ({ reviewMails: "none" }),
        sender: "guide",
        answers: { strangers: TO_LOG_IN, users: accepted(302, "/guide/mail") },
      },
    ],
  },
  "/unsubscribe/:token": {
    path: ({ unsubscribe }) => unsubscribe,
    readers: "anybody",
    pages: { unsubscribe: {} },
    changes: [
      {
        method: "POST",
        sender: "anybody",
        fields: () => ({ "List-Unsubscribe": "One-Click" }),
        answers: { everybody: accepted(200, "You are unsubscribed.") },
      },
    ],
  },
  // Belongs to the developer's own machine, and has no visitor's data.
  "/dev/mail": {
    readers: "anybody",
    pages: { "captured mails": { path: () => Promise.resolve(mailsPath()) } },
  },
  "/dev/mail/:id": {
    path: ({ review }) => `/dev/mail/${review._id.toString()}`,
    readers: "anybody",
  },
  // The page of an error that arises before Remix; it is shown at other addresses.
  "/errors/:status": { path: () => "/errors/404", readers: "anybody" },
  "/embed/tours/:slug": { path: (scene) => `/embed${tourPath(scene)}`, readers: "anybody" },
  "/tours/:slug/badge.svg": { path: (scene) => `${tourPath(scene)}/badge.svg`, readers: "anybody" },
  "/tours/:slug/reviews.atom": {
    path: (scene) => `${tourPath(scene)}/reviews.atom`,
    readers: "anybody",
  },
  "/oembed": {
    path: (scene) => `/oembed?url=${encodeURIComponent(`http://x.test${tourPath(scene)}`)}`,
    readers: "anybody",
  },
  "/robots.txt": { readers: "anybody" },
  "/changes/checkpoint": { readers: "anybody" },
  "/sitemap.xml": { readers: "anybody" },
  "/sitemap/:part": { path: () => "/sitemap/1.xml", readers: "anybody" },
  "/healthz": { readers: "anybody" },
  "/livez": { readers: "anybody" },
  // Belongs to this machine, and has no visitor's data.
  "/metrics": { readers: "anybody" },
  "/api": { readers: "anybody", pages: { "the API": {} } },
  "/api/*": { path: () => "/api/some/where", readers: "anybody" },
  "/api/openapi.json": { readers: "anybody" },
  "/api/reviews": {
    readers: "anybody",
    changes: [
      {
        method: "POST",
        fields: ({ tour }) => ({ tourId: tour._id.toString(), ...opinion() }),
        sender: "booked",
        answers: {
          strangers: UNAUTHORIZED,
          ...NO_POST,
          "other explorer": accepted(201, "Review submitted successfully"),
        },
      },
    ],
  },
  "/api/reviews/:id": {
    path: apiReviewPath,
    readers: "anybody",
    changes: [
      {
        method: "PATCH",
        fields: opinion,
        answers: {
          strangers: UNAUTHORIZED,
          users: NOT_EDITED,
          author: accepted(200, "Review updated successfully"),
        },
      },
      {
        method: "DELETE",
        answers: {
          strangers: UNAUTHORIZED,
          users: NOT_DELETED,
          author: accepted(200, "Review deleted successfully"),
        },
      },
    ],
  },
  "/api/reviews/:id/reply": {
    path: (scene) => `${apiReviewPath(scene)}/reply`,
    readers: "anybody",
    changes: [
      {
        method: "PUT",
        fields: () => ({ text: "answered in the test" }),
        sender: "guide",
        answers: {
          strangers: UNAUTHORIZED,
          users: NO_REPLY,
          guide: accepted(200, "reply"),
        },
      },
      {
        method: "DELETE",
        sender: "guide",
        answers: {
          strangers: UNAUTHORIZED,
          users: NO_REPLY,
          guide: accepted(200, "Reply deleted successfully"),
        },
      },
    ],
  },
  "/api/users/:id": {
    path: ({ guide }) => `/api/users/${guide._id.toString()}`,
    readers: "anybody",
    changes: [
      {
        method: "PUT",
        answers: ONLY_FOR_PROGRAMS,
      },
      {
        method: "DELETE",
        answers: ONLY_FOR_PROGRAMS,
      },
    ],
  },
  "/api/bookings/:id": {
    path: ({ tour }) => `/api/bookings/${tour._id.toString()}`,
    readers: "anybody",
    changes: [
      {
        method: "PUT",
        answers: ONLY_FOR_PROGRAMS,
      },
      {
        method: "PATCH",
        fields: () => ({ status: "COMPLETED" }),
        answers: ONLY_FOR_PROGRAMS,
      },
      {
        method: "DELETE",
        answers: ONLY_FOR_PROGRAMS,
      },
    ],
  },
  "/api/records": {
    readers: "anybody",
    changes: [
      {
        method: "POST",
        answers: ONLY_FOR_PROGRAMS,
      },
    ],
  },
  "/api/me/reviews": { readers: "users" },
  "/api/me/tours-to-review": { readers: "users" },
  "/api/ratings": { readers: "anybody" },
  "/api/changes": { readers: "anybody" },
  "/api/tours": { readers: "anybody" },
  "/api/tours/:id/jsonld": { path: (scene) => `${apiTourPath(scene)}/jsonld`, readers: "anybody" },
  "/api/tours/:id/changes": {
    path: (scene) => `${apiTourPath(scene)}/changes`,
    readers: "anybody",
  },
  "/api/tours/:id": {
    path: apiTourPath,
    readers: "anybody",
    changes: [
      {
        method: "PUT",
        fields: () => ({ title: "written in the test" }),
        answers: ONLY_FOR_PROGRAMS,
      },
      {
        method: "DELETE",
        answers: ONLY_FOR_PROGRAMS,
      },
    ],
  },
};

export const addressOfPattern = (pattern: string, scene: Scene) =>
  REGISTER[pattern]!.path?.(scene) ?? pattern;

/** The user whose page it is, or one of those who may read it. */
export function readerOf(pattern: string) {
  const { readers } = REGISTER[pattern]!;
  return typeof readers === "object" ? readers.only : "author";
}

/** Whether the pattern or path is answered with JSON, including errors. */
export const isApi = (pattern: string) => /^\/(api\/|(healthz|livez)$)/.test(pattern);

/** The answer to that actor; throws if the register has none. */
function answerTo(actor: Actor, answers: Answers): Answer {
  const groups = Object.entries(GROUPS) as [keyof typeof GROUPS, readonly Actor[]][];
  const group = groups.find(([name, actors]) => answers[name] && actors.includes(actor));
  const answer = answers[actor] ?? (group && answers[group[0]]);
  if (!answer) throw new Error(`The register has no answer to ${actor}`);
  return answer;
}

/** All requests that change something, by names such as `POST /me/account profile`. */
export const CHANGES = Object.entries(REGISTER).flatMap(([pattern, { changes = [] }]) =>
  changes.map(({ fields = () => ({}), sender = "author", ...change }) => {
    const { method, intent } = change;
    const api = isApi(pattern);
    const complete = {
      ...change,
      pattern,
      api,
      fields,
      /** In a world; null if everybody may send it. */
      sender: sender === "anybody" ? null : sender,
      answerTo: (actor: Actor) => answerTo(actor, change.answers),
      path: (scene: Scene) => addressOfPattern(pattern, scene),
      /** The body of its request, as `call` expects it; `more` adds fields or replaces them. */
      body(world: World, more: Record<string, string | number> = {}) {
        const own = { ...fields(world), ...more };
        if (api) return { body: own };
        const form = Object.entries({ ...own, ...(intent && { intent }) });
        return { raw: new URLSearchParams(form.map(([field, value]) => [field, String(value)])) };
      },
    };
    return [[method, pattern, intent].filter(Boolean).join(" "), complete] as const;
  }),
);
