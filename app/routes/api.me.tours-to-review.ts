import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { linkToNext } from "~/server/review-form.server";
import { requireCaller } from "~/accounts/caller.server";
import { toursToReview } from "~/me/my-reviews.server";

export const { loader, action, answer } = apiRoute(operations["/api/me/tours-to-review"], {
  async GET({ url, user, query }) {
    const id = requireCaller(await user()).toString();
    const { items, next } = await toursToReview({ id }, query());
    const tours = items.map(({ id, title, slug, date }) => ({ id, title, slug, date }));
    return json({ tours }, { headers: linkToNext(url, next) });
  },
});
