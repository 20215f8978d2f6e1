import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { ifMatchOf, reviewETag, reviewHeaders, revalidated } from "~/server/review-form.server";
import { deleteReview } from "~/reviews/delete.server";
import { getReview, getReviewAndReply } from "~/reviews/read.server";
import { texts } from "~/infra/refusal-texts";
import { editReview } from "~/reviews/edit.server";

export const { loader, action } = apiRoute(operations["/api/reviews/{id}"], {
  async GET({ request, url, params }) {
    const id = params.id ?? "";
    const review = await (url.searchParams.get("include") === "reply"
      ? getReviewAndReply(id)
      : getReview(id));
    return revalidated(request, reviewETag(review), () => JSON.stringify({ review }));
  },

  async PATCH({ request, user, params, body }) {
    const ifMatch = ifMatchOf(request);
    const review = await editReview(await user(), params.id ?? "", body(), { ifMatch });
    const headers = reviewHeaders(review);
    return json({ review, message: texts.updated }, { headers });
  },

  async DELETE({ request, user, params }) {
    await deleteReview(await user(), params.id ?? "", { ifMatch: ifMatchOf(request) });
    return json({ message: texts.deleted });
  },
});
