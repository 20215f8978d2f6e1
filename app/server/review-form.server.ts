import { mapValues } from "es-toolkit";
import type { TypedContent } from "~/reviews/content";
import { entityTag, strongETag, weakETag } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { FormError } from "~/lib/errors.server";
import { NO_RATING, overLength } from "~/lib/review-limits";
import { type PublicReview, reviewTag } from "~/reviews/list/public-review.server";
import type { AnsweredReview } from "~/reviews/read.server";
import { type PublicReply, replyTag } from "~/reviews/replies/replies.server";
import type { PutResult } from "~/import/put-record.server";
import type { ApiAnswer, ApiCall } from "./api-request.server";
import { toAnswer, json } from "./api-route.server";
import { formText } from "./form-data.server";

/** The content of a review as its form was filled in. */
export const typedContent = (form: FormData): TypedContent => ({
  rating: Number(formText(form, "rating")),
  comment: formText(form, "comment"),
});

/**
 * The same as the body of a request, which has no rating where none was chosen. The words are trimmed, with `\n` as
 * their line break, where forms send `\r\n`.
 */
export function reviewBody(form: FormData): SentReviewBody {
  const { rating, ...words } = typedContent(form);
  return {
    ...mapValues(words, (text) => text.replaceAll("\r\n", "\n").trim()),
    ...(formText(form, "rating") && { rating }),
  };
}

type SentReviewBody = Omit<TypedContent, "rating"> & { rating?: number };

export function toReviewFormError(error: unknown, { comment }: { comment: string }): unknown {
  if (!(error instanceof FormError)) return error;
  return new FormError({
    ...("rating" in error.fields && { rating: NO_RATING }),
    ...("comment" in error.fields && { comment: overLength(comment) ?? error.fields.comment }),
  });
}

/** The answer to a record of the platform's that has been stored. */
export const recordAnswer = ({ tag, ...result }: PutResult) =>
  json(result, {
    status: result.result === "created" ? 201 : 200,
    headers: { ETag: strongETag(tag) },
  });

/**
 * The entity tag of a review as a header has it: that of its state, which `If-Match` compares alone, and behind a dot
 * that of its author's name and picture. With its reply, one of all that is shown.
 */
export const reviewETag = (review: PublicReview | AnsweredReview) =>
  "reply" in review
    ? strongETag(entityTag(JSON.stringify(review)))
    : strongETag(`${reviewTag(review)}.${entityTag(JSON.stringify(review.user))}`);

export const replyETag = (reply: PublicReply) => strongETag(replyTag(reply));

/**
 * Answers with the JSON that `body` makes, or 304 to a client that has it already. Clients may cache it, but must
 * revalidate it each time.
 */
export function revalidated(
  request: Pick<Request, "headers">,
  etag: string,
  body: () => ApiAnswer["body"],
  more: Record<string, string> = {},
): ApiAnswer {
  const headers = { ETag: etag, "Cache-Control": "no-cache", ...more };
  return matchesETag(request.headers.get("If-None-Match"), etag)
    ? toAnswer(null, { status: 304, headers })
    : toAnswer(body(), { headers });
}

/** Answers with a page of a list, as `revalidated` does, and its `Link`. */
export function revalidatedPage(
  { request, url }: Pick<ApiCall, "request" | "url">,
  page: object,
  next: string | null = null,
): ApiAnswer {
  const body = JSON.stringify(page);
  return revalidated(request, weakETag(body), () => body, linkToNext(url, next));
}

/** The header that names the next page (RFC 8288); none after the last one. */
export function linkToNext(url: URL, next: string | null): Record<string, string> {
  if (next === null) return {};
  const following = new URL(url.pathname + url.search, env().appUrl);
  following.searchParams.set("after", next);
  return { Link: `<${following.href}>; rel="next"` };
}

/** Whether `If-None-Match` has that tag, compared weakly (RFC 9110, 13.1.2). */
export function matchesETag(known: string | null | undefined, etag: string): boolean {
  if (known?.trim() === "*") return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return known?.split(",").some((tag) => opaque(tag) === opaque(etag)) ?? false;
}
