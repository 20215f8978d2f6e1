import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { listToursInPages } from "~/tours/search/api-list.server";
import { getTourBySlug } from "~/tours/tours.server";

export const { loader, action, answer } = apiRoute(operations["/api/tours"], {
  async GET(call) {
    const query = call.query();
    if (query.slug) return json({ tour: await getTourBySlug(query.slug) });
    const { tours, next } = await listToursInPages(query);
    return revalidatedPage(call, { tours }, next);
  },
});
