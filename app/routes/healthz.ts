import { apiRoute, json } from "~/http/api-route.server";
import { databaseAnswers } from "~/infra/database.server";

export const { loader, action } = apiRoute(
  { GET: { failure: "unavailable" } },
  {
    GET: async () =>
      (await databaseAnswers())
        ? json({ status: "ok" })
        : json({ status: "unavailable" }, { status: 503 }),
  },
);
