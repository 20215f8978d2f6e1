import { AsyncLocalStorage } from "node:async_hooks";

/** What belongs to one HTTP request, for code that does not see the request itself. */
export interface RequestScope {
  /** Stands in every log line, in the answer's X-Request-Id and on the pages of failures. */
  requestId: string;
  /** The trusted proxy's own id of the request, which stands in every log line too. */
  proxyRequestId?: string | undefined;
  /** How limits identify the client. */
  clientAddress: string;
  /** What the answer's `Allow` says when the guard has refused the method. */
  allow?: string;
  /** The network of that address, to be shown to people; absent when the address is not known. */
  network?: string | undefined;
  userAgent?: string | undefined;
  /** The id of the current user, once it is known. */
  userId?: string;
  /** Whether a program of this machine sent it, to the loopback address, and no proxy for another. */
  fromThisMachine?: boolean;
  /** Whether the request was answered with a failure before its work was done. */
  abandoned?: boolean;
  /** What `oncePerRequest` has looked up, by key. */
  cache?: Map<string, unknown>;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

/**
 * Returns what `lookUp` returns, and the same again for that key during the present request. Outside of
 * a request it calls `lookUp` each time.
 */
export function oncePerRequest<Result>(key: string, lookUp: () => Result): Result {
  const scope = requestScope.getStore();
  if (!scope) return lookUp();
  const cache = (scope.cache ??= new Map<string, unknown>());
  if (!cache.has(key)) cache.set(key, lookUp());
  return cache.get(key) as Result;
}

/** Empties the cache of `oncePerRequest`, because the present request has changed what it holds. */
export function clearRequestCache(): void {
  requestScope.getStore()?.cache?.clear();
}
