import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { reviewETag, revalidated } from "~/server/review-form.server";
import { deleteReview } from "~/reviews/delete.server";
import { getReview, getReviewAndReply } from "~/reviews/read.server";
import { texts } from "~/lib/refusal-texts";
import { editReview } from "~/reviews/edit.server";

export const { loader, action, answer } = apiRoute(operations["/api/reviews/{id}"], {
  async GET({ request, id, query }) {
    const review = await (query().include === "reply" ? getReviewAndReply(id) : getReview(id));
    return revalidated(request, reviewETag(review), () => JSON.stringify({ review }));
  },

  async PATCH({ id, writer, body, ifMatch }) {
    const review = await editReview(await writer(), id, body(), { ifMatch: ifMatch() });
    const headers = { ETag: reviewETag(review) };
    return json({ review, message: texts.updated }, { headers });
  },

  async DELETE({ id, writer, ifMatch }) {
    await deleteReview(await writer(), id, { ifMatch: ifMatch() });
    return json({ message: texts.deleted });
  },
});
