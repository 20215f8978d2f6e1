import { apiRoute, json } from "~/http/api-route.server";
import { reviewHeaders } from "~/http/reviews.server";
import { listReviews } from "~/services/reviews/list.server";
import { createReview } from "~/services/reviews/create.server";
import { ServiceError } from "~/infra/errors.server";
import { createReviewOnce } from "~/services/reviews/idempotency.server";
import { texts } from "~/services/reviews/texts";

export const { loader, action } = apiRoute({
  GET: {
    failure: texts.listFailed,
    async handle({ request, url }) {
      const tourId = url.searchParams.get("tourId");
      if (!tourId) throw new ServiceError(400, texts.tourIdRequired);
      const list = await listReviews(tourId);
      // Clients may cache it, but must revalidate it each time.
      const headers = { ETag: list.etag, "Cache-Control": "no-cache" };
      return knows(request, list.etag)
        ? new Response(null, { status: 304, headers })
        : json(list.json, { headers });
    },
  },
  POST: {
    failure: texts.createFailed,
    async handle({ request, user, body }) {
      const key = request.headers.get("Idempotency-Key");
      const { review, replayed } =
        key === null
          ? { review: await createReview(await user(), await body()), replayed: false }
          : await createReviewOnce(await user(), key, await body());
      const headers = reviewHeaders(review);
      if (replayed) headers.set("Idempotent-Replayed", "true");
      return json({ review, message: texts.created }, { status: 201, headers });
    },
  },
});

/** Whether `If-None-Match` names the tag, compared weakly (RFC 9110, 13.1.2). */
function knows(request: Request, etag: string): boolean {
  const known = request.headers.get("If-None-Match");
  if (known?.trim() === "*") return true;
  return known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag.slice(2)) ?? false;
}
