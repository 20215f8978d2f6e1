import { texts } from "~/lib/refusal-texts";
import { deleteBooking } from "~/import/ended-records.server";
import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { recordAnswer } from "~/server/review-form.server";
import { patchBooking, putRecord } from "~/import/put-record.server";

export const { loader, action, answer } = apiRoute(operations["/api/bookings/{id}"], {
  async PUT({ id, body, ifMatch }) {
    return recordAnswer(await putRecord("bookings", id, body(), { ifMatch: ifMatch() }));
  },

  async PATCH({ id, body }) {
    return recordAnswer(await patchBooking(id, body()));
  },

  async DELETE({ id }) {
    await deleteBooking(id);
    return json({ message: texts.bookingDeleted });
  },
});
