import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it, test } from "vitest";
import { openApiDocument } from "~/server/openapi/document.server";
import { PostReviewBody, EditReviewBody } from "~/reviews/schemas";
import { version } from "../../package.json";
import { OPERATIONS, byDocument, doc, document, follow, resolved, all } from "../support/openapi";

// The document of the API by itself. Whether the site answers as it says: openapi-answers.http.slow.test.ts.

it("is OpenAPI 3.1", async () => {
  const validator = new Validator();
  // It keeps what it validates, and changes it.
  const read = document("http://localhost:3000") as Record<string, unknown>;
  expect(await validator.validate(read)).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
  expect(read.info).toMatchObject({ version });
});

it("has references and links that lead somewhere, and no component that nothing leads to", () => {
  const refs = all("$ref", doc) as string[];
  for (const ref of refs) expect(follow(ref), ref).toBeTypeOf("object");
  const { securitySchemes: _, ...components } = doc.components;
  const there = Object.entries(components).flatMap(([kind, members]) =>
    Object.keys(members).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...new Set(refs)].sort()).toEqual(there.sort());
  for (const { operationId, parameters } of Object.values(doc.components.links)) {
    const { operation } = OPERATIONS.find(({ id }) => id === operationId)!;
    const known = (operation.parameters ?? []).map((parameter) => resolved(parameter).name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(parameters)));
  }
});

it("names the cookie as browsers get it", () => {
  const name = (appUrl: string) => openApiDocument(appUrl).components.securitySchemes.session.name;
  expect(name("http://localhost:3000")).toBe("session");
  expect(name("https://tours.example.test")).toBe("__Host-session");
});

it.each(OPERATIONS)(
  "$id asks for a body when it writes one, has a good answer, and refuses in one shape",
  ({ method, operation: { requestBody, responses, security } }) => {
    expect(security.length > 0).toBe("401" in responses);
    expect(requestBody !== undefined).toBe(["POST", "PATCH", "PUT"].includes(method));
    expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
    for (const [status, response] of Object.entries(responses)) {
      const { content } = resolved(response);
      expect(content === undefined, status).toBe(["204", "304"].includes(status));
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
    if (Array.isArray(more)) examples.push(...more.map((one) => [value, one] as [object, object]));
    Object.values(value).forEach(collect);
  };
  collect(doc);
  expect(examples.length).toBeGreaterThan(30);
  for (const [schema, example] of examples)
    expect(byDocument(schema).safeParse(example).error, JSON.stringify(example)).toBeUndefined();
});

test.each([
  ["CreateReview", PostReviewBody],
  ["UpdateReview", EditReviewBody],
] as const)("the schema %s accepts what the service's accepts", (name, schema) => {
  const fields = { tourId: "66a1f0c2d4e5f60718293a4b", rating: 5 };
  const ratings = [null, 0, 1, 5, 6, 4.5, "5"];
  const comments = [null, "", "🧭".repeat(5_000), "🧭".repeat(5_001), 7];
  const bodies: unknown[] = [
    ...[{}, [], null, "text", { ...fields, unknown: 1 }, { ...fields, tourId: null }],
    ...ratings.flatMap((rating) => [{ rating }, { ...fields, rating }]),
    ...comments.flatMap((comment) => [{ comment }, { ...fields, comment }]),
  ];
  const id = name.replace(/^./, (letter) => letter.toLowerCase());
  const { requestBody } = OPERATIONS.find((operation) => operation.id === id)!.operation;
  expect(requestBody!.content["application/json"].schema).toEqual({
    $ref: `#/components/schemas/${name}`,
  });
  const documented = byDocument(doc.components.schemas[name]);
  const accepted = bodies.filter((body) => documented.safeParse(body).success);
  expect(accepted).toEqual(bodies.filter((body) => schema.safeParse(body).success));
  expect(accepted.length).toBeGreaterThan(5);
  expect(accepted.length).toBeLessThan(bodies.length - 5);
});
