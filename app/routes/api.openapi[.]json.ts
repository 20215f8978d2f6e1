import { apiRoute, json } from "~/server/api-route.server";
import { openApiDocument } from "~/server/openapi/document.server";
import { operations } from "~/server/openapi/operations.server";
import { env } from "~/config/env.server";

export const { loader, action, answer } = apiRoute(operations["/api/openapi.json"], {
  GET: () => Promise.resolve(json(openApiDocument(env().appUrl))),
});
