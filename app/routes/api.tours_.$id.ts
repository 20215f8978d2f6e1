import { apiRoute, json } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { getTour } from "~/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours/{id}"], {
  GET: async ({ params }) => json({ tour: await getTour(params.id ?? "") }),
});
