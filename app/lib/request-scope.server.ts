import { AsyncLocalStorage } from "node:async_hooks";
import type { Types } from "mongoose";
import type { TourDocument } from "#models/tour";

/** A page for a visitor without a session, which may be kept (app/server/cached-pages.server.ts). */
interface ShownPage extends Cacheable {
  /** With its query. */
  address: string;
  /** When its request came, in milliseconds since 1970. */
  since: number;
  /** Names what this process knew then. */
  known: string;
  /** Those of the tours with which the page changed when it was last made, as they were then. */
  states: TourState[];
}

/** One state of a tour, which `hash` names. */
export interface TourState {
  _id: Types.ObjectId;
  hash: string;
  tour: TourDocument;
}

/** Contents of a page that say whether it may be kept. */
export interface Cacheable {
  /** The tours with which the page changes; null if it is not to be kept. */
  dependsOn: readonly { _id: Types.ObjectId }[] | null;
}

/** Tells code that does not see the request itself about it. */
export interface RequestScope {
  requestId: string;
  proxyRequestId?: string | undefined;
  clientAddress: string;
  userAgent?: string | undefined;
  userId?: string;
  /** The id of the service token that the request has shown. */
  serviceToken?: string;
  /** Whether a program of this machine sent it, to the loopback address, and no proxy for another. */
  fromThisMachine?: boolean;
  /** Its signal aborts when the request is answered with a failure before its work is done. */
  abort?: AbortController;
  /** When the database must have been asked to commit its changes, as `performance.now()` counts. */
  changesUntil?: number;
  /** Whether the database was asked to commit a change of it: from then on nothing says that none is stored. */
  mayBeStored?: boolean | undefined;
  /** The page that is being made, if it may be kept. */
  page?: ShownPage | undefined;
  cache?: Map<string, unknown>;
}

/** Undefined for work outside of requests, and for work that several of them share. */
export const requestScope = new AsyncLocalStorage<RequestScope | undefined>();

export const isAborted = (scope: RequestScope | undefined) => scope?.abort?.signal.aborted ?? false;

/** Returns the same result for that key during the present request; outside of one it calls `lookUp` each time. */
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
