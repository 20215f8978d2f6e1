import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { reviewHeaders, revalidated } from "~/server/review-form.server";
import { parseInput } from "~/infra/validation.server";
import { postReview } from "~/reviews/post.server";
import { listReviews } from "~/reviews/list/list.server";
import { ListReviewsQuery } from "~/reviews/schemas";
import { texts } from "~/infra/refusal-texts";

export const { loader, action } = apiRoute(operations["/api/reviews"], {
  async GET({ request, url: { searchParams } }) {
    const { tourId } = parseInput(ListReviewsQuery, { tourId: searchParams.get("tourId") });
    const list = await listReviews(tourId);
    return revalidated(request, list.etag, () => list);
  },

  async POST({ request, user, body }) {
    const key = request.headers.get("Idempotency-Key") ?? undefined;
    const { review, replayed } = await postReview(await user(), body(), { key });
    const headers = reviewHeaders(review);
    if (replayed) headers.set("Idempotent-Replayed", "true");
    return json({ review, message: texts.created }, { status: 201, headers });
  },
});
