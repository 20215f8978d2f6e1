import { apiRoute, json, parametersOf } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { ifMatchOf, recordAnswer } from "~/server/review-form.server";
import { putRecord } from "~/import/put-record.server";
import { parseInput } from "~/infra/validation.server";
import { ratingAt, TourQuery } from "~/reviews/list-changes.server";
import { getTour } from "~/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours/{id}"], {
  async GET({ url, params }) {
    const { at } = parseInput(TourQuery, parametersOf(url));
    const id = params.id ?? "";
    return json(at ? { rating: await ratingAt(id, at) } : { tour: await getTour(id) });
  },

  async PUT({ request, params, body }) {
    const ifMatch = ifMatchOf(request);
    return recordAnswer(await putRecord("tours", params.id ?? "", body(), { ifMatch }));
  },
});
