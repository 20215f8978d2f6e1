import { answerOf, apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { putRecords } from "~/import/put-records.server";

export const { loader, action } = apiRoute(operations["/api/records"], {
  async POST({ text }) {
    const headers = { "Content-Type": "application/x-ndjson" };
    return answerOf(await putRecords(text()), { headers });
  },
});
