import { headers, links, responses, securitySchemes } from "./components.server";
import { paths } from "./operations.server";
import { componentSchemas } from "./schemas.server";

/**
 * The OpenAPI 3.1 document of all of /api, for a site at `appUrl`. Its schemas are those that
 * validate requests, and those that tests hold the answers to.
 */
export function openApiDocument(appUrl: string) {
  return {
    openapi: "3.1.1",
    info: {
      title: "Tour Reviews",
      version: "1.0.0",
      description:
        "Explorers review the guided tours that they went on. A cookie that comes with the Origin of another site is ignored. HEAD works wherever GET does.",
    },
    servers: [{ url: appUrl }],
    tags: [
      { name: "Reviews", description: "Reviews of tours" },
      { name: "Tours", description: "Tours and their ratings" },
      { name: "Meta", description: "This document" },
    ],
    paths,
    components: {
      schemas: componentSchemas(),
      headers,
      responses,
      links,
      securitySchemes: securitySchemes(appUrl),
    },
  };
}
