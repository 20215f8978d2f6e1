import type { z } from "zod";
import { env } from "~/config/env.server";
import { EXAMPLE_BOOKING, EXAMPLE_REVIEW, EXAMPLE_TOUR, EXAMPLE_USER } from "~/reviews/schemas";
import { openApiDocument } from "./document.server";

// The OpenAPI document as people read it (/api): the same words, a request with curl, and its answer.

type Schema = z.core.JSONSchema.JSONSchema;
type DocumentedOperation = Record<string, unknown> & {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: (Omit<ReferenceField, "type"> & { in: string; schema: Schema; example?: unknown })[];
  requestBody?: { content: MediaTypes };
  responses: Record<string, { $ref?: string; description?: string; content?: MediaTypes }>;
};
type MediaTypes = Record<string, { schema: Schema; example?: object; examples?: Examples }>;
type Examples = Record<string, { value: { error: string } }>;

interface ReferenceField {
  name: string;
  /** Such as "whole number (1 to 5)". */
  type: string;
  required: boolean;
  description?: string;
}

export interface OperationReference {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** Says which token it takes; null where it is open to everybody. */
  token: string | null;
  parameters: ReferenceField[];
  body: ReferenceField[];
  /** A command for a shell with `BASE`, `TOKEN` and the ids that it names. */
  example: string;
  status: string;
  /** The answer to the example, as JSON. */
  answer: string;
  refusals: { status: string; description: string; errors: string[] }[];
}

export interface Reference {
  sections: { name: string; operations: OperationReference[] }[];
  objects: { name: string; fields: ReferenceField[] }[];
}

/** The objects of answers and bodies that have names of their own, described once. */
const OBJECTS = ["Review", "Tour", "RatingCounts", "Reply", "Author", "Change"];

let made: Reference | undefined;

/** Returns the reference of this site's API. */
export const apiReference = (): Reference => (made ??= toReference(openApiDocument(env().appUrl)));

