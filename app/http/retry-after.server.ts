import type { HeadersFunction } from "@remix-run/node";
import { RateLimitError } from "../infra/errors.server";

/** The headers of the answer that tells of a refusal: Retry-After where a limit is the reason. */
export function retryAfterOf(refusal: unknown): Record<string, string> {
  return refusal instanceof RateLimitError ? { "Retry-After": String(refusal.retryAfter) } : {};
}

/**
 * The `headers` of the root and of every page with an action: hands on the Retry-After of a refused
 * form or of a thrown refusal. Without this export Remix drops all headers of an action but its
 * cookies.
 */
export const headers: HeadersFunction = ({ actionHeaders, errorHeaders }) => {
  const retryAfter = (errorHeaders ?? actionHeaders).get("Retry-After");
  return new Headers(retryAfter ? { "Retry-After": retryAfter } : undefined);
};
