import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { ifMatchOf, recordAnswer } from "~/server/review-form.server";
import { putRecord } from "~/import/put-record.server";
import { getTour } from "~/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours/{id}"], {
  GET: async ({ params }) => json({ tour: await getTour(params.id ?? "") }),

  async PUT({ request, params, body }) {
    const ifMatch = ifMatchOf(request);
    return recordAnswer(await putRecord("tours", params.id ?? "", body(), { ifMatch }));
  },
});