function toReference({ paths, tags, components }: ReturnType<typeof openApiDocument>): Reference {
  const schemas = components.schemas as Record<string, Schema>;
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? schemas[schemaName(schema)]! : schema;

  /** The fields of an object, those of objects within it behind a dot. */
  function listFields(schema: Schema, before = ""): ReferenceField[] {
    const { properties = {}, required = [] } = resolved(schema);
    return Object.entries(properties).flatMap(([key, property]) => {
      const value = property as Schema;
      const name = before + key;
      const { description } = { ...resolved(value), ...firstAlternative(value), ...value };
      const field = {
        name,
        type: typeInWords(value),
        required: required.includes(key),
        description,
      };
      return value.$ref ? [field] : [field, ...listFields(...innerObject(value, name))];
    });
  }

  function toExample(schema: Schema): unknown {
    const { examples, properties, required = [], items, ...rest } = resolved(schema);
    if (examples?.length) return examples[0];
    if (rest.anyOf) return toExample(rest.anyOf[0] as Schema);
    if (rest.const !== undefined) return rest.const;
    if (rest.enum) return rest.enum[0];
    if (properties)
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([key]) => required.includes(key))
          .map(([key, value]) => [key, toExample(value as Schema)]),
      );
    if (items) return [toExample(items as Schema)];
    if (rest.format === "date-time") return "2026-05-01T09:30:00.000Z";
    if (rest.pattern?.includes("{24}")) return EXAMPLE_TOUR;
    if (rest.type === "number" || rest.type === "integer") return rest.maximum === 5 ? 5 : 1;
    return rest.type === "string" ? "…" : rest.type === "object" ? {} : null;
  }

  function described(
    path: string,
    method: string,
    operation: DocumentedOperation,
  ): OperationReference {
    const { parameters = [], requestBody, responses } = operation;
    const [caller] = operation.security;
    const token = caller ? ("service" in caller ? "$SERVICE" : "$TOKEN") : null;
    const body = Object.values(requestBody?.content ?? {})[0];
    const [status, success] = Object.entries(responses).find(([status]) => status.startsWith("2"))!;
    const answer = Object.values(success.content!)[0]!.schema;
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      description: operation.description,
      token: token && (token === "$SERVICE" ? "a service token" : "a user’s token or session"),
      parameters: parameters
        .filter((one) => one.in !== "path")
        .map(({ schema, in: place, ...field }) => ({
          ...field,
          type: `${place === "query" ? "" : `${place}, `}${typeInWords(schema)}`,
        })),
      body: body ? listFields(body.schema) : [],
      example: curlCommand({ path, method, parameters, token, body: body?.example }),
      status,
      answer: JSON.stringify(toExample(answer), null, 2),
      // Those of the page's beginning, which all requests have, are not repeated.
      refusals: Object.entries(responses)
        .filter(([status, { $ref }]) => status >= "4" && status < "500" && !$ref)
        .map(([status, { description = "", content }]) => ({
          status,
          description,
          errors: Object.values(content!["application/json"]!.examples!).map(
            ({ value }) => value.error,
          ),
        })),
    };
  }

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      operation: described(path, method, operation as unknown as DocumentedOperation),
    })),
  );
  return {
    sections: tags.map(({ description, name }) => ({
      name: description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    objects: OBJECTS.map((name) => ({ name, fields: listFields(schemas[name]!) })),
  };
}

const firstAlternative = (schema: Schema): Schema => schema.anyOf?.[0] ?? schema;

/** The object within a value that may be null or a list, and the name of its fields' beginning. */
function innerObject(value: Schema, name: string): [Schema, string] {
  const schema = firstAlternative(value);
  return schema.items ? [schema.items as Schema, `${name}[].`] : [schema, `${name}.`];
}

const schemaName = ({ $ref }: Schema) => $ref!.split("/").at(-1)!;

function typeInWords(schema: Schema): string {
  const { $ref, anyOf, enum: values, type, items, format, minimum, maximum, maxLength } = schema;
  if ($ref) return schemaName(schema);
  if (anyOf) return [...new Set(anyOf.map((one) => typeInWords(one)))].filter(Boolean).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values) return values.join(", ");
  if (type === "array" && !items) return "list";
  if (type === "array") return `${typeInWords({ ...(items as Schema), maxLength: undefined })}[]`;
  if (type === "integer" && minimum !== undefined && maximum !== undefined && maximum <= 1_000_000)
    return `whole number (${minimum} to ${maximum})`;
  if (type === "string" && format === "date-time") return "time";
  if (type === "string" && maxLength) return `string (at most ${maxLength})`;
  if (type === "integer") return "whole number";
  return [type ?? []].flat().join(" or ");
}

interface Request {
  path: string;
  method: string;
  parameters: NonNullable<DocumentedOperation["parameters"]>;
  token: string | null;
  body?: object;
}

/** The ids of the document's examples, as variables of the shell. */
const VARIABLES: Record<string, string> = {
  [EXAMPLE_TOUR]: "$TOUR",
  [EXAMPLE_REVIEW]: "$REVIEW",
  [EXAMPLE_USER]: "$USER",
  [EXAMPLE_BOOKING]: "$BOOKING",
};

function curlCommand({ path, method, parameters, token, body }: Request): string {
  const kind = /^\/api\/(.*)s\/\{id\}/.exec(path)?.[1];
  const query = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const asked = query.some(({ required }) => required)
    ? query.filter(({ required }) => required)
    : query.slice(0, 1);
  const search = asked
    .map(({ name, example }) => `${name}=${variablesIn(String(example))}`)
    .join("&");
  const address = `$BASE${path.replace("{id}", `$${kind?.toUpperCase()}`)}${search && `?${search}`}`;
  const isGet = method === "get";
  return [
    `curl ${isGet ? "" : `-X ${method.toUpperCase()} `}"${address}"`,
    ...(token ? [`-H "Authorization: Bearer ${token}"`] : []),
    ...(body ? [`-d ${shellWord(variablesIn(JSON.stringify(body)))}`] : []),
  ].join(" \\\n  ");
}

/** As a word of the shell, which puts ids in place of variables. */
const shellWord = (text: string) =>
  text.includes("$") ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`;

const variablesIn = (text: string) => text.replace(/[0-9a-f]{24}/g, (id) => VARIABLES[id] ?? id);
