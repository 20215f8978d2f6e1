import { apiRoute, json } from "~/http/api-route.server";
import { operations } from "~/http/openapi/operations.server";
import { getTour } from "~/services/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours/{id}"], {
  GET: async ({ params }) => json({ tour: await getTour(params.id ?? "") }),
});
