import { answerOf, apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { putRecords, readBodyOfRecords } from "~/import/put-records.server";

export const { loader, action } = apiRoute(operations["/api/records"], {
  async POST({ text, whenLate }) {
    const records = readBodyOfRecords(text());
    const answer = () =>
      answerOf(records.map(({ result }) => `${JSON.stringify(result)}\n`).join(""), {
        headers: { "Content-Type": "application/x-ndjson" },
      });
    whenLate(answer);
    await putRecords(records);
    return answer();
  },
});
