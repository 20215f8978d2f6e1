import { apiRoute, parametersOf } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { parseInput } from "~/infra/validation.server";
import { AllChangesQuery, listAllChanges } from "~/reviews/list-changes.server";

export const { loader, action } = apiRoute(operations["/api/changes"], {
  async GET({ request, url }) {
    const query = parseInput(AllChangesQuery, parametersOf(url));
    const { changes, next } = await listAllChanges(query);
    return revalidatedPage({ request, url }, { changes }, next);
  },
});
