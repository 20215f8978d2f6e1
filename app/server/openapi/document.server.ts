import { z } from "zod";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import { texts } from "~/lib/refusal-texts";
import { refusalTexts } from "~/server/refusals.server";
import { EXAMPLE_REVIEW, EXAMPLE_TOUR } from "~/reviews/schemas";
import { version } from "../../../package.json";
import {
  type HeaderNames,
  headerComponents,
  linkComponents,
  type Operation,
} from "./components.server";
import { operations } from "./operations.server";
import { type ComponentName, componentSchemas } from "./schemas.server";

/** Its schemas are those that validate requests, and those that tests hold the answers to. */
export function openApiDocument(appUrl: string) {
  return {
    openapi: "3.1.1",
    info: {
      title: "Tour Reviews",
      version,
      contact: { url: `${appUrl}/about/reviews` },
      description:
        "Explorers review the guided tours that they went on. A cookie that comes with the Origin of another site is ignored. HEAD works wherever GET does.",
    },
    servers: [{ url: appUrl }],
    tags: [
      { name: "Reviews", description: "Reviews of tours" },
      { name: "Tours", description: "Tours and their ratings" },
      { name: "Records", description: "Users, tours and bookings of the platform" },
      { name: "Meta", description: "This document" },
    ],
    paths: mapValues(operations, (methods: Record<string, Operation>, path) =>
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method.toLowerCase(),
          described(path, method, operation),
        ]),
      ),
    ),
    components: {
      schemas: componentSchemas(),
      headers: headerComponents,
      responses,
      links: linkComponents,
      securitySchemes: securitySchemes(appUrl),
    },
  };
}

const mapValues = <Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value, key: string) => Mapped,
) => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));

const TAGS: Record<string, string> = {
  review: "Reviews",
  tour: "Tours",
  rating: "Tours",
  change: "Tours",
  "": "Meta",
};

/** An operation in OpenAPI's words. All that change something need a log-in and have the caller's limit. */
function described(path: string, method: string, operation: Operation) {
  const { id, summary, description, query, header, body, success, nothing, unchanged, failure } =
    operation;
  const answer = {
    headers: headerRefs(success.headers),
    content: {
      ...jsonContent(success.schema),
      ...(success.asLines && linesContent(success.asLines)),
    },
  };
  const changes = method !== "GET";
  const needsUser = changes || operation.ofCaller;
  const kind = /^\/api\/(?:me\/)?(review|tour|rating|change|user|booking|record)s/.exec(path)?.[1];
  const parameters = [
    ...parametersIn("path", kind && path.includes("{id}") ? idParameter(kind) : undefined),
    ...parametersIn("query", query),
    ...parametersIn("header", header),
  ];
  return {
    operationId: id,
    tags: [TAGS[kind ?? ""] ?? "Records"],
    summary,
    description,
    security: toSecurity(operation, needsUser),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        description: `JSON, at most ${body.most ?? "64 KiB"}. Unknown fields are ignored${body.asLines ? "" : "; a body that is not an object counts as {}"}.`,
        content: {
          ...jsonContent(body.schema, { example: body.example }),
          ...(body.asLines && linesContent(body.asLines.schema, { example: body.asLines.example })),
        },
      },
    }),
    responses: {
      ...(operation.created && { 201: { description: operation.created, ...answer } }),
      [success.status ?? (method === "POST" ? 201 : 200)]: {
        description: success.description,
        ...answer,
        ...(success.links && {
          links: Object.fromEntries(success.links.map((name) => [name, ref("links", name)])),
        }),
      },
      ...(nothing && { 204: { description: nothing, headers: headerRefs() } }),
      ...(unchanged && { 304: { description: unchanged, headers: headerRefs(success.headers) } }),
      ...mapValues(operation.refusals ?? {}, (words) => refusal(words)),
      ...(needsUser && {
        401: ref("responses", "Unauthorized"),
        503: ref("responses", "LogInUnchecked"),
      }),
      ...(changes && { 429: ref("responses", "TooManyRequests") }),
      405: ref("responses", "MethodNotAllowed"),
      413: ref("responses", "BodyTooLarge"),
      500: refusal(["Unexpected failure.", failure], { "Retry-After": "NothingStored" }),
    },
  };
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const jsonContent = (schema: ComponentName, rest: object = {}) => ({
  "application/json": { schema: ref("schemas", schema), ...rest },
});

const linesContent = (schema: ComponentName, rest: object = {}) => ({
  "application/x-ndjson": { schema: ref("schemas", schema), ...rest },
});

function toSecurity({ ofService }: Operation, needsUser: boolean | undefined): object[] {
  if (ofService) return [{ service: [] }];
  return needsUser ? [{ token: [] }, { session: [] }] : [];
}

/** References to these headers, and to the one that every response has. */
const headerRefs = (named: HeaderNames = {}) =>
  mapValues({ ...named, "X-Request-Id": "RequestId" }, (name) => ref("headers", name));

const refusal = ([description, ...errors]: readonly string[], named?: HeaderNames) => ({
  description,
  headers: headerRefs(named),
  content: jsonContent("Error", {
    examples: Object.fromEntries(errors.map((error) => [slug(error), { value: { error } }])),
  }),
});

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");

const responses = {
  Unauthorized: refusal(["There is no current user.", texts.unauthorized]),
  MethodNotAllowed: refusal(
    ["The answer to any method that the path does not have.", refusalTexts[405]],
    { Allow: "Allow" },
  ),
  TooManyRequests: refusal(
    [`More than ${WRITES_A_MINUTE} changes by one user within a minute.`, texts.tooManyRequests],
    { "Retry-After": "RetryAfter" },
  ),
  LogInUnchecked: refusal(
    ["The keys that the platform's tokens are checked with cannot be read.", texts.logInUnchecked],
    { "Retry-After": "RetryAfter" },
  ),
  BodyTooLarge: refusal(["The body is larger than it may be.", refusalTexts[413]]),
};

const idParameter = (kind: string) =>
  z.object({
    id: z
      .string()
      .min(1)
      .meta({
        description:
          kind === "review"
            ? "The review's id. A value that is not an id is an unknown review."
            : `The ${kind}'s id, the site's or the platform's own.`,
        examples: [kind === "review" ? EXAMPLE_REVIEW : EXAMPLE_TOUR],
      }),
  });

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

/** How a client of the site at `appUrl` says who it is (docs/rules/accounts.md, Current user). */
const securitySchemes = (appUrl: string) => ({
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A personal access token, created on the account page or with `npm run token -- --email EMAIL`. A request with a revoked or expired token is not logged in, even with a valid cookie.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    // Browsers accept the prefixed name over https only (session.server.ts).
    name: appUrl.startsWith("https:") ? "__Host-session" : "session",
    description:
      "The cookie that the log-in form sets. It stays valid beside an `Authorization` header of any scheme but Bearer.",
  },
  service: {
    type: "http",
    scheme: "bearer",
    description: "A token of the platform's own programs, made with `npm run token -- --service`.",
  },
});
