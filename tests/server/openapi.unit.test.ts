import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it, test } from "vitest";
import { openApiDocument } from "~/server/openapi/document.server";
import { PostReviewBody, EditReviewBody } from "~/reviews/schemas";
import { version } from "../../package.json";
import { OPERATIONS, byDocument, doc, document, follow, resolved, all } from "../support/openapi";

describe("the document", () => {
  it("is OpenAPI 3.1", async () => {
    const validator = new Validator();
    // It keeps what it validates, and changes it.
    const read = document("http://localhost:3000") as Record<string, unknown>;
    expect(await validator.validate(read)).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(read.info).toMatchObject({ version });
  });

  it("describes what is under /api, in JSON alone, each operation with one tag", () => {
    for (const { path, operation } of OPERATIONS) {
      expect(path).toMatch(/^\/api\//);
      expect(operation.tags).toHaveLength(1);
      expect(operation.security).toBeInstanceOf(Array);
      const responses = Object.values(operation.responses).map(resolved);
      for (const { content } of [operation.requestBody, ...responses].filter(Boolean) as {
        content?: object;
      }[])
        if (content)
          expect([["application/json"], ["application/x-ndjson"]]).toContainEqual(
            Object.keys(content),
          );
      // OpenAPI: a path's parameters are required, and these headers are described elsewhere.
      for (const { name, in: place, required } of operation.parameters ?? []) {
        expect(required || place !== "path").toBe(true);
        expect(name).not.toMatch(/^(accept|content-type|authorization)$/i);
      }
    }
  });

  it("has references that lead somewhere, and no component that nothing leads to", () => {
    const refs = all("$ref", doc) as string[];
    for (const ref of refs) expect(follow(ref), ref).toBeTypeOf("object");
    const { securitySchemes: _, ...components } = doc.components;
    const there = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...new Set(refs)].sort()).toEqual(there.sort());
  });

  it("names the cookie as browsers get it", () => {
    const name = (appUrl: string) =>
      openApiDocument(appUrl).components.securitySchemes.session.name;
    expect(name("http://localhost:3000")).toBe("session");
    expect(name("https://tours.example.test")).toBe("__Host-session");
  });

  it.each(OPERATIONS)(
    "$id asks for a body when it writes one, has a good answer, and refuses in one shape",
    ({ method, operation: { requestBody, responses, security } }) => {
      expect(security.length > 0).toBe("401" in responses);
      expect(requestBody !== undefined).toBe(["POST", "PATCH", "PUT"].includes(method));
      const good = Object.keys(responses).filter((status) => status.startsWith("2"));
      expect([["200"], ["201"], ["200", "201"]]).toContainEqual(good);
      for (const [status, response] of Object.entries(responses)) {
        const { content } = resolved(response);
        expect(content === undefined, status).toBe(status === "304");
        if (status >= "400")
          expect(content!["application/json"].schema.$ref).toBe("#/components/schemas/Error");
      }
    },
  );

  it("has examples that are valid by their own schemas", () => {
    const examples: [unknown, unknown][] = [];
    const collect = (value: unknown) => {
      if (typeof value !== "object" || value === null) return;
      const { schema, example, examples: more } = value as Record<string, unknown>;
      if (schema && example !== undefined) examples.push([schema, example]);
      if (schema && more)
        for (const { value } of Object.values(more) as { value: unknown }[])
          examples.push([schema, value]);
      if (Array.isArray(more))
        examples.push(...more.map((one) => [value, one] as [object, object]));
      Object.values(value).forEach(collect);
    };
    collect(doc);
    expect(examples.length).toBeGreaterThan(30);
    for (const [schema, example] of examples)
      expect(byDocument(schema).safeParse(example).error, JSON.stringify(example)).toBeUndefined();
  });
});

describe("the document's schemas of requests say what the service's say", () => {
  const tourId = "66a1f0c2d4e5f60718293a4b";
  const fields = { tourId, rating: 5 };
  const BODIES: unknown[] = [
    ...[{}, [], null, "text", { ...fields, unknown: 1 }, { ...fields, tourId: null }],
    ...[null, 0, 1, 6, 4.5, "5", true, [5]].flatMap((rating) => [{ rating }, { tourId, rating }]),
    ...[null, "", "a".repeat(5_000), "🧭".repeat(5_000), "🧭".repeat(5_001), 7, ["text"]].flatMap(
      (comment) => [{ comment }, { ...fields, comment }],
    ),
  ];

  const show = (body: unknown) => JSON.stringify(body).slice(0, 60);
  const SCHEMAS = [
    ["CreateReview", PostReviewBody],
    ["UpdateReview", EditReviewBody],
  ] as const;

  test.each(SCHEMAS)("%s, the body of its operation", (name, schema) => {
    const id = name.replace(/^./, (letter) => letter.toLowerCase());
    const { requestBody } = OPERATIONS.find((operation) => operation.id === id)!.operation;
    const $ref = `#/components/schemas/${name}`;
    expect(requestBody!.content["application/json"].schema).toEqual({ $ref });
    const documented = byDocument(doc.components.schemas[name]);
    const verdicts = BODIES.map((body) => [show(body), documented.safeParse(body).success]);
    expect(verdicts).toEqual(BODIES.map((body) => [show(body), schema.safeParse(body).success]));
    const accepted = verdicts.filter(([, accepts]) => accepts).length;
    expect(accepted).toBeGreaterThan(5);
    expect(accepted).toBeLessThan(BODIES.length - 5);
    // The specification's limits.
    expect(doc.components.schemas[name]).toMatchObject({
      properties: {
        rating: { type: "integer", minimum: 1, maximum: 5 },
        comment: { anyOf: [{ type: "string", maxLength: 5_000 }, { type: "null" }] },
      },
    });
  });
});
