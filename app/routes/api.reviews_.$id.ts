import { apiRoute, json } from "~/server/api.server";
import { deleteReview, updateReview } from "~/services/reviews.server";

export const { loader, action } = apiRoute({
  PATCH: {
    failure: "Failed to update review",
    async handle({ user, params, body }) {
      const review = await updateReview(await user(), params.id ?? "", await body());
      return json({ review, message: "Review updated successfully" });
    },
  },
  DELETE: {
    failure: "Failed to delete review",
    async handle({ user, params }) {
      await deleteReview(await user(), params.id ?? "");
      return json({ message: "Review deleted successfully" });
    },
  },
});
