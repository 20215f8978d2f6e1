import { apiRoute, json } from "~/server/api.server";
import { env } from "~/server/env.server";
import { DOCUMENT_FAILURE, openApiDocument } from "~/services/openapi.server";

export const { loader, action } = apiRoute({
  GET: {
    failure: DOCUMENT_FAILURE,
    handle: () => Promise.resolve(json(openApiDocument(env().appUrl))),
  },
});
