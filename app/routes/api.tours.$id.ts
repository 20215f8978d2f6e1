import { apiRoute, json } from "~/http/api-route.server";
import { getTour } from "~/services/tours/tours.server";

export const { loader, action } = apiRoute({
  GET: {
    failure: "Failed to fetch tour",
    async handle({ params }) {
      return json({ tour: await getTour(params.id ?? "") });
    },
  },
});
