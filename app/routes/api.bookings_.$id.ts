import { apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { ifMatchOf, recordAnswer } from "~/server/review-form.server";
import { patchBooking, putRecord } from "~/import/put-record.server";

export const { loader, action } = apiRoute(operations["/api/bookings/{id}"], {
  async PUT({ request, params, body }) {
    const ifMatch = ifMatchOf(request);
    return recordAnswer(await putRecord("bookings", params.id ?? "", body(), { ifMatch }));
  },

  async PATCH({ params, body }) {
    return recordAnswer(await patchBooking(params.id ?? "", body()));
  },
});
