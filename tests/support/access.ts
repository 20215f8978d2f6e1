import type { Scene, World } from "./world";

// The words of the tables in tests/routes, which say for every route who may read it and change something by it.

/**
 * Users of the world: the author of its review, one who may review the tour, one whose booking is not completed, the
 * tour's guide, and an operator.
 */
export const USERS = ["author", "booked", "unbooked", "guide", "operator"] as const;
export type User = (typeof USERS)[number];

/** The answer to a request. */
export interface Answer {
  status: number;
  /** An API's error or message, the target of a redirect, or words on the page; `path` is that of the request. */
  text: string | RegExp | ((world: World, path: string) => string);
  /** Whether it changes anything. */
  writes: boolean;
}
export const accepted = (status: number, text: Answer["text"]) => ({ status, text, writes: true });
export const refused = (status: number, text: Answer["text"]) => ({ status, text, writes: false });

/** A request that changes something, and its answers. The row of a user counts before that of all `users`. */
export interface Change extends Partial<Record<User, Answer>> {
  /** The fields of its form or of its JSON body; none by default. */
  fields?: Fields | ((world: World) => Fields);
  strangers: Answer;
  users: Answer;
}
type Fields = Record<string, string | number>;

/** A page to look at, with the demo data. */
interface Page {
  /** The demo log-in that sees it. */
  as?: "explorer" | "author" | "guide" | "operator";
  /** If it is not the route's. */
  address?: string | ((scene: Scene & { author: { email: string } }) => string | Promise<string>);
}

/** The table of a route. */
export interface Access {
  /** Its address, if it has parameters. */
  address?: string | ((scene: Scene) => string);
  /** `users` are all who are logged in. `only` is the user whose page it is, and `others` the status for other users. */
  readers: "anybody" | "users" | { only: "author" | "guide" | "operator"; others: 403 | 404 };
  /** By the names of their pictures. A route with a page has at least one. */
  pages?: Record<string, Page>;
  /** By the method, and the `intent` of the form if the page has several: `PUT`, `POST`, `POST save`. */
  changes?: Record<string, Change>;
}

export const everybody = (answer: Answer) => ({ strangers: answer, users: answer });

export const UNAUTHORIZED = refused(401, "Unauthorized");
const loginAddress = (_: World, path: string) => `/login?redirectTo=${encodeURIComponent(path)}`;
export const TO_LOG_IN = refused(302, loginAddress);
/** To the log-in page with the fields, which come back from there. */
export const TO_LOG_IN_WITH_FIELDS = refused(307, loginAddress);

export const TOO_LATE = refused(403, "Reviews can only be edited within 24 hours of posting");
export const NOT_EDITED = refused(403, "You can only edit your own reviews");
export const NOT_DELETED = refused(403, "You can only delete your own reviews");
export const NO_REPLY = refused(403, "Only the tour's guide can reply");
export const LINK_IS_OVER = refused(404, "This link no longer works");
export const LINK_SENT = accepted(200, "Please check your e-mail.");

/** Of users who may not review the tour. */
export const NOT_POSTED = {
  users: refused(
    400,
    "You can review this tour once you have taken it: as soon as the guide marks it complete, or 24 hours after it.",
  ),
  author: refused(400, "You have already reviewed this tour"),
  guide: refused(400, "You cannot review your own tour"),
};
/** For anybody else there is no such page. */
export const ONLY_FOR_OPERATORS = { strangers: TO_LOG_IN, users: refused(404, "Not found") };
/** Of the platform. */
export const ONLY_FOR_PROGRAMS = {
  strangers: UNAUTHORIZED,
  users: refused(403, "Only a service token may do this"),
};

export const opinion = { rating: 1, comment: "written in the test" };
export const tourAddress = ({ tour }: Pick<Scene, "tour">) => `/tours/${tour.slug}`;
export const reviewAddress = ({ review }: Pick<Scene, "review">) =>
  `/reviews/${review._id.toString()}`;
