import { apiRoute, json } from "~/http/api-route.server";
import { operations } from "~/http/openapi/operations.server";
import { reviewHeaders, revalidated } from "~/http/reviews.server";
import { parseInput } from "~/infra/validation.server";
import { postReview } from "~/services/reviews/post.server";
import { listReviews } from "~/services/reviews/read.server";
import { ListReviewsQuery } from "~/services/reviews/schemas";
import { texts } from "~/services/texts";

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
