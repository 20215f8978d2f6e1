import { apiRoute, json, parametersOf } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { linkToNext } from "~/server/review-form.server";
import { parseInput } from "~/infra/validation.server";
import { requireCaller } from "~/accounts/caller.server";
import { listOwnReviews, OwnListQuery } from "~/me/my-reviews.server";

export const { loader, action } = apiRoute(operations["/api/me/reviews"], {
  async GET({ url, user }) {
    const id = requireCaller(await user()).toString();
    const { items, next } = await listOwnReviews(
      { id },
      parseInput(OwnListQuery, parametersOf(url)),
    );
    return json({ reviews: items }, { headers: linkToNext(url, next) });
  },
});
