import { expect } from "vitest";
import { z } from "zod";
import { openApiDocument } from "~/server/openapi/document.server";
import { components } from "~/server/openapi/schemas.server";
import type { Answer } from "./app";

// The OpenAPI document as a client reads it.

interface Ref {
  $ref: string;
}
type Schema = Record<string, unknown>;
interface Header {
  schema: Schema;
  /** A header is always present unless it is described as optional. */
  required?: boolean;
}
interface Example {
  value: unknown;
}
interface Content {
  "application/json": { schema: Ref; example?: unknown; examples?: Record<string, Example> };
}
interface Response {
  headers?: Record<string, Ref>;
  content?: Content;
  links?: Record<string, Ref | Link>;
}
/** An operation that can follow an answer, and where that answer contains its parameters. */
interface Link {
  operationId: string;
  parameters: Record<string, string>;
}
interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string }[];
  requestBody?: { content: Content };
  responses: Record<string, Ref | Response>;
}
interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    links: Record<string, Link>;
    securitySchemes: Record<string, Record<string, unknown>>;
  };
}

export const document = (appUrl: string) =>
  JSON.parse(JSON.stringify(openApiDocument(appUrl))) as unknown;

export const doc = document("http://localhost:3000") as Document;

export const OPERATIONS = Object.entries(doc.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

/** All values of that key, at any depth. */
export function all(key: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner as unknown] : []),
    ...all(key, inner),
  ]);
}

export const follow = (ref: string) =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], doc);

/** The value itself, or the target of its reference. */
export const resolved = <Value extends object>(value: Value) =>
  ("$ref" in value ? follow(value.$ref as string) : value) as Exclude<Value, Ref>;

/** Validates with a schema of the document, independently of this project's code. */
export function byDocument(schema: unknown): z.ZodType {
  const whole = { ...(schema as object), $defs: doc.components.schemas };
  return z.fromJSONSchema(
    JSON.parse(JSON.stringify(whole), (key, value: unknown) => {
      if (key === "$ref") return (value as string).replace("#/components/schemas", "#/$defs");
      // Zod applies `required` only to properties that are described next to it.
      const { success, data } = Requirement.safeParse(value);
      return success
        ? { ...data, type: "object", properties: Object.fromEntries(data.required.map(anything)) }
        : value;
    }) as z.core.JSONSchema.JSONSchema,
  );
}

const Requirement = z.strictObject({ required: z.array(z.string()) });
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
const anything = (name: string) => [name, { type: TYPES }] as const;

/** The service's own schemas of bodies, by their names in the document. */
export const ANSWERS: Record<string, z.ZodType> = components;

/** Checks an answer of that operation against the document: its status, headers, body and the text of an error. */
export function expectDocumented(id: string, answer: Answer<unknown>): void {
  const { operation } = OPERATIONS.find((one) => one.id === id)!;
  const documented = operation.responses[answer.status];
  expect(documented, `${id} ${answer.status}`).toBeDefined();
  const { headers = {}, content } = resolved(documented!);
  for (const [name, ref] of Object.entries(headers)) {
    const { schema, required } = follow(ref.$ref) as Header;
    const text = answer.headers.get(name);
    if (text === null && required === false) continue;
    const value = text && schema.type === "integer" ? Number(text) : text;
    expect(byDocument(schema).safeParse(value).error, `${name}: ${value}`).toBeUndefined();
  }
  if (!content) return expect(answer.text).toBe("");
  const [mediaType] = answer.headers.get("content-type")!.split(";");
  expect(Object.keys(content)).toContain(mediaType);
  if (mediaType !== "application/json") return;
  const { schema, examples } = content["application/json"];
  expect(byDocument(schema).safeParse(answer.json).error).toBeUndefined();
  const name = schema.$ref.split("/").at(-1)!;
  expect(ANSWERS[name]!.safeParse(answer.json).error).toBeUndefined();
  // All texts of errors are in it.
  if (examples)
    expect(Object.values(examples).map(({ value }) => value)).toContainEqual(answer.json);
}

/** The operation of a request to exactly an address of the document. */
export const operationOf = (method: string, path: string) =>
  OPERATIONS.find(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replace("{id}", "[^/]+")}$`).test(path.split("?")[0]!),
  );
