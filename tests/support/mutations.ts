import { readFile } from "node:fs/promises";
import type { ActionFunction } from "@remix-run/node";
import { createToken, listTokens } from "~/services/accounts/tokens.server";
import { unsubscribeUrl } from "~/services/notifications/settings.server";
import { listSessions } from "~/services/accounts/sessions.server";
import { sha256 } from "~/infra/digest.server";
import { AccessToken } from "../../models/access-token";
import { CONFIRMED } from "../../models/booking";
import { EmailLink, LINK_PURPOSES, type LinkPurpose } from "../../models/email-link";
import type { ReviewDocument } from "../../models/review";
import type { UserDocument } from "../../models/user";
import { sessionOf } from "./app";
import {
  as,
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "./factories";
import { isApi, ROUTES } from "./manifest";

// Every request that changes something, and what it takes to do so.

/** A tour with a review, and everybody who may want something of them. */
export async function makeWorld(review: Partial<ReviewDocument> = {}) {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id });
  const author = await makeBookedExplorer(tour, { name: "Ann Author" });
  const other = await makeBookedExplorer(tour, { name: "Otto Other" });
  const unbooked = await makeUser({ name: "Una Unbooked" });
  await makeBooking(unbooked, tour, { status: CONFIRMED });
  await createToken(author.email, "Laptop");
  const {
    items: [laptop],
  } = await listTokens(as(author));
  await sessionOf(author);
  const [session] = await listSessions(as(author), "");
  return {
    guide,
    tour,
    author,
    other,
    unbooked,
    review: await makeReview(author, tour, { comment: "as it was", ...review }),
    tokenId: laptop!.id,
    sessionId: session!.id,
    /** The tokens of links: for Nina's sign-up, and for the author's reset and change of address. */
    links: await makeLinks(author),
    /** The page that ends the guide's mails, whoever sends its form. */
    unsubscribe: new URL(unsubscribeUrl(guide._id)).pathname,
  };
}

async function makeLinks({ _id, email }: UserDocument): Promise<Record<LinkPurpose, string>> {
  const emails = { "sign-up": "nina@example.test", reset: email, address: "ann.new@example.test" };
  const links = LINK_PURPOSES.map((purpose) => ({
    _id: `${purpose} ${_id.toString()}`,
    purpose,
    hash: sha256(`${purpose}-${_id.toString()}`),
    email: emails[purpose],
    ...(purpose !== "sign-up" && { userId: _id }),
    expiresAt: new Date(Date.now() + 60 * 60 * 1_000),
  }));
  await EmailLink.create(links);
  return Object.fromEntries(
    LINK_PURPOSES.map((purpose) => [purpose, `${purpose}-${_id.toString()}`]),
  ) as Record<LinkPurpose, string>;
}

export type World = Awaited<ReturnType<typeof makeWorld>>;

export interface Mutation {
  method: string;
  path: (world: World) => string;
  /** The fields of its form or of its JSON body. */
  fields: (world: World) => Record<string, string | number>;
  /** Who of the world may do it. */
  by: "author" | "other" | "guide" | null;
}

const opinion = { rating: 1, comment: "written in the test" };
const reviewPath = ({ review }: World) => review._id.toString();

