import { toAnswer, apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { getStructuredData } from "~/tours/tours.server";

export const { loader, action, answer } = apiRoute(operations["/api/tours/{id}/jsonld"], {
  async GET(call) {
    const data = await getStructuredData(call.id);
    return data ? revalidatedPage(call, data) : toAnswer(null, { status: 204 });
  },
});
