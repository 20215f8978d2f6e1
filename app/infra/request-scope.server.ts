import { AsyncLocalStorage } from "node:async_hooks";

/** What belongs to one HTTP request, for code that does not see the request itself. */
export interface RequestScope {
  /** Stands in every log line, in the answer's X-Request-Id and on the pages of failures. */
  requestId: string;
  /** What limits know the client by. */
  clientAddress: string;
  /** Whether the request was answered with a failure before its work was done. */
  abandoned?: boolean;
  /** What `once` has made, by key. */
  made?: Map<string, unknown>;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

/**
 * Returns what `make` returns, and the same again for that key as long as the present request lasts.
 * Outside of a request it calls `make` each time.
 */
export function once<Result>(key: string, make: () => Result): Result {
  const scope = requestScope.getStore();
  if (!scope) return make();
  const made = (scope.made ??= new Map<string, unknown>());
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as Result;
}

/** Has `once` make everything anew, because the present request has changed what it was made of. */
export function forgetMade(): void {
  requestScope.getStore()?.made?.clear();
}
