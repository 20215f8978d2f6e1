import type { HeadersFunction } from "@remix-run/node";
import { RateLimitError } from "~/lib/errors.server";

export function retryAfterHeader(refusal: unknown): Record<string, string> {
  return refusal instanceof RateLimitError ? { "Retry-After": String(refusal.retryAfter) } : {};
}

/**
 * The `headers` of the root and of every page with an action. Without them Remix drops all headers of an action but
 * its cookies.
 */
export const headers: HeadersFunction = ({ actionHeaders, errorHeaders }) => {
  const retryAfter = (errorHeaders ?? actionHeaders).get("Retry-After");
  return new Headers(retryAfter ? { "Retry-After": retryAfter } : undefined);
};
