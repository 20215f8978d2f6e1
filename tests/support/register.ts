import { randomUUID } from "node:crypto";
import { keepPictures, makeBookedExplorer, makeReview, makeTour, PASSWORD } from "./factories";
import { mailsPath } from "./app";
import { makeLink, makeRequest, type Scene, type World } from "./world";

// Every route, once: its address, who may read it, what it changes and for whom, and the pages to look at.
// tests/support/register.unit.test.ts and tests/reviews/authorization.http.test.ts compare it with Remix' own list.

export const STRANGERS = [
  "nobody",
  "expired session",
  "logged-out cookie",
  "revoked token",
] as const;
const EXPLORERS = ["other explorer", "explorer without completed booking"] as const;
const AUTHOR = ["author", "author just before 24 h", "author just after 24 h"] as const;
const USERS = [...EXPLORERS, "guide", ...AUTHOR] as const;
export const ACTORS = [...STRANGERS, ...USERS] as const;
export type Actor = (typeof ACTORS)[number];

interface Cell {
  status: number;
  /**
   * An API's error or message, the target of a redirect, or words on the page. `:path` is the request's own path,
   * `:slug` the tour's slug, `:id` the review's id.
   */
  text: string;
  writes: boolean;
}
const refused = (status: number, text: string): Cell => ({ status, text, writes: false });
const done = (status: number, text: string): Cell => ({ status, text, writes: true });

/** The same answer for all of these actors. */
const all = <Name extends Actor>(names: readonly Name[], cell: Cell) =>
  Object.fromEntries(names.map((name) => [name, cell])) as Record<Name, Cell>;

const UNAUTHORIZED = all(STRANGERS, refused(401, "Unauthorized"));
/** To the log-in page, and back from there. */
const TO_LOG_IN = all(STRANGERS, refused(302, "/login?redirectTo=:path"));
/** The same, and back with what was typed. */
const CARRIED_TO_LOG_IN = all(STRANGERS, refused(307, "/login?redirectTo=:path"));
/** For requests that concern the caller only: they change the caller's own data, whatever else they name. */
const own = (status: number, text: string) => ({ ...TO_LOG_IN, ...all(USERS, done(status, text)) });
/** Open to everybody: the request needs a password, or a secret in the page's address. */
const byAnybody = (
  status: number,
  text: string,
  change: Pick<Change, "fields" | "refused" | "target"> = { refused: null },
): Change => ({ by: null, ...change, answers: all(ACTORS, done(status, text)) });

const NOT_COMPLETED =
  "You can review this tour once you have taken it: as soon as the guide marks it complete, or 24 hours after it.";
export const TOO_LATE = refused(403, "Reviews can only be edited within 24 hours of posting");
/** For operators alone: for anybody else there is no such page. */
const byOperators = (fields: Change["fields"], mistake: Change["refused"]): Change => ({
  by: "operator",
  fields,
  refused: mistake,
  answers: { ...TO_LOG_IN, ...all(USERS, refused(404, "Not found")) },
});
/** For programs of the platform alone. */
const byService = (fields: Record<string, string> = {}): Change => ({
  fields: () => fields,
  answers: { ...UNAUTHORIZED, ...all(USERS, refused(403, "Only a service token may do this")) },
});
const LINK_SENT = "Please check your e-mail.";

const NO_POST = {
  guide: refused(400, "You cannot review your own tour"),
  "explorer without completed booking": refused(400, NOT_COMPLETED),
  ...all(AUTHOR, refused(400, "You have already reviewed this tour")),
};
const edit = (cell: Cell) => ({
  ...all([...EXPLORERS, "guide"], refused(403, "You can only edit your own reviews")),
  author: cell,
  "author just before 24 h": cell,
  "author just after 24 h": TOO_LATE,
});
const deletion = (cell: Cell) => ({
  ...all([...EXPLORERS, "guide"], refused(403, "You can only delete your own reviews")),
  ...all(AUTHOR, cell),
});

