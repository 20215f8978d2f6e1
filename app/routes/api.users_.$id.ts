import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { recordAnswer } from "~/server/review-form.server";
import { texts } from "~/lib/refusal-texts";
import { deleteUser } from "~/import/ended-records.server";
import { putRecord } from "~/import/put-record.server";

export const { loader, action, answer } = apiRoute(operations["/api/users/{id}"], {
  async PUT({ id, body, ifMatch }) {
    return recordAnswer(await putRecord("users", id, body(), { ifMatch: ifMatch() }));
  },

  async DELETE({ id }) {
    await deleteUser(id);
    return json({ message: texts.userDeleted });
  },
});
