import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it, test } from "vitest";
import { openApiDocument } from "~/server/openapi/document.server";
import { PostReviewBody, EditReviewBody } from "~/reviews/schemas";
import { version } from "../../package.json";
import {
  OPERATIONS,
  ANSWERS,
  byDocument,
  doc,
  document,
  follow,
  resolved,
  all,
} from "../support/openapi";

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

  it("names each operation once, and describes it", () => {
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of OPERATIONS) expect(operation.description).toMatch(/^[A-Z].*\.$/);
    // A field of a record is called so, too.
    for (const text of all("description", doc))
      if (typeof text === "string") expect(text).toMatch(/\S/);
  });

  it("declares every tag and every way to be somebody, and uses it", () => {
    expect([...new Set(OPERATIONS.flatMap(({ operation }) => operation.tags))]).toEqual(
      doc.tags.map(({ name }) => name),
    );
    const used = OPERATIONS.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    expect([...new Set(used)]).toEqual(Object.keys(doc.components.securitySchemes));
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

  it("has links to operations, with parameters that these have", () => {
    const links = Object.values(doc.components.links);
    expect(links.length).toBeGreaterThan(3);
    for (const { operationId, parameters } of links) {
      const { operation } = OPERATIONS.find(({ id }) => id === operationId)!;
      const names = operation.parameters?.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
  });

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
  const RATINGS = [undefined, null, 0, 1, 3, 5, 6, -1, 4.5, 1e21, "5", "", true, false, [5], {}];
  const COMMENTS = [
    ...[undefined, null, "", " ", "plain", "\n", "\u0000", "cafe\u0301"],
    ...["a", "🧭"].flatMap((character) => [character.repeat(5_000), character.repeat(5_001)]),
    ...[7, 0, true, false, ["text"], { $gt: "" }],
  ];

  const BODIES: unknown[] = [
    ...[{}, [], null, "text", 7, true, { unknown: 1 }, { tourId }],
    ...["no id", "", null, 0, false].map((odd) => ({ tourId: odd, rating: 5 })),
    ...[{ rating: 5 }, { tourId, rating: 5 }].map((body) => ({ ...body, unknown: { a: [1] } })),
    ...RATINGS.flatMap((rating) => [{ rating }, { tourId, rating }, { rating, comment: "x" }]),
    ...COMMENTS.flatMap((comment) => [
      { comment },
      { rating: 4, comment },
      { tourId, rating: 4, comment },
    ]),
  ].map((body) => JSON.parse(JSON.stringify(body)) as unknown);

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

  // The service's own answer to these is 404, as to any id that no tour has.
  test.each([7, true, [], ["x"], {}])("a tourId of %j is no string", (odd) => {
    const body = { tourId: odd, rating: 5 };
    expect(byDocument(doc.components.schemas.CreateReview).safeParse(body).success).toBe(false);
    expect(PostReviewBody.safeParse(body).success).toBe(true);
  });
});

describe("the document's schemas of answers say what the service's say", () => {
  const id = "66a1f0c2d4e5f60718293a4b";
  const review = {
    id,
    tourId: id,
    userId: id,
    rating: 5,
    comment: null as string | null,
    createdAt: "2026-05-01T09:30:00.000Z",
    user: { name: "", image: null as string | null },
  };
  const counts = { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 };
  const tour = {
    id,
    title: "Old Town Walk",
    slug: "old-town-walk",
    createdById: id,
    avgRating: 4.5,
    reviewCount: 2,
    ratingCounts: counts,
  };
  const { user: _, ...authorless } = review;

  const list = (...reviews: unknown[]) => ({ reviews });
  const rated = (rating: unknown) => list({ ...review, rating });
  const by = (user: object) => list({ ...review, user });

  test.each<[string, boolean, unknown]>([
    ["ReviewList", true, list()],
    ["ReviewList", true, list(review, { ...review, comment: " " })],
    ["ReviewList", true, by({ name: "Ann", image: "/a.png" })],
    ["ReviewList", true, rated(4.5)],
    ["ReviewList", true, rated(null)],
    ["ReviewList", false, { reviews: null }],
    ["ReviewList", false, { ...list(), total: 0 }],
    ["ReviewList", false, list(authorless)],
    ["ReviewList", false, list({ ...review, edited: true })],
    ["ReviewList", false, list({ ...review, id: id.toUpperCase() })],
    ["ReviewList", false, rated(6)],
    ["ReviewList", false, rated("4")],
    ["ReviewList", false, list({ ...review, comment: "" })],
    ["ReviewList", false, list({ ...review, createdAt: "2026-05-01T09:30:00Z" })],
    ["ReviewList", false, by({ name: "Ann" })],
    ["ReviewList", false, by({ ...review.user, email: "a@b" })],
    ["ReviewCreated", true, { review, message: "Review submitted successfully" }],
    ["ReviewCreated", false, { review, message: "Review updated successfully" }],
    ["ReviewDeleted", false, { review, message: "Review deleted successfully" }],
    ["TourOrRating", true, { tour }],
    ["TourOrRating", false, { tour: { ...tour, reviewCount: -1 } }],
    ["TourOrRating", false, { tour: { ...tour, avgRating: 5.1 } }],
    ["TourOrRating", false, { tour: { ...tour, ratingCounts: { ...counts, "0": 0 } } }],
    ["TourOrRating", false, { tour: { ...tour, description: "" } }],
    ["Error", false, { error: "Not found", stack: "" }],
  ])("%s: %j %j", (name, valid, body) => {
    expect(byDocument(doc.components.schemas[name]).safeParse(body).success).toBe(valid);
    expect(ANSWERS[name]!.safeParse(body).success).toBe(valid);
  });
});
