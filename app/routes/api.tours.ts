import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { parseInput } from "~/infra/validation.server";
import { FindTourQuery, getTourBySlug } from "~/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours"], {
  async GET({ url: { searchParams } }) {
    const { slug } = parseInput(FindTourQuery, { slug: searchParams.get("slug") });
    return json({ tour: await getTourBySlug(slug) });
  },
});
