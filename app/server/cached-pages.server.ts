import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Types } from "mongoose";
import { Tour, type TourDocument } from "#models/tour";
import { batchLoader } from "~/db/batch-loader.server";
import { authorsForgotten } from "~/accounts/people.server";
import { cached, estimatedBytes, inOwnMemory } from "~/lib/cache.server";
import { entityTag, sha256, strongETag } from "~/lib/digest.server";
import {
  type Cacheable,
  isAborted,
  requestScope,
  type TourState,
} from "~/lib/request-scope.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import { nextDeparture } from "~/tours/departures.server";
import { accepts, sendCached } from "./api.server";
import { matchesETag } from "./review-form.server";
import { SESSION_COOKIE } from "./session.server";

// Pages for visitors without a session: docs/decisions/004-list-cache-by-version.md

/** Maximum age of a page: names, counted words and the day have no version. */
const AGE_MS = 10_000;

const PAGES = /^\/(?:$|\?|(?:tours|guides|reviews)\/)/i;
const LONGEST_QUERY = 200;

interface CachedPage {
  etag: string;
  headers: [string, string][];
  body: Buffer;
  gzip: Buffer | null;
  /** Names what this process knew before the page was made. */
  known: string;
  /** The hashes of the states that its tours had before it was made. */
  states: string[];
  until: number;
}

const pages = cached<CachedPage>({
  name: "pages",
  maxBytes: 20 * 1024 * 1024,
  bytesOf: ({ body, gzip, ...rest }) => body.length + (gzip?.length ?? 0) + estimatedBytes(rest),
});

/** The tours with which the page of an address changed when it was last made. */
const toursOfPages = cached<Types.ObjectId[]>({ name: "tours of pages", maxBytes: 1024 * 1024 });

/**
 * Answers with a page that is kept and still true, or says that the client has it. Otherwise returns false, and the
 * page may be kept if its loader calls `cacheable`: from the second time on, when its tours are known, whose states are
 * read before all that it shows. A page may be newer than these states, never older.
 */
export async function answerFromCache(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { url = "", headers } = request;
  const query = url.split("?", 2)[1] ?? "";
  // Any session cookie, valid or not, bypasses the cache.
  if (headers.cookie?.includes(SESSION_COOKIE)) return false;
  if (!PAGES.test(url) || query.length > LONGEST_QUERY) return false;
  const scope = requestScope.getStore();
  if (!scope) return false;
  const since = Date.now();
  const known = knownFor(url);
  // Where the database fails, the page says so as any other does.
  const states = await readStates(toursOfPages.get(url) ?? []).catch(() => []);
  if (isAborted(scope)) return true;
  const hashes = new Set(states.map(({ hash }) => hash));
  const page = pages.get(url);
  const isTrue = page?.known === known && page.states.every((hash) => hashes.has(hash));
  if (!isTrue || page.until <= since) {
    scope.page = { address: url, since, known, states, dependsOn: null };
    return false;
  }
  const isUnchanged = matchesETag(headers["if-none-match"], page.etag);
  for (const [name, value] of page.headers) response.setHeader(name, value);
  if (isUnchanged) response.writeHead(304).end();
  else sendCached(request, response, accepts(request, "gzip") ? await compressed(url, page) : page);
  return true;
}

/** The page with its gzip, which is made for the first who takes it. */
async function compressed(address: string, page: CachedPage): Promise<CachedPage> {
  if (page.gzip) return page;
  const both = { ...page, gzip: inOwnMemory([await promisify(gzip)(page.body)]) };
  // A newer one may have taken its place. As another object, the page is counted anew.
  if (pages.peek(address) === page) pages.set(address, both);
  return both;
}

/** Lets the present request's page be kept while the tours stay as they are that it depends on; returns its contents. */
export function cacheable<Contents extends Cacheable>({ dependsOn, ...contents }: Contents) {
  const page = requestScope.getStore()?.page;
  if (page) page.dependsOn = dependsOn;
  return contents;
}

/**
 * Keeps the page that was rendered for the present request if it may be kept, and gives it the headers with which a
 * browser asks for it anew. Returns whether the client has it.
 */
export function cacheRendered(request: Request, headers: Headers, body: Buffer): boolean {
  const page = requestScope.getStore()?.page;
  if (!page?.dependsOn?.length || headers.has("Set-Cookie")) return false;
  const etag = strongETag(entityTag(body));
  headers.set("ETag", etag);
  headers.set("Cache-Control", "private, no-cache");
  headers.set("Vary", "Cookie, Accept-Encoding");
  const { address, since, known, dependsOn } = page;
  toursOfPages.set(
    address,
    dependsOn.map(({ _id }) => _id),
  );
  const states = page.states.filter(({ _id }) => dependsOn.some((tour) => tour._id.equals(_id)));
  // The development server's next code would show other pages.
  if (states.length === dependsOn.length && process.env.NODE_ENV !== "development")
    pages.set(address, {
      ...{ known, etag, headers: [...headers], body, gzip: null },
      states: states.map(({ hash }) => hash),
      until: Math.min(since + AGE_MS, ...states.map(({ tour }) => nextDeparture(tour, since))),
    });
  return matchesETag(request.headers.get("If-None-Match"), etag);
}

/** Names what this process knows beside the database. */
const knownFor = (address: string) =>
  `${authorsForgotten()} ${/^\/\w/.test(address) ? "" : tourRefresh.version}`;

/** Returns the states of those that are there. */
const readStates = async (tours: Types.ObjectId[]): Promise<TourState[]> =>
  (await Promise.all(tours.map(loadState))).filter((state) => state !== null);

const loadState = batchLoader(async (ids) =>
  (await Tour.find({ _id: { $in: ids } }).lean<TourDocument[]>()).map(toState),
);

const toState = (tour: TourDocument): TourState => ({
  _id: tour._id,
  hash: sha256(JSON.stringify(tour)),
  tour,
});
