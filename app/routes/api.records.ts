import { toAnswer, apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { isList, putRecords, readBodyOfRecords } from "~/import/put-records.server";

const NDJSON = { headers: { "Content-Type": "application/x-ndjson" } };

export const { loader, action, answer } = apiRoute(operations["/api/records"], {
  async POST({ text, whenLate }) {
    const body = text();
    const records = readBodyOfRecords(body);
    const answer = () => {
      const results = records.map(({ result }) => result);
      if (isList(body)) return json(results);
      return toAnswer(results.map((result) => `${JSON.stringify(result)}\n`).join(""), NDJSON);
    };
    whenLate(answer);
    await putRecords(records);
    return answer();
  },
});
