import { apiRoute, json } from "~/http/api-route.server";
import { texts } from "~/services/texts";
import { getTour } from "~/services/tours/tours.server";

export const { loader, action } = apiRoute({
  GET: {
    failure: texts.tourFailed,
    async handle({ params }) {
      return json({ tour: await getTour(params.id ?? "") });
    },
  },
});
