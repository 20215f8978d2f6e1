import { apiRoute, json } from "~/http/api-route.server";
import { env } from "~/infra/env.server";
import { openApiDocument } from "~/http/openapi/document.server";
import { texts } from "~/services/texts";

export const { loader, action } = apiRoute({
  GET: {
    failure: texts.documentFailed,
    handle: () => Promise.resolve(json(openApiDocument(env().appUrl))),
  },
});
