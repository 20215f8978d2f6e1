import { apiRoute, parametersOf } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { parseInput } from "~/infra/validation.server";
import { RatingsQuery, ratingsOfTours } from "~/tours/search/api-list.server";

export const { loader, action } = apiRoute(operations["/api/ratings"], {
  async GET({ request, url }) {
    const { tourIds } = parseInput(RatingsQuery, parametersOf(url));
    return revalidatedPage({ request, url }, { ratings: await ratingsOfTours(tourIds) });
  },
});
