import { apiRoute, parametersOf } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { parseInput } from "~/infra/validation.server";
import { ChangesQuery, listChanges } from "~/reviews/list-changes.server";

export const { loader, action } = apiRoute(operations["/api/tours/{id}/changes"], {
  async GET({ request, url, params }) {
    const query = parseInput(ChangesQuery, parametersOf(url));
    const { changes, next } = await listChanges(params.id ?? "", query);
    return revalidatedPage({ request, url }, { changes }, next);
  },
});