/** By the link of the other explorer's e-mail, without a log-in, or with theirs. */
const byOther = (cell: Cell): Change["answers"] => ({
  ...all(STRANGERS, cell),
  ...all(USERS, refused(403, "This link is somebody else’s. Log out to use it.")),
  "other explorer": cell,
});
/** A review that the link has posted can be changed by it; here it has posted none. */
const ofPosted = (): Change => ({
  by: null,
  refused: {},
  fields: opinion,
  answers: byOther(refused(404, "This link no longer works")),
});

const reply = (cell: Cell) => ({
  ...all([...EXPLORERS, ...AUTHOR], refused(403, "Only the tour's guide can reply")),
  guide: cell,
});

/** The change by a request with this method, and this `intent` if the page has several forms. */
interface Change {
  /** The fields of its form or of its JSON body; none by default. */
  fields?: (world: World) => Record<string, string | number>;
  /** The user who may do it; null means everybody. The author by default. */
  by?: "author" | "other" | "guide" | "operator" | null;
  /** Fields with which the page's form is refused; null if everybody who may send it succeeds, none if nobody does. */
  refused?: Record<string, string> | null;
  /** Other users whose data it may change. */
  target?: keyof World;
  answers: Record<Actor, Cell>;
}

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
  /**
   * `users` are all who are logged in. A status is that of any user who may not read it.
   */
  readers: "anybody" | "users" | 403 | 404;
  /** The user whose page it is, if not the author. */
  mayRead?: "guide" | "operator";
  /** By method, and by `intent` if there is one, as in `POST profile`. */
  changes?: Record<string, Change>;
  /** By the name of its picture. Every route with a page has at least one. */
  pages?: Record<string, Shown>;
}

const opinion = () => ({ rating: 1, comment: "written in the test" });
const tourPath = ({ tour }: Pick<Scene, "tour">) => `/tours/${tour.slug}`;
const reviewPath = ({ review }: Scene) => `/reviews/${review._id.toString()}`;
const apiReviewPath = (scene: Scene) => `/api${reviewPath(scene)}`;
const apiTourPath = ({ tour }: Scene) => `/api/tours/${tour._id.toString()}`;
/** An address below, or with a query behind, that of the scene. */
const below = (path: (scene: Scene) => string, rest: string) => (scene: Scene) =>
  path(scene) + rest;
