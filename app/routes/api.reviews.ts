import { apiRoute, json } from "~/http/api-route.server";
import { reviewHeaders, revalidated } from "~/http/reviews.server";
import { listReviews } from "~/services/reviews/read.server";
import { createReview } from "~/services/reviews/create.server";
import { ServiceError } from "~/infra/errors.server";
import { createReviewOnce } from "~/services/reviews/idempotency.server";
import { texts } from "~/services/texts";

export const { loader, action } = apiRoute({
  GET: {
    failure: texts.listFailed,
    async handle({ request, url }) {
      const tourId = url.searchParams.get("tourId");
      if (!tourId) throw new ServiceError(400, texts.tourIdRequired);
      const list = await listReviews(tourId);
      return revalidated(request, list.etag, () => list);
    },
  },
  POST: {
    failure: texts.createFailed,
    async handle({ request, user, body }) {
      const key = request.headers.get("Idempotency-Key");
      const { review, replayed } =
        key === null
          ? { review: await createReview(await user(), body()), replayed: false }
          : await createReviewOnce(await user(), key, body());
      const headers = reviewHeaders(review);
      if (replayed) headers.set("Idempotent-Replayed", "true");
      return json({ review, message: texts.created }, { status: 201, headers });
    },
  },
});
