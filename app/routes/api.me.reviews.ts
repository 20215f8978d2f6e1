import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { linkToNext } from "~/server/review-form.server";
import { requireCaller } from "~/accounts/caller.server";
import { listOwnReviews } from "~/me/my-reviews.server";

export const { loader, action, answer } = apiRoute(operations["/api/me/reviews"], {
  async GET({ url, user, query }) {
    const id = requireCaller(await user()).toString();
    const { items, next } = await listOwnReviews({ id }, query());
    return json({ reviews: items }, { headers: linkToNext(url, next) });
  },
});
