import { AsyncLocalStorage } from "node:async_hooks";

/** What belongs to one HTTP request, wherever it is looked at. */
export interface RequestScope {
  /** Stands in every log line and on pages of failures. */
  requestId: string;
  /** Who the client is to limits; see client-address.server.ts. */
  clientAddress: string;
  /** The answer was a failure, given before the work was done. */
  abandoned?: boolean;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();
