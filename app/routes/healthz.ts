import { apiRoute, json } from "~/server/api.server";
import { databaseAnswers } from "~/server/database.server";

export const { loader, action } = apiRoute({
  GET: {
    failure: "unavailable",
    async handle() {
      return (await databaseAnswers())
        ? json({ status: "ok" })
        : json({ status: "unavailable" }, { status: 503 });
    },
  },
});
