import { randomUUID } from "node:crypto";
import { sha256 } from "~/infra/digest.server";
import { unsubscribeUrl } from "~/services/notifications/settings.server";
import { EmailLink, type LinkPurpose } from "../../models/email-link";
import { Review } from "../../models/review";
import { User } from "../../models/user";
import { demoLogins } from "../../scripts/demo/index";
import { mailsPath } from "../support/captured-mails";
import { makeTour } from "../support/factories";

// Every page that the tests look at, with the demo data.

const [explorer, author, guide] = demoLogins.map(({ email }) => email) as [string, string, string];
export const TOUR = "/tours/porto-sarrava-by-lantern";

export const findUser = async (email: string) => (await User.findOne({ email }).orFail())._id;
const newestReview = async (email: string) => {
  const review = await Review.findOne({ userId: await findUser(email) }).sort({ createdAt: -1 });
  return `/reviews/${review!._id.toString()}`;
};

/** The path of a link's page, made instead of sent; one for each project, which a newer one would end. */
async function linkFor(purpose: LinkPurpose, email: string, owner = email): Promise<string> {
  const token = randomUUID();
  const userId = purpose === "sign-up" ? undefined : await findUser(owner);
  const expiresAt = new Date(Date.now() + 60 * 60 * 1_000);
  const link = { _id: token, purpose, hash: sha256(token), email, expiresAt };
  await EmailLink.create({ ...link, ...(userId && { userId }) });
  return { "sign-up": "/signup/", reset: "/reset/", address: "/me/address/" }[purpose] + token;
}

type Path = string | (() => string | Promise<string>);
/** The address of a page of `PAGES`. */
export const addressOf = (path: Path) => (typeof path === "string" ? path : path());

interface Shown {
  as?: string;
  path: Path;
  /** The route's pattern, for a path that is made. */
  pattern?: string;
}

/**
 * By the name of its screenshot: who looks at the page, and where it is. Every route with a page is
 * among them (tests/unit/browser/all-pages.test.ts).
 */
export const PAGES: Record<string, Shown> = {
  tours: { path: "/" },
  "tours, nothing found": { path: "/?q=lantern+submarine" },
  tour: { path: TOUR },
  "tour without reviews": {
    pattern: "/tours/:slug",
    path: async () => `/tours/${(await makeTour()).slug}`,
  },
  "tour, write a review": { as: explorer, path: "/tours/sunset-sail-to-isola-merla" },
  "tour, own tour": { as: guide, path: TOUR },
  "log in": { path: "/login" },
  "sign up": { path: "/signup" },
  "finish sign-up": {
    pattern: "/signup/:token",
    path: () => linkFor("sign-up", "nora@example.test"),
  },
  "sign-up of an account": { pattern: "/signup/:token", path: () => linkFor("sign-up", explorer) },
  "reset password": { path: "/reset" },
  "new password": { pattern: "/reset/:token", path: () => linkFor("reset", explorer) },
  "dead link": { path: "/reset/nothing" },
  "my reviews": { as: author, path: "/me" },
  "my reviews, waiting": { as: explorer, path: "/me" },
  review: { pattern: "/reviews/:id", path: () => newestReview(author) },
  "review, own": { as: author, pattern: "/reviews/:id", path: () => newestReview(author) },
  "edit review": {
    as: author,
    pattern: "/reviews/:id/edit",
    path: async () => `${await newestReview(author)}/edit`,
  },
  "delete review": {
    as: author,
    pattern: "/reviews/:id/delete",
    path: async () => `${await newestReview(author)}/delete`,
  },
  account: { as: explorer, path: "/me/account" },
  sessions: { as: explorer, path: "/me/sessions" },
  "confirm address": {
    as: explorer,
    pattern: "/me/address/:token",
    path: () => linkFor("address", "amelie.new@example.test", explorer),
  },
  "delete account": { as: explorer, path: "/me/account/delete" },
  guide: { as: guide, path: "/guide" },
  "guide as others see them": {
    pattern: "/guides/:id",
    path: async () => `/guides/${(await findUser(guide)).toString()}`,
  },
  "mail settings": { as: guide, path: "/guide/mail" },
  unsubscribe: {
    pattern: "/unsubscribe/:token",
    path: async () => new URL(unsubscribeUrl(await findUser(guide))).pathname,
  },
  "captured mails": { pattern: "/dev/mail", path: mailsPath },
  "how reviews are checked": { path: "/about/reviews" },
  "not found": { path: "/no-such-page" },
  forbidden: {
    as: explorer,
    pattern: "/reviews/:id/edit",
    path: async () => `${await newestReview(author)}/edit`,
  },
};
