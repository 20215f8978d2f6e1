import { apiRoute, json } from "~/http/api-route.server";
import { openApiDocument } from "~/http/openapi/document.server";
import { operations } from "~/http/openapi/operations.server";
import { env } from "~/infra/env.server";

export const { loader, action } = apiRoute(operations["/api/openapi.json"], {
  GET: () => Promise.resolve(json(openApiDocument(env().appUrl))),
});
