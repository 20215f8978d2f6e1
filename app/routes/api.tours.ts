import { apiRoute, json } from "~/http/api-route.server";
import { operations } from "~/http/openapi/operations.server";
import { parseInput } from "~/infra/validation.server";
import { FindTourQuery, getTourBySlug } from "~/services/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours"], {
  async GET({ url: { searchParams } }) {
    const { slug } = parseInput(FindTourQuery, { slug: searchParams.get("slug") });
    return json({ tour: await getTourBySlug(slug) });
  },
});
