import type { z } from "zod";
import { countWrite } from "~/accounts/caller.server";
import type { CurrentUser } from "~/accounts/users.server";
import { platformId } from "~/db/platform-ids.server";
import type { LimitState } from "~/lib/errors.server";
import { parseInput } from "~/lib/validation.server";
import { percentDecoded } from "~/lib/percent-encoding";
import { currentUser } from "./current-user.server";

/** A request as a route of the API gets it: making Remix's `Request` would cost more than most answers. */
export interface ApiCall {
  request: Pick<Request, "method" | "url" | "headers">;
  url: URL;
  params: Record<string, string | undefined>;
  body: Buffer | null;
}

/** JSON that is kept in memory, as it is and, where that saves something, compressed. */
export interface CachedJson {
  body: Buffer;
  gzip: Buffer | null;
}

interface JsonParts {
  parts: () => AsyncIterable<string>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** JSON; null where the status allows no body. */
  body: string | CachedJson | JsonParts | null;
}

/** The request as a handler sees it. */
export interface ApiRequest<Query> extends Pick<ApiCall, "request" | "url"> {
  /** The id in the path: of a platform's record, as we store it. Empty where the path has none. */
  id: string;
  user: () => Promise<CurrentUser | null>;
  /** The same for a change, which is counted. Throws `ServiceError` 401 where nobody is named, and 429. */
  writer: () => Promise<CurrentUser | null>;
  /** The same without waiting for the count: `counted` throws what `writer` would. */
  writerAtOnce: () => Promise<{ user: CurrentUser | null; counted: Promise<unknown> }>;
  /** Parses the query by the operation's schema. Throws `ServiceError` 400 for a wrong one. */
  query: () => Query;
  /** The tags that `If-Match` names; undefined when any state will do (docs/rules/reviews.md, If-Match). */
  ifMatch: () => string[] | undefined;
  /** The parsed body; `undefined` when there is none or it is not JSON in UTF-8. */
  body: () => unknown;
  /** The body as it was sent. */
  text: () => string;
  /** Says what is answered instead of a 500 when the deadline passes. */
  whenLate: (answer: () => ApiAnswer) => void;
}

/** State that the handler's request leaves for its answer. */
export interface FoundMeanwhile {
  /** The limit that the request was counted for. */
  limit?: LimitState;
  late?: () => ApiAnswer;
}

/** Makes a handler's request, which notes in `found` what its answer depends on. */
export function apiRequest(
  { request, url, params, body }: ApiCall,
  query: z.ZodType | undefined,
  found: FoundMeanwhile,
): ApiRequest<unknown> {
  const writerAtOnce = async () => {
    const user = await currentUser(request);
    const counted = countWrite(user).then((limit) => (found.limit = limit));
    // A handler may wait for something else before it waits for the count.
    counted.catch(() => {});
    return { user, counted };
  };
  return {
    request,
    url,
    id: idInPath(params.id, url),
    user: () => currentUser(request),
    writerAtOnce,
    async writer() {
      const { user, counted } = await writerAtOnce();
      await counted;
      return user;
    },
    query: () => query && parseInput(query, queryParameters(url)),
    ifMatch: () => tagsOfIfMatch(request),
    body: () => parsedJson(body),
    text: () => utf8Text(body),
    whenLate: (answer) => (found.late = answer),
  };
}

/** The four operations know only our own ids; a user, tour or booking has its platform's, too. */
function idInPath(id: string | undefined, { pathname }: URL): string {
  if (id === undefined || /^\/api\/reviews\//i.test(pathname)) return id ?? "";
  // Not the parameter, in which `%2F` has become `/` even where it was a part of the id.
  return platformId(percentDecoded(pathname.split("/")[3] ?? "")) ?? "";
}

/** The parameters of a query; the first of those with the same name. */
const queryParameters = ({ searchParams }: URL): Record<string, string> =>
  Object.fromEntries([...searchParams].reverse());

/** Weak tags never match (RFC 9110, 13.1.1). The part after "." describes the author and is ignored. */
function tagsOfIfMatch(request: ApiCall["request"]): string[] | undefined {
  const header = request.headers.get("If-Match");
  if (header === null || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => /^"([^".]*)(?:\.[^"]*)?"$/.exec(tag.trim())?.[1] ?? []);
}

function parsedJson(body: Buffer | null): unknown {
  try {
    return JSON.parse(utf8Text(body));
  } catch {
    return undefined;
  }
}

/** Empty where it is not UTF-8. */
function utf8Text(body: Buffer | null): string {
  try {
    // The decoder drops a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(body ?? undefined);
  } catch {
    return "";
  }
}
