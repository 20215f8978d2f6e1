import { apiRoute, json, parametersOf } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { parseInput } from "~/infra/validation.server";
import { listToursInPages, ToursQuery } from "~/tours/search/api-list.server";
import { getTourBySlug } from "~/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours"], {
  async GET({ request, url }) {
    const query = parseInput(ToursQuery, parametersOf(url));
    if (query.slug) return json({ tour: await getTourBySlug(query.slug) });
    const { tours, next } = await listToursInPages(query);
    return revalidatedPage({ request, url }, { tours }, next);
  },
});