/** Anybody may read it, and it changes nothing. */
const open = (path?: Route["path"]): Route => ({ path, readers: "anybody" });

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
  "/about/reviews.json": open(),
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
    changes: {
      POST: {
        fields: opinion,
        by: "other",
        refused: { rating: "" },
        answers: {
          ...CARRIED_TO_LOG_IN,
          ...NO_POST,
          "other explorer": done(302, "/tours/:slug"),
        },
      },
    },
  },
  "/tours/:slug/changes": {
    path: below(tourPath, "/changes"),
    readers: "anybody",
    pages: { "changes of a rating": {} },
  },
  "/tours/:slug/pictures": {
    path: below(tourPath, "/pictures"),
    readers: "anybody",
    pages: {
      "a picture": {
        path: async () =>
          `${tourPath({ tour: await makeTour({ images: await keepPictures(4) }) })}/pictures?n=2`,
      },
    },
  },
  "/tours/:slug/reviews": open(below(tourPath, "/reviews")),
  "/pictures/:name": open(() => "/pictures/none.webp"),
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
  "/reviews/:id/receipt": { path: below(reviewPath, "/receipt"), readers: 404 },
  "/reviews/:id/edit": {
    path: below(reviewPath, "/edit"),
    readers: 403,
    pages: { "edit review": { as: "author" }, forbidden: { as: "explorer" } },
    changes: {
      "POST save": {
        fields: opinion,
        refused: { comment: "x".repeat(5_001) },
        answers: { ...CARRIED_TO_LOG_IN, ...edit(done(302, "/reviews/:id")) },
      },
      "POST open": {
        fields: opinion,
        refused: null,
        answers: { ...CARRIED_TO_LOG_IN, ...edit(refused(200, "written in the test")) },
      },
    },
  },
  "/reviews/:id/reply": {
    path: below(reviewPath, "/reply"),
    readers: 403,
    mayRead: "guide",
    pages: { "reply to review": { as: "guide" } },
    changes: {
      "POST save": {
        fields: ({ replyTag }) => ({ comment: "answered in the test", tag: replyTag }),
        by: "guide",
        refused: { comment: "" },
        answers: { ...CARRIED_TO_LOG_IN, ...reply(done(302, "/reviews/:id")) },
      },
      "POST withdraw": {
        fields: ({ replyTag }) => ({ tag: replyTag }),
        by: "guide",
        refused: null,
        answers: { ...CARRIED_TO_LOG_IN, ...reply(done(302, "/reviews/:id")) },
      },
    },
  },
  "/reviews/:id/delete": {
    path: below(reviewPath, "/delete"),
    readers: 403,
    pages: { "delete review": { as: "author" } },
    changes: {
      POST: { refused: null, answers: { ...TO_LOG_IN, ...deletion(done(302, "/tours/:slug")) } },
    },
  },
  "/login": {
    readers: "anybody",
    pages: { "log in": {} },
    changes: {
      POST: byAnybody(302, "/", {
        fields: ({ author }) => ({ email: author.email, password: PASSWORD }),
        refused: { password: "wrong" },
        target: "author",
      }),
    },
  },
  // Only where a platform logs users in: tests/accounts/single-sign-on.http.test.ts
  "/login/return": { readers: "anybody", pages: { "no pending log-in": {} } },
  "/logout": {
    readers: "anybody",
    changes: {
      POST: { refused: null, answers: { ...own(302, "/"), ...all(STRANGERS, refused(302, "/")) } },
    },
  },
  "/signup": {
    readers: "anybody",
    pages: { "sign up": {} },
    changes: {
      POST: byAnybody(200, LINK_SENT, {
        fields: () => ({ email: "nina@example.test" }),
        refused: { email: "" },
      }),
    },
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
    changes: {
      POST: byAnybody(302, "/", {
        fields: () => ({ name: "Nina New", password: PASSWORD }),
        refused: { name: "" },
      }),
    },
  },
  "/reset": {
    readers: "anybody",
    pages: { "reset password": {} },
    changes: {
      POST: byAnybody(200, LINK_SENT, {
        fields: ({ author }) => ({ email: author.email }),
        refused: { email: "" },
      }),
    },
  },
  "/reset/:token": {
    path: ({ links }) => `/reset/${links.reset}`,
    readers: "anybody",
    pages: { "new password": {}, "dead link": { path: "/reset/nothing" } },
    changes: {
      POST: byAnybody(302, "/login", {
        fields: () => ({ newPassword: "seven blue boats" }),
        refused: { newPassword: "" },
        target: "author",
      }),
    },
  },
  "/me": {
    readers: "users",
    pages: { "my reviews": { as: "author" }, "my reviews, waiting": { as: "explorer" } },
    changes: {
      POST: {
        fields: ({ absenceId }) => ({ absence: absenceId }),
        refused: { absence: "" },
        answers: {
          ...TO_LOG_IN,
          ...all([...EXPLORERS, "guide"], refused(404, "This link is not valid.")),
          ...all(AUTHOR, done(302, "/me")),
        },
      },
    },
  },
  "/absences/:token": {
    path: ({ absence }) => `/absences/${absence}`,
    readers: "anybody",
    pages: { "were you there": {} },
    changes: {
      POST: byAnybody(302, "/absences/:token", {
        fields: ({ absenceId }) => ({ absence: absenceId }),
        refused: { absence: "" },
      }),
    },
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
    changes: {
      "POST post": {
        by: null,
        fields: opinion,
        refused: { rating: "" },
        target: "other",
        answers: byOther(done(302, "/review/:token")),
      },
      "POST save": ofPosted(),
      "POST delete": ofPosted(),
      "POST absent": {
        by: null,
        refused: null,
        answers: byOther(done(302, "/review/:token")),
      },
    },
  },
  "/me/data.json": { readers: "users" },
  "/me/account": {
    readers: "users",
    pages: { account: { as: "explorer" } },
    changes: {
      "POST profile": {
        fields: () => ({ name: "Another Name", image: "" }),
        refused: { name: "" },
        answers: own(302, "/me/account"),
      },
      "POST address": {
        fields: () => ({ newEmail: "another@example.test", currentPassword: PASSWORD }),
        refused: { newEmail: "" },
        answers: own(200, LINK_SENT),
      },
      "POST review-requests": {
        fields: () => ({ reviewRequests: "none" }),
        refused: { reviewRequests: "" },
        answers: own(302, "/me/account"),
      },
      "POST reply-mails": {
        fields: () => ({ replyMails: "none" }),
        refused: { replyMails: "" },
        answers: own(302, "/me/account"),
      },
      "POST password": {
        fields: () => ({ currentPassword: PASSWORD, newPassword: "seven blue boats" }),
        refused: { newPassword: "" },
        answers: own(302, "/me/account"),
      },
      "POST create-token": {
        fields: () => ({
          tokenName: "made in the test",
          expiry: "30",
          currentPassword: PASSWORD,
        }),
        refused: { tokenName: "" },
        answers: own(200, "trv_"),
      },
      // The author's token: for anybody else it does not exist, which only their own session reveals.
      "POST revoke-token": {
        fields: ({ tokenId }) => ({ tokenId }),
        refused: null,
        answers: own(302, "/me/account"),
      },
    },
  },
  "/me/account/delete": {
    readers: "users",
    pages: { "delete account": { as: "explorer" } },
    changes: {
      POST: {
        fields: () => ({ password: PASSWORD }),
        refused: { password: "" },
        answers: own(302, "/"),
      },
    },
  },
  "/me/address/:token": {
    path: ({ links }) => `/me/address/${links.address}`,
    readers: 404,
    pages: { "confirm address": { as: "explorer" } },
    changes: {
      POST: {
        refused: null,
        answers: {
          ...own(302, "/me/account"),
          ...all([...EXPLORERS, "guide"], refused(404, "This link no longer works")),
        },
      },
    },
  },
  "/me/sessions": {
    readers: "users",
    pages: { sessions: { as: "explorer" } },
    changes: {
      // The author's log-in: for anybody else it has ended already, which only their own session reveals.
      "POST end": {
        fields: ({ sessionId }) => ({ session: sessionId }),
        refused: null,
        answers: own(302, "/me/sessions"),
      },
      "POST end-others": { refused: null, answers: own(302, "/me/sessions") },
    },
  },
  "/report": {
    readers: "anybody",
    pages: {
      "report, by address": {},
      report: {
        path: (scene) => Promise.resolve(`/report?url=${encodeURIComponent(reviewPath(scene))}`),
      },
    },
    changes: {
      POST: byAnybody(302, "/cases/:token", {
        fields: (world) => ({
          url: reviewPath(world),
          reason: "off-topic",
          words: "It is about a hotel.",
          name: "",
          email: "rita@example.test",
          goodFaith: "yes",
        }),
        refused: { words: "" },
      }),
    },
  },
  "/cases/:token": {
    path: ({ cases }) => `/cases/${cases.statement}`,
    readers: "anybody",
    pages: { "a decision, for its author": {} },
    changes: {
      "POST appeal": byAnybody(302, "/cases/:token", {
        fields: () => ({ words: "It is my own number." }),
        refused: { words: "" },
      }),
      "POST delete": byAnybody(302, "/cases/:token", {
        fields: () => ({ sure: "yes" }),
        refused: { sure: "" },
      }),
    },
  },
  "/receipts/:token": {
    path: ({ cases }) => `/receipts/${cases.mailed}`,
    readers: "anybody",
    pages: { "a receipt, by e-mail": {} },
    changes: {
      "POST open": byAnybody(302, "/receipts/:token"),
      "POST deny": byAnybody(302, "/receipts/:token"),
    },
  },
  "/operator": {
    readers: 404,
    mayRead: "operator",
    pages: { reports: { as: "operator" } },
    changes: {
      POST: byOperators(() => ({ password: PASSWORD, to: "" }), { password: "wrong" }),
    },
  },
  "/operator/cases/:id": {
    path: ({ cases }) => `/operator/cases/${cases.open}`,
    readers: 404,
    mayRead: "operator",
    pages: { "a case": { as: "operator" } },
    changes: {
      POST: byOperators(
        ({ reviewTag, replyTag }) => ({
          version: 1,
          tag: `${reviewTag} ${replyTag}`,
          reports: 1,
          appeals: 0,
          action: "keep",
          ground: "allowed",
          reference: "",
          explanation: "It is an opinion.",
        }),
        { explanation: "" },
      ),
    },
  },
  "/operator/cases/:id/misuse": {
    path: ({ cases }) => `/operator/cases/${cases.decided}/misuse`,
    readers: 404,
    mayRead: "operator",
    pages: { "warn or suspend": { as: "operator" } },
    changes: {
      POST: byOperators(
        () => ({ number: 2, kind: "warning", days: 7, explanation: "Three numbers." }),
        { explanation: "" },
      ),
    },
  },
  "/operator/sanctions/:id": {
    path: ({ cases }) => `/operator/sanctions/${cases.warning}`,
    readers: 404,
    mayRead: "operator",
    pages: { "a warning, for operators": { as: "operator" } },
    changes: {
      POST: byOperators(
        () => ({ appealed: "no", outcome: "taken back", explanation: "It was one." }),
        { explanation: "" },
      ),
    },
  },
  "/sanctions/:token": {
    path: ({ cases }) => `/sanctions/${cases.suspension}`,
    readers: "anybody",
    pages: { "a suspension, for its account": {} },
    changes: {
      "POST appeal": byAnybody(302, "/sanctions/:token", {
        fields: () => ({ words: "It was somebody else." }),
        refused: { words: "" },
      }),
      "POST delete": byAnybody(302, "/sanctions/:token", {
        fields: () => ({ sure: "yes" }),
        refused: { sure: "" },
      }),
    },
  },
  "/sanctions/:token/data.json": open(({ cases }) => `/sanctions/${cases.suspension}/data.json`),
  "/guide": {
    readers: "users",
    pages: {
      guide: { as: "guide" },
      "guide, chosen reviews": { as: "guide", path: "/guide?stars=4" },
    },
    changes: {
      "POST complete": {
        fields: ({ tour }) => ({ tourId: tour._id.toString(), date: "" }),
        by: "guide",
        refused: { tourId: "" },
        answers: {
          ...TO_LOG_IN,
          ...all(USERS, refused(403, "You can only complete departures of your own tours")),
          guide: done(302, "/guide"),
        },
      },
      "POST undo": {
        fields: ({ completionId }) => ({ completion: completionId }),
        by: "guide",
        refused: { completion: "" },
        answers: {
          ...TO_LOG_IN,
          ...all(USERS, refused(403, "You can only undo what you have done")),
          guide: done(302, "/guide"),
        },
      },
    },
  },
  "/guide/mail": {
    readers: "users",
    pages: { "mail settings": { as: "guide" } },
    changes: {
      POST: {
        fields: () => ({ reviewMails: "none" }),
        by: "guide",
        refused: { reviewMails: "" },
        answers: own(302, "/guide/mail"),
      },
    },
  },
  "/unsubscribe/:token": {
    path: ({ unsubscribe }) => unsubscribe,
    readers: "anybody",
    pages: { unsubscribe: {} },
    changes: {
      POST: byAnybody(200, "You are unsubscribed.", {
        fields: () => ({ "List-Unsubscribe": "One-Click" }),
        refused: { "List-Unsubscribe": "" },
        target: "guide",
      }),
    },
  },
  // Belongs to the developer's own machine, and has no visitor's data.
  "/dev/mail": {
    readers: "anybody",
    pages: { "captured mails": { path: () => Promise.resolve(mailsPath()) } },
  },
  "/dev/mail/:id": open(({ review }) => `/dev/mail/${review._id.toString()}`),
  // The page of an error that arises before Remix; it is shown at other addresses.
  "/errors/:status": open(() => "/errors/404"),
  "/embed/tours/:slug": open((scene) => `/embed${tourPath(scene)}`),
  "/tours/:slug/badge.svg": open(below(tourPath, "/badge.svg")),
  "/tours/:slug/reviews.atom": open(below(tourPath, "/reviews.atom")),
  "/oembed": open(
    (scene) => `/oembed?url=${encodeURIComponent(`http://x.test${tourPath(scene)}`)}`,
  ),
  "/robots.txt": open(),
  "/changes/checkpoint": open(),
  "/sitemap.xml": open(),
  "/sitemap/:part": open(() => "/sitemap/1.xml"),
  "/healthz": open(),
  "/livez": open(),
  // Belongs to this machine, and has no visitor's data.
  "/metrics": open(),
  "/api": { readers: "anybody", pages: { "the API": {} } },
  "/api/*": open(() => "/api/some/where"),
  "/api/openapi.json": open(),
  "/api/reviews": {
    readers: "anybody",
    changes: {
      POST: {
        fields: ({ tour }) => ({ tourId: tour._id.toString(), ...opinion() }),
        by: "other",
        answers: {
          ...UNAUTHORIZED,
          ...NO_POST,
          "other explorer": done(201, "Review submitted successfully"),
        },
      },
    },
  },
  "/api/reviews/:id": {
    path: apiReviewPath,
    readers: "anybody",
    changes: {
      PATCH: {
        fields: opinion,
        answers: { ...UNAUTHORIZED, ...edit(done(200, "Review updated successfully")) },
      },
      DELETE: {
        answers: { ...UNAUTHORIZED, ...deletion(done(200, "Review deleted successfully")) },
      },
    },
  },
  "/api/reviews/:id/reply": {
    path: below(apiReviewPath, "/reply"),
    readers: "anybody",
    changes: {
      PUT: {
        fields: () => ({ text: "answered in the test" }),
        by: "guide",
        answers: { ...UNAUTHORIZED, ...reply(done(200, "reply")) },
      },
      DELETE: {
        by: "guide",
        answers: { ...UNAUTHORIZED, ...reply(done(200, "Reply deleted successfully")) },
      },
    },
  },
  "/api/users/:id": {
    path: ({ guide }) => `/api/users/${guide._id.toString()}`,
    readers: "anybody",
    changes: { PUT: byService(), DELETE: byService() },
  },
  "/api/bookings/:id": {
    path: ({ tour }) => `/api/bookings/${tour._id.toString()}`,
    readers: "anybody",
    changes: {
      PUT: byService(),
      PATCH: byService({ status: "COMPLETED" }),
      DELETE: byService(),
    },
  },
  "/api/records": { readers: "anybody", changes: { POST: byService() } },
  "/api/me/reviews": { readers: "users" },
  "/api/me/tours-to-review": { readers: "users" },
  "/api/ratings": open(),
  "/api/changes": open(),
  "/api/tours": open(),
  "/api/tours/:id/jsonld": open(below(apiTourPath, "/jsonld")),
  "/api/tours/:id/changes": open(below(apiTourPath, "/changes")),
  "/api/tours/:id": {
    path: apiTourPath,
    readers: "anybody",
    changes: { PUT: byService({ title: "written in the test" }), DELETE: byService() },
  },
};

