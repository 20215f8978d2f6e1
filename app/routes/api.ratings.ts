import { apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { ratingsOfTours } from "~/tours/search/api-list.server";

export const { loader, action, answer } = apiRoute(operations["/api/ratings"], {
  async GET(call) {
    const { tourIds } = call.query();
    return revalidatedPage(call, { ratings: await ratingsOfTours(tourIds) });
  },
});
