import { apiRoute, json } from "~/http/api-route.server";
import { env } from "~/infra/env.server";
import { DOCUMENT_FAILURE, openApiDocument } from "~/http/openapi/document.server";

export const { loader, action } = apiRoute({
  GET: {
    failure: DOCUMENT_FAILURE,
    handle: () => Promise.resolve(json(openApiDocument(env().appUrl))),
  },
});