export const addressOfPattern = (pattern: string, scene: Scene) =>
  REGISTER[pattern]!.path?.(scene) ?? pattern;

/** Whether the pattern or path is answered with JSON, including errors. */
export const isApi = (pattern: string) => /^\/(api\/|(healthz|livez)$)/.test(pattern);

/** All requests that change something, by names such as `POST /me/account profile`. */
export const MUTATIONS = Object.entries(REGISTER).flatMap(([pattern, { changes = {} }]) =>
  Object.entries(changes).map(([kind, change]) => {
    const [method, intent] = kind.split(" ") as [string, string?];
    const api = isApi(pattern);
    const { fields = () => ({}), by = "author" } = change;
    const mutation = {
      ...change,
      pattern,
      method,
      intent,
      api,
      fields,
      by,
      path: (scene: Scene) => addressOfPattern(pattern, scene),
      /** The body of its request, as `call` expects it; `more` adds fields or replaces them. */
      body(world: World, more: Record<string, string | number> = {}) {
        const own = { ...fields(world), ...more };
        if (api) return { body: own };
        const form = Object.entries({ ...own, ...(intent && { intent }) });
        return { raw: new URLSearchParams(form.map(([field, value]) => [field, String(value)])) };
      },
    };
    return [[method, pattern, intent].filter(Boolean).join(" "), mutation] as const;
  }),
);
