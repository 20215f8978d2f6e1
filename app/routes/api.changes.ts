import { apiRoute } from "~/server/api-route.server";
import { operations } from "~/server/openapi/operations.server";
import { revalidatedPage } from "~/server/review-form.server";
import { listAllChanges } from "~/reviews/list-changes.server";

export const { loader, action, answer } = apiRoute(operations["/api/changes"], {
  async GET(call) {
    const { changes, next } = await listAllChanges(call.query());
    return revalidatedPage(call, { changes }, next);
  },
});
