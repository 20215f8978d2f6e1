import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { ifMatchOf, recordAnswer } from "~/server/review-form.server";
import { texts } from "~/infra/refusal-texts";
import { deleteUser, putRecord } from "~/import/put-record.server";

export const { loader, action } = apiRoute(operations["/api/users/{id}"], {
  async PUT({ request, params, body }) {
    const ifMatch = ifMatchOf(request);
    return recordAnswer(await putRecord("users", params.id ?? "", body(), { ifMatch }));
  },

  async DELETE({ params }) {
    await deleteUser(params.id ?? "");
    return json({ message: texts.userDeleted });
  },
});