/** What changes something, by method, pattern and, where a page has more than one, `intent`. */
export const MUTATIONS: Record<string, Mutation> = {
  "POST /api/reviews": {
    method: "POST",
    path: () => "/api/reviews",
    fields: ({ tour }) => ({ tourId: tour._id.toString(), ...opinion }),
    by: "other",
  },
  "PATCH /api/reviews/:id": {
    method: "PATCH",
    path: (world) => `/api/reviews/${reviewPath(world)}`,
    fields: () => opinion,
    by: "author",
  },
  "DELETE /api/reviews/:id": {
    method: "DELETE",
    path: (world) => `/api/reviews/${reviewPath(world)}`,
    fields: () => ({}),
    by: "author",
  },
  "POST /tours/:slug": page(
    ({ tour }) => `/tours/${tour.slug}`,
    () => opinion,
    "other",
  ),
  "POST /reviews/:id/edit": page(
    (world) => `/reviews/${reviewPath(world)}/edit`,
    () => opinion,
  ),
  "POST /reviews/:id/delete": page((world) => `/reviews/${reviewPath(world)}/delete`),
  "POST /login": page(
    () => "/login",
    ({ author }) => ({ email: author.email, password: PASSWORD }),
    null,
  ),
  "POST /signup": page(
    () => "/signup",
    () => ({ email: "nina@example.test" }),
    null,
  ),
  "POST /signup/:token": page(
    ({ links }) => `/signup/${links["sign-up"]}`,
    () => ({ name: "Nina New", password: PASSWORD }),
    null,
  ),
  "POST /reset": page(
    () => "/reset",
    ({ author }) => ({ email: author.email }),
    null,
  ),
  "POST /reset/:token": page(
    ({ links }) => `/reset/${links.reset}`,
    () => ({ newPassword: "seven blue boats" }),
    null,
  ),
  "POST /logout": page(() => "/logout"),
  "POST /me/account profile": page(
    () => "/me/account",
    () => ({ name: "Another Name", image: "" }),
  ),
  "POST /me/account address": page(
    () => "/me/account",
    () => ({ newEmail: "another@example.test", currentPassword: PASSWORD }),
  ),
  "POST /me/address/:token": page(({ links }) => `/me/address/${links.address}`),
  "POST /me/sessions end": page(
    () => "/me/sessions",
    ({ sessionId }) => ({ session: sessionId }),
  ),
  "POST /me/sessions end-others": page(() => "/me/sessions"),
  "POST /me/account password": page(
    () => "/me/account",
    () => ({ currentPassword: PASSWORD, newPassword: "seven blue boats" }),
  ),
  "POST /me/account create-token": page(
    () => "/me/account",
    () => ({ tokenName: "made in the test", expiry: "30", currentPassword: PASSWORD }),
  ),
  "POST /me/account revoke-token": page(
    () => "/me/account",
    ({ tokenId }) => ({ tokenId }),
  ),
  "POST /me/account/delete": page(
    () => "/me/account/delete",
    () => ({ password: PASSWORD }),
  ),
  "POST /guide complete": page(
    () => "/guide",
    ({ tour }) => ({ tourId: tour._id.toString(), date: "" }),
    "guide",
  ),
  "POST /guide/mail": page(
    () => "/guide/mail",
    () => ({ reviewMails: "none" }),
    "guide",
  ),
  "POST /unsubscribe/:token": page(
    ({ unsubscribe }) => unsubscribe,
    () => ({ "List-Unsubscribe": "One-Click" }),
    null,
  ),
};

function page(
  path: Mutation["path"],
  fields: Mutation["fields"] = () => ({}),
  by: Mutation["by"] = "author",
): Mutation {
  return { method: "POST", path, fields, by };
}

/** An address of that pattern which names what is there. */
export function addressOf(
  pattern: string,
  { guide, tour, review, unsubscribe, links }: World,
): string {
  return pattern
    .replace("*", "some/where")
    .replace("/signup/:token", `/signup/${links["sign-up"]}`)
    .replace("/reset/:token", `/reset/${links.reset}`)
    .replace("/me/address/:token", `/me/address/${links.address}`)
    .replace("/unsubscribe/:token", unsubscribe)
    .replace(":slug", tour.slug)
    .replace(":status", "404")
    .replace(":name", "sea-0.svg")
    .replace("sitemap/:part", "sitemap/1.xml")
    .replace("guides/:id", `guides/${guide._id.toString()}`)
    .replace("tours/:id", `tours/${tour._id.toString()}`)
    .replace(":id", review._id.toString());
}

/** Method and pattern of a mutation's name, and its `intent`. */
export function parts(name: string) {
  const [method, pattern, intent] = name.split(" ") as [string, string, string?];
  return { method, pattern, intent, api: isApi(pattern) };
}

/** The body of a mutation's request, as `call` takes it. */
export function bodyOf(name: string, fields: Record<string, string | number>) {
  const { api, intent } = parts(name);
  if (api) return { body: fields };
  const form = Object.entries({ ...fields, ...(intent && { intent }) });
  return { raw: new URLSearchParams(form.map(([field, value]) => [field, String(value)])) };
}

interface RouteModule {
  action?: ActionFunction;
  /** What a page with several forms on one action tells apart, by their field `intent`. */
  INTENTS?: readonly string[];
}

/** The names that the routes' modules ask for: a new action or `intent` has no entry above. */
export async function findMutations(): Promise<string[]> {
  const names = ROUTES.map(async ({ pattern, file }) => {
    const { action, INTENTS } = (await import(/* @vite-ignore */ file)) as RouteModule;
    if (!action) return [];
    if (isApi(pattern)) return (await methodsOf(action)).map((method) => `${method} ${pattern}`);
    if (INTENTS) return INTENTS.map((intent) => `POST ${pattern} ${intent}`);
    if ((await readFile(file, "utf8")).includes('"intent"'))
      throw new Error(`${file} reads an intent and has to export INTENTS`);
    return [`POST ${pattern}`];
  });
  return (await Promise.all(names)).flat().sort();
}

/** The writing methods that a resource route's answer to another one allows. */
async function methodsOf(action: ActionFunction): Promise<string[]> {
  const request = new Request("http://localhost/", { method: "OPTIONS" });
  const { headers } = (await action({ request, params: {}, context: {} })) as Response;
  const allowed = headers.get("Allow")?.split(", ") ?? [];
  return allowed.filter((method) => !["GET", "HEAD"].includes(method));
}

/** Marks every token as used just now, which its next use then does not write again. */
export async function touchTokens(): Promise<void> {
  await AccessToken.updateMany({}, { $set: { lastUsedAt: new Date() } });
}
