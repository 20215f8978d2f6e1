import { apiRoute, json } from "~/http/api-route.server";
import { reviewHeaders, tagsToMatch } from "~/http/reviews.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { updateReview } from "~/services/reviews/update.server";

export const { loader, action } = apiRoute({
  PATCH: {
    failure: "Failed to update review",
    async handle({ request, user, params, body }) {
      const tags = tagsToMatch(request);
      const review = await updateReview(
        await user(),
        params.id ?? "",
        await body(),
        undefined,
        tags,
      );
      const headers = reviewHeaders(review);
      return json({ review, message: "Review updated successfully" }, { headers });
    },
  },
  DELETE: {
    failure: "Failed to delete review",
    async handle({ request, user, params }) {
      await deleteReview(await user(), params.id ?? "", tagsToMatch(request));
      return json({ message: "Review deleted successfully" });
    },
  },
});
