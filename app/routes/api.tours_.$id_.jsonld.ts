import { apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { getStructuredData } from "~/tours/tours.server";

export const { loader, action } = apiRoute(operations["/api/tours/{id}/jsonld"], {
  async GET(call) {
    return revalidatedPage(call, await getStructuredData(call.id));
  },
});
