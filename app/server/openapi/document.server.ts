import { z } from "zod";
import { version } from "../../../package.json";
import {
  headers,
  headersOf,
  json,
  links,
  linksTo,
  mapEntries,
  type Operation,
  refusal,
  responseRef,
  responses,
  securitySchemes,
} from "./components.server";
import { operations } from "./operations.server";
import { componentSchemas } from "./schemas.server";

/** Its schemas are those that validate requests, and those that tests hold the answers to. */
export function openApiDocument(appUrl: string) {
  return {
    openapi: "3.1.1",
    info: {
      title: "Tour Reviews",
      version,
      description:
        "Explorers review the guided tours that they went on. A cookie that comes with the Origin of another site is ignored. HEAD works wherever GET does.",
    },
    servers: [{ url: appUrl }],
    tags: [
      { name: "Reviews", description: "Reviews of tours" },
      { name: "Tours", description: "Tours and their ratings" },
      { name: "Meta", description: "This document" },
    ],
    paths: mapEntries(operations, (path, methods: Record<string, Operation>) => [
      path,
      mapEntries(methods, (method, operation) => [
        method.toLowerCase(),
        described(operation, method),
      ]),
    ]),
    components: {
      schemas: componentSchemas(),
      headers,
      responses,
      links,
      securitySchemes: securitySchemes(appUrl),
    },
  };
}

/** An operation in OpenAPI's words. All that change something need a log-in and have the caller's limit. */
function described(operation: Operation, method: string) {
  const { id, tag, summary, description, body, success, unchanged, refusals, failure } = operation;
  const changes = method !== "GET";
  const parameters = (["path", "query", "header"] as const).flatMap((place) =>
    parametersIn(place, operation[place]),
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: changes ? [{ token: [] }, { session: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        description:
          "JSON, at most 64 KiB. Unknown fields are ignored; a body that is not an object counts as {}.",
        content: json(body.schema, { example: body.example }),
      },
    }),
    responses: {
      [success.status ?? 200]: {
        description: success.description,
        headers: headersOf(success.headers),
        content: json(success.schema),
        ...(success.links && { links: linksTo(success.links) }),
      },
      ...(unchanged && { 304: { description: unchanged, headers: headersOf(success.headers) } }),
      ...mapEntries(refusals ?? {}, (status, words) => [status, refusal(words)]),
      ...(changes && { 401: responseRef("Unauthorized"), 429: responseRef("TooManyRequests") }),
      405: responseRef("MethodNotAllowed"),
      413: responseRef("BodyTooLarge"),
      500: refusal(["Unexpected failure.", failure]),
    },
  };
}

function parametersIn(place: "path" | "query" | "header", schema: z.ZodObject = z.object()) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...rest } = property as z.core.JSONSchema.JSONSchema;
    return {
      name,
      in: place,
      required: required.includes(name),
      description,
      schema: rest,
      example: examples?.[0],
    };
  });
}
