import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { reviewETag, revalidated, revalidatedPage } from "~/server/review-form.server";
import { postReview } from "~/reviews/post.server";
import { listReviews } from "~/reviews/list/list.server";
import { asksForPage, listReviewsInPages } from "~/reviews/list/api-page.server";
import { texts } from "~/lib/refusal-texts";

export const { loader, action, answer } = apiRoute(operations["/api/reviews"], {
  async GET(call) {
    const query = call.query();
    if (asksForPage(query)) {
      const { reviews, next } = await listReviewsInPages(query);
      return revalidatedPage(call, { reviews }, next);
    }
    const list = await listReviews(query.tourId);
    return revalidated(call.request, list.etag, () => list);
  },

  async POST({ request, writerAtOnce, body }) {
    const key = request.headers.get("Idempotency-Key") ?? undefined;
    const { user, counted } = await writerAtOnce();
    const { review, replayed } = await postReview(user, body(), { key, counted });
    const headers = {
      ETag: reviewETag(review),
      ...(replayed && { "Idempotent-Replayed": "true" }),
    };
    return json({ review, message: texts.created }, { status: 201, headers });
  },
});
