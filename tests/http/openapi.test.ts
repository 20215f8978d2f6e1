import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { openApiDocument } from "~/http/openapi/document.server";
import {
  ErrorBody,
  ReviewCreated,
  ReviewDeleted,
  ReviewList,
  ReviewUpdated,
  TourBody,
} from "~/http/openapi/schemas.server";
import { WRITES_A_MINUTE } from "~/services/limits.server";
import { CreateReviewBody, UpdateReviewBody } from "~/services/reviews/schemas";
import { Tour } from "../../models/tour";
import { Review } from "../../models/review";
import { call, logIn, startApp, tokenOf, type Answer, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import {
  fillLimit,
  makeBooking,
  makeGuest,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { PATTERNS } from "../support/manifest";

// The document is OpenAPI 3.1, tells of all of /api and of nothing else, and every answer keeps to it.

// What OpenAPI 3.1 and JSON Schema 2020-12 know, as far as the document uses it: a misspelt key is
// refused, and so is a key that nobody has thought about here.

const Ref = z.strictObject({ $ref: z.string().regex(/^#\/components\/\w+\/\w+$/) });
const text = z.string().min(1);
const named = <Schema extends z.ZodType>(schema: Schema) =>
  z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema);

const type = z.enum(["object", "array", "string", "number", "integer", "boolean", "null"]);
const bound = z.number().optional();
const length = z.number().int().min(0).optional();
const JsonSchema = z.union([
  Ref,
  z.strictObject({
    type: z.union([type, z.array(type).min(1)]).optional(),
    get properties() {
      return z.record(z.string(), JsonSchema).optional();
    },
    required: z.array(z.string()).min(1).optional(),
    get additionalProperties(): z.ZodOptional<z.ZodType> {
      return z.union([z.boolean(), JsonSchema]).optional();
    },
    get items(): z.ZodOptional<z.ZodType> {
      return JsonSchema.optional();
    },
    get anyOf(): z.ZodOptional<z.ZodType> {
      return z.array(JsonSchema).min(1).optional();
    },
    const: z.unknown().optional(),
    pattern: z
      .string()
      .refine((source) => new RegExp(source, "u"))
      .optional(),
    format: z.enum(["date-time", "uuid"]).optional(),
    minimum: bound,
    maximum: bound,
    minLength: length,
    maxLength: length,
    description: text.optional(),
    examples: z.array(z.unknown()).min(1).optional(),
  }),
]) as z.ZodType<object>;

const MediaType = z
  .strictObject({
    schema: Ref,
    example: z.unknown().optional(),
    examples: named(z.strictObject({ value: z.unknown() })).optional(),
  })
  .refine(({ example, examples }) => example === undefined || examples === undefined);
const Content = z.strictObject({ "application/json": MediaType });
const Header = z.strictObject({
  description: text,
  // Here a header is there unless it is said to be optional.
  required: z.literal(false).optional(),
  schema: JsonSchema,
  example: z.unknown().optional(),
});
const Response = z.strictObject({
  description: text,
  headers: named(Ref).optional(),
  content: Content.optional(),
});
const Parameter = z
  .strictObject({
    name: text,
    in: z.enum(["path", "query", "header", "cookie"]),
    required: z.boolean(),
    description: text,
    schema: JsonSchema,
    example: z.unknown(),
  })
  // OpenAPI: a path's parameters are required, and these headers are described elsewhere.
  .refine((parameter) => parameter.in !== "path" || parameter.required)
  .refine(({ name }) => !/^(accept|content-type|authorization)$/i.test(name));
const Operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.array(text).length(1),
  summary: text,
  description: text.optional(),
  security: z.array(z.record(text, z.array(z.string()))),
  parameters: z.array(Parameter).optional(),
  requestBody: z
    .strictObject({ required: z.boolean(), description: text, content: Content })
    .optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([Ref, Response])),
});
const OpenApi = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: text, version: text, description: text }),
  servers: z.array(z.strictObject({ url: z.url() })).length(1),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(
    z.string().regex(/^\/api\//),
    z.partialRecord(z.enum(["get", "post", "put", "patch", "delete"]), Operation),
  ),
  components: z.strictObject({
    schemas: named(JsonSchema),
    headers: named(Header),
    responses: named(Response),
    securitySchemes: named(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("http"), scheme: text, description: text }),
        z.strictObject({
          type: z.literal("apiKey"),
          in: z.enum(["cookie", "header", "query"]),
          name: text,
          description: text,
        }),
      ]),
    ),
  }),
});

/** As a client reads it. */
const document = (appUrl: string) => JSON.parse(JSON.stringify(openApiDocument(appUrl))) as unknown;
const read = document("http://localhost:3000");
const doc = read as z.output<typeof OpenApi>;

const OPERATIONS = Object.entries(doc.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

/** All values of that key, however deep they are. */
function all(key: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner as unknown] : []),
    ...all(key, inner),
  ]);
}

const follow = (ref: string) =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], doc);
/** What stands there, or what the reference there leads to. */
const resolved = <Value>(value: Value) =>
  (Ref.safeParse(value).success ? follow((value as { $ref: string }).$ref) : value) as Exclude<
    Value,
    { $ref: string }
  >;

/** Validates by a schema of the document, and by nothing that this project has written. */
function byDocument(schema: unknown): z.ZodType {
  const whole = { ...(schema as object), $defs: doc.components.schemas };
  return z.fromJSONSchema(
    JSON.parse(JSON.stringify(whole), (key, value: unknown) => {
      if (key === "$ref") return (value as string).replace("#/components/schemas", "#/$defs");
      // Zod reads `required` only of properties that are described beside it.
      const { success, data } = Requirement.safeParse(value);
      return success
        ? { ...data, type: "object", properties: Object.fromEntries(data.required.map(anything)) }
        : value;
    }) as z.core.JSONSchema.JSONSchema,
  );
}
const Requirement = z.strictObject({ required: z.array(z.string()) });
const anything = (name: string) => [name, { type: type.options }] as const;

describe("the document", () => {
  it("is OpenAPI 3.1", () => {
    expect(OpenApi.safeParse(read).error?.issues).toBeUndefined();
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

  it("names each operation once", () => {
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const summaries = OPERATIONS.map(({ operation }) => operation.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
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

  it.each(OPERATIONS)("$id has the parameters of its path", ({ path, operation }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = operation.parameters ?? [];
    expect(parameters.filter((p) => p.in === "path").map(({ name }) => name)).toEqual(inPath);
    expect(new Set(parameters.map((p) => p.in + p.name)).size).toBe(parameters.length);
  });

  it.each(OPERATIONS)("$id asks for a body when it writes one", ({ method, operation }) => {
    expect(operation.requestBody !== undefined).toBe(["POST", "PATCH", "PUT"].includes(method));
  });

  it.each(OPERATIONS)("$id has a good answer, and refuses in one shape", ({ operation }) => {
    const { responses } = operation;
    expect(Object.keys(responses).filter((status) => status.startsWith("2"))).toHaveLength(1);
    for (const [status, response] of Object.entries(responses)) {
      const { content } = resolved(response);
      expect(content === undefined, status).toBe(status === "304");
      if (status >= "400")
        expect(content!["application/json"].schema.$ref).toBe("#/components/schemas/Error");
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
  const COMMENTS = [undefined, null, "", " ", "plain", "\n", "\u0000", "cafe\u0301"];
  const RATINGS = [undefined, null, 0, 1, 3, 5, 6, -1, 4.5, 1e21, "5", "", true, false, [5], {}];
  const LONG = ["a".repeat(5_000), "a".repeat(5_001), "🧭".repeat(5_000), "🧭".repeat(5_001)];
  const ODD_COMMENTS = [7, 0, true, false, ["text"], { $gt: "" }];
  const comments = [...COMMENTS, ...LONG, ...ODD_COMMENTS];

  const BODIES: unknown[] = [
    {},
    [],
    null,
    "text",
    7,
    true,
    { unknown: 1 },
    { tourId },
    { tourId: "no id", rating: 5 },
    { tourId: "", rating: 5 },
    { tourId: null, rating: 5 },
    { tourId: 0, rating: 5 },
    { tourId: false, rating: 5 },
    { rating: 5, unknown: { a: [1] } },
    { tourId, rating: 5, unknown: { a: [1] } },
    ...RATINGS.flatMap((rating) => [{ rating }, { tourId, rating }, { rating, comment: "x" }]),
    ...comments.flatMap((comment) => [
      { comment },
      { rating: 4, comment },
      { tourId, rating: 4, comment },
    ]),
  ].map((body) => JSON.parse(JSON.stringify(body)) as unknown);

  const show = (body: unknown) => JSON.stringify(body).slice(0, 60);
  const SCHEMAS = [
    ["CreateReview", CreateReviewBody],
    ["UpdateReview", UpdateReviewBody],
  ] as const;

  test.each(SCHEMAS)("%s", (name, schema) => {
    const documented = byDocument(doc.components.schemas[name]);
    const verdicts = BODIES.map((body) => [show(body), documented.safeParse(body).success]);
    expect(verdicts).toEqual(BODIES.map((body) => [show(body), schema.safeParse(body).success]));
    const accepted = verdicts.filter(([, accepts]) => accepts).length;
    expect(accepted).toBeGreaterThan(5);
    expect(accepted).toBeLessThan(BODIES.length - 5);
  });

  test.each(SCHEMAS)("%s has the specification's limits", (name) => {
    expect(doc.components.schemas[name]).toMatchObject({
      properties: {
        rating: { type: "integer", minimum: 1, maximum: 5 },
        comment: { anyOf: [{ type: "string", maxLength: 5_000 }, { type: "null" }] },
      },
    });
  });

  test.each(SCHEMAS)("%s is the body of its operation", (name) => {
    const id = name.replace(/^./, (letter) => letter.toLowerCase());
    const { requestBody } = OPERATIONS.find((operation) => operation.id === id)!.operation;
    expect(requestBody!.content["application/json"].schema).toEqual({
      $ref: `#/components/schemas/${name}`,
    });
  });

  // The service's own answer to these is 404, as to any id that no tour has.
  test.each([7, true, [], ["x"], {}])("a tourId of %j is no string", (odd) => {
    const body = { tourId: odd, rating: 5 };
    expect(byDocument(doc.components.schemas.CreateReview).safeParse(body).success).toBe(false);
    expect(CreateReviewBody.safeParse(body).success).toBe(true);
  });
});

/** The service's own schemas of answers, by their names in the document. */
const ANSWERS: Record<string, z.ZodType> = {
  Error: ErrorBody,
  ReviewList,
  ReviewCreated,
  ReviewUpdated,
  ReviewDeleted,
  TourBody,
  OpenApi,
};

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
    ...{ id, title: "Old Town Walk", slug: "old-town-walk", createdById: id },
    ...{ avgRating: 4.5, reviewCount: 2, ratingCounts: counts },
  };
  const { user: _, ...authorless } = review;

  test.each<[string, boolean, unknown]>([
    ["ReviewList", true, { reviews: [] }],
    ["ReviewList", true, { reviews: [review, review] }],
    ["ReviewList", true, { reviews: [{ ...review, comment: " " }] }],
    ["ReviewList", true, { reviews: [{ ...review, user: { name: "Ann", image: "/a.png" } }] }],
    ["ReviewList", false, {}],
    ["ReviewList", false, { reviews: null }],
    ["ReviewList", false, { reviews: [], total: 0 }],
    ["ReviewList", false, { reviews: [authorless] }],
    ["ReviewList", false, { reviews: [{ ...review, editedAt: review.createdAt }] }],
    ["ReviewList", false, { reviews: [{ ...review, id: id.toUpperCase() }] }],
    ["ReviewList", false, { reviews: [{ ...review, rating: 6 }] }],
    ["ReviewList", false, { reviews: [{ ...review, rating: 4.5 }] }],
    ["ReviewList", false, { reviews: [{ ...review, comment: "" }] }],
    ["ReviewList", false, { reviews: [{ ...review, createdAt: "2026-05-01T09:30:00Z" }] }],
    ["ReviewList", false, { reviews: [{ ...review, user: { name: "Ann" } }] }],
    ["ReviewList", false, { reviews: [{ ...review, user: { ...review.user, email: "a@b" } }] }],
    ["ReviewCreated", true, { review, message: "Review submitted successfully" }],
    ["ReviewCreated", false, { review, message: "Review updated successfully" }],
    ["ReviewUpdated", true, { review, message: "Review updated successfully" }],
    ["ReviewUpdated", false, { message: "Review updated successfully" }],
    ["ReviewDeleted", true, { message: "Review deleted successfully" }],
    ["ReviewDeleted", false, { review, message: "Review deleted successfully" }],
    ["TourBody", true, { tour }],
    ["TourBody", false, { tour: { ...tour, reviewCount: -1 } }],
    ["TourBody", false, { tour: { ...tour, avgRating: 5.1 } }],
    ["TourBody", false, { tour: { ...tour, ratingCounts: { ...counts, "0": 0 } } }],
    ["TourBody", false, { tour: { ...tour, description: "" } }],
    ["Error", true, { error: "Not found" }],
    ["Error", false, { error: { message: "Not found" } }],
    ["Error", false, { error: "Not found", stack: "" }],
  ])("%s: %j %j", (name, valid, body) => {
    expect(byDocument(doc.components.schemas[name]).safeParse(body).success).toBe(valid);
    expect(ANSWERS[name]!.safeParse(body).success).toBe(valid);
  });
});

useDatabase();
let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri());
});
afterAll(() => app.stop());

describe("GET /api/openapi.json", () => {
  it("gives the document with the site's own address", async () => {
    const answer = await call<unknown>(app, "GET", "/api/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toEqual(document(app.url));
    expect((answer.json as typeof doc).servers).toEqual([{ url: app.url }]);
  });

  it("is the same for everybody", async () => {
    const nobody = await call(app, "GET", "/api/openapi.json");
    const token = await tokenOf(await makeUser());
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const somebody = await call(app, "GET", "/api/openapi.json?a=b", { token, headers });
    expect(somebody.text).toBe(nobody.text);
    expect(somebody.headers.get("set-cookie")).toBeNull();
  });
});

/** The pattern of every route under /api. */
const API_PATTERNS = PATTERNS.filter((pattern) => pattern.startsWith("/api/"));

describe("the routes", () => {
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

  it("are the document's paths, and the one that answers for all others", () => {
    const paths = API_PATTERNS.map((pattern) => pattern.replace(/:(\w+)/g, "{$1}"));
    expect(paths.sort()).toEqual([...Object.keys(doc.paths), "/api/*"].sort());
  });

  it.each(METHODS)("which answers 404 to %s", async (method) => {
    const answer = await call(app, method, "/api/some/where");
    expect(answer.status).toBe(404);
    if (method !== "HEAD") expect(ErrorBody.parse(answer.json)).toEqual({ error: "Not found" });
  });

  it.each(Object.keys(doc.paths))("%s has the document's methods and no other", async (path) => {
    const documented = Object.keys(doc.paths[path]!).map((method) => method.toUpperCase());
    if (documented.includes("GET")) documented.push("HEAD");
    const served: string[] = [];
    for (const method of METHODS) {
      const address = path.replace(/\{\w+\}/, new Types.ObjectId().toString());
      const { status, headers } = await call(app, method, address);
      if (status !== 405) served.push(method);
      else expect(headers.get("allow")!.split(", ").sort()).toEqual(documented.sort());
    }
    expect(served.sort()).toEqual(documented.sort());
  });
});

/** A tour with one review, and everybody who may want something of them. */
async function scene() {
  const guide = await makeUser({ name: "Gwen Guide", image: "https://img.example/gwen.png" });
  const tour = await makeTour({ createdById: guide._id });
  const author = await makeGuest(tour, { name: "Ann", image: "https://img.example/ann.png" });
  const guest = await makeGuest(tour, { name: "" });
  const review = await makeReview(author, tour, { comment: "as it was" });
  return {
    tour,
    review,
    guest,
    guide: await tokenOf(guide),
    /** The token of the review's author. */
    author: await tokenOf(author),
    /** The token of somebody who may review the tour. */
    token: await tokenOf(guest),
    tourId: tour._id.toString(),
    reviewId: review._id.toString(),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Sent = NonNullable<Parameters<typeof call>[3]> & {
  /** Another id in the path. */
  id?: string;
  /** Another query. */
  search?: string;
  method?: string;
};

/** Sends what the operation asks for, or what `sent` has instead. */
async function send(id: string, { tourId, reviewId }: Scene, sent: Sent): Promise<Answer<unknown>> {
  const { method, path } = OPERATIONS.find((operation) => operation.id === id)!;
  const target = sent.id ?? (path.startsWith("/api/tours/") ? tourId : reviewId);
  const search = sent.search ?? (id === "listReviews" ? `?tourId=${tourId}` : "");
  return call<unknown>(app, sent.method ?? method, path.replace("{id}", target) + search, sent);
}

/** Announces a body that is too large, with any method; `fetch` gives a GET none. */
async function announceTooMuch(id: string, { reviewId }: Scene): Promise<Answer<unknown>> {
  const { method, path } = OPERATIONS.find((operation) => operation.id === id)!;
  const request = httpRequest(app.url + path.replace("{id}", reviewId), {
    method,
    headers: { "content-length": 64 * 1024 + 1 },
  });
  request.flushHeaders();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  request.on("error", () => {}).destroy();
  const headers = new Headers(response.headers as Record<string, string>);
  return { status: response.statusCode!, headers, text, json: JSON.parse(text) as unknown };
}

/** Holds an answer to what the document says of it. */
function expectDocumented(id: string, answer: Answer<unknown>): void {
  const { operation } = OPERATIONS.find((operation) => operation.id === id)!;
  const documented = operation.responses[answer.status];
  expect(documented, `${id} ${answer.status}`).toBeDefined();
  const { headers = {}, content } = resolved(documented!);
  for (const [name, ref] of Object.entries(headers)) {
    const { schema, required } = follow(ref.$ref) as z.output<typeof Header>;
    const text = answer.headers.get(name);
    if (text === null && required === false) continue;
    const value = text && "type" in schema && schema.type === "integer" ? Number(text) : text;
    expect(byDocument(schema).safeParse(value).error, `${name}: ${value}`).toBeUndefined();
  }
  if (!content) {
    expect(answer.text).toBe("");
    expect(answer.headers.get("content-type")).toBeNull();
    return;
  }
  const [mediaType] = answer.headers.get("content-type")!.split(";");
  expect(Object.keys(content)).toEqual([mediaType]);
  const { schema, examples } = content["application/json"];
  expect(byDocument(schema).safeParse(answer.json).error).toBeUndefined();
  const name = schema.$ref.split("/").at(-1)!;
  expect(ANSWERS[name]!.safeParse(answer.json).error).toBeUndefined();
  // The texts of errors are all there.
  if (examples)
    expect(Object.values(examples).map(({ value }) => value)).toContainEqual(answer.json);
}

/** What the document says an operation may answer: the status, and the text of an error. */
function possible({ id, operation }: (typeof OPERATIONS)[number]): string[] {
  return Object.entries(operation.responses).flatMap(([status, response]) => {
    const { content } = resolved(response);
    const examples = Object.values(content?.["application/json"].examples ?? { none: {} });
    return examples.map((example) => {
      const { error = "" } = ((example as { value?: unknown }).value ?? {}) as { error?: string };
      return `${id} ${status} ${error}`.trim();
    });
  });
}

const BAD_RATING = "Rating must be an integer between 1 and 5";
const BAD_COMMENT = "Comment must be a string";
const LONG_COMMENT = "Comment must be at most 5000 characters";
const NOT_COMPLETED =
  "You can only review tours that you have completed. The guide marks a tour as completed after it took place; otherwise that happens automatically 24 hours after the tour date.";
const TOO_LARGE = "Request body too large";
const unknown = new Types.ObjectId().toString();
const long = "a".repeat(5_001);

/** Breaks a stored record as no version of this app does, so that the code meets the unexpected. */
const broken = {
  review: ({ review }: Scene, fields: object) =>
    Review.collection.updateOne({ _id: review._id }, { $set: fields }),
  tour: ({ tour }: Scene, fields: object) =>
    Tour.collection.updateOne({ _id: tour._id }, { $set: fields }),
};

/** Every documented answer but one, and how to come by it. */
const CASES: [string, (scene: Scene) => Sent | Promise<Sent>][] = [
  ["listReviews 200", () => ({})],
  [
    "listReviews 304",
    async (scene) => {
      const { headers } = await send("listReviews", scene, {});
      return { headers: { "if-none-match": headers.get("etag")! } };
    },
  ],
  ["listReviews 400 Tour ID is required", () => ({ search: "" })],
  ["listReviews 405 Method not allowed", () => ({ method: "PUT" })],
  [
    "listReviews 500 Failed to fetch reviews",
    async (scene) => {
      await broken.review(scene, { createdAt: null });
      return {};
    },
  ],

  ["createReview 201", ({ token, tourId }) => ({ token, body: { tourId, rating: 5 } })],
  [
    "createReview 201",
    async (scene) => {
      const body = { tourId: scene.tourId, rating: 5 };
      const sent = { token: scene.token, body, headers: { "idempotency-key": "a key" } };
      await send("createReview", scene, sent);
      return sent;
    },
  ],
  [
    "createReview 400 Idempotency-Key must be 1 to 255 printable ASCII characters",
    ({ token }) => ({ token, headers: { "idempotency-key": "ä" } }),
  ],
  [
    "createReview 422 This Idempotency-Key was already used with another body",
    async (scene) => {
      const body = { tourId: scene.tourId, rating: 5 };
      const sent = { token: scene.token, body, headers: { "idempotency-key": "a key" } };
      await send("createReview", scene, sent);
      return { ...sent, body: { ...body, rating: 4 } };
    },
  ],
  ["createReview 400 Missing required fields", ({ token }) => ({ token, body: { rating: 5 } })],
  [
    `createReview 400 ${BAD_RATING}`,
    ({ token, tourId }) => ({ token, body: { tourId, rating: 6 } }),
  ],
  [
    `createReview 400 ${BAD_COMMENT}`,
    ({ token, tourId }) => ({ token, body: { tourId, rating: 5, comment: 7 } }),
  ],
  [
    `createReview 400 ${LONG_COMMENT}`,
    ({ token, tourId }) => ({ token, body: { tourId, rating: 5, comment: long } }),
  ],
  [
    "createReview 400 You cannot review your own tour",
    ({ guide, tourId }) => ({ token: guide, body: { tourId, rating: 5 } }),
  ],
  [
    "createReview 400 You have already reviewed this tour",
    ({ author, tourId }) => ({ token: author, body: { tourId, rating: 5 } }),
  ],
  [
    `createReview 400 ${NOT_COMPLETED}`,
    async ({ guest, token }) => {
      const tour = await makeTour();
      await makeBooking(guest, tour, { status: "CONFIRMED" });
      return { token, body: { tourId: tour._id.toString(), rating: 5 } };
    },
  ],
  ["createReview 401 Unauthorized", ({ tourId }) => ({ body: { tourId, rating: 5 } })],
  [
    "createReview 404 Tour not found",
    ({ token }) => ({ token, body: { tourId: unknown, rating: 5 } }),
  ],
  [
    `createReview 429 Too many requests`,
    async ({ token, guest }) => {
      await fillLimit("write", guest._id.toString(), WRITES_A_MINUTE);
      return { token, body: {} };
    },
  ],
  ["createReview 405 Method not allowed", ({ token }) => ({ token, method: "PUT" })],
  [
    "createReview 500 Failed to create review",
    async (scene) => {
      await broken.tour(scene, { createdById: null });
      return { token: scene.token, body: { tourId: scene.tourId, rating: 5 } };
    },
  ],

  ["updateReview 200", ({ author }) => ({ token: author, body: { rating: 1, comment: "" } })],
  ["updateReview 400 No fields to update", ({ author }) => ({ token: author, body: {} })],
  [`updateReview 400 ${BAD_RATING}`, ({ author }) => ({ token: author, body: { rating: null } })],
  [`updateReview 400 ${BAD_COMMENT}`, ({ author }) => ({ token: author, body: { comment: 7 } })],
  [
    `updateReview 400 ${LONG_COMMENT}`,
    ({ author }) => ({ token: author, body: { comment: long } }),
  ],
  [
    "updateReview 412 The review was changed meanwhile",
    ({ author }) => ({ token: author, body: { rating: 1 }, headers: { "if-match": '"another"' } }),
  ],
  ["updateReview 401 Unauthorized", () => ({ body: { rating: 1 } })],
  [
    "updateReview 403 You can only edit your own reviews",
    ({ token }) => ({ token, body: { rating: 1 } }),
  ],
  [
    "updateReview 403 Reviews can only be edited within 24 hours of posting",
    async (scene) => {
      await broken.review(scene, { createdAt: new Date(Date.now() - 25 * 60 * 60 * 1_000) });
      return { token: scene.author, body: { rating: 1 } };
    },
  ],
  [
    "updateReview 404 Review not found",
    ({ author }) => ({ token: author, id: unknown, body: { rating: 1 } }),
  ],
  [
    `updateReview 429 Too many requests`,
    async ({ token, guest }) => {
      await fillLimit("write", guest._id.toString(), WRITES_A_MINUTE);
      return { token, body: {} };
    },
  ],
  ["updateReview 405 Method not allowed", ({ author }) => ({ token: author, method: "POST" })],
  [
    "updateReview 500 Failed to update review",
    async (scene) => {
      await broken.review(scene, { createdAt: null });
      return { token: scene.author, body: { rating: 1 } };
    },
  ],

  ["deleteReview 200", ({ author }) => ({ token: author })],
  [
    "deleteReview 412 The review was changed meanwhile",
    ({ author }) => ({ token: author, headers: { "if-match": '"another"' } }),
  ],
  ["deleteReview 401 Unauthorized", () => ({})],
  ["deleteReview 403 You can only delete your own reviews", ({ token }) => ({ token })],
  ["deleteReview 404 Review not found", ({ author }) => ({ token: author, id: "no-id" })],
  [
    `deleteReview 429 Too many requests`,
    async ({ token, guest }) => {
      await fillLimit("write", guest._id.toString(), WRITES_A_MINUTE);
      return { token };
    },
  ],
  ["deleteReview 405 Method not allowed", ({ author }) => ({ token: author, method: "GET" })],
  [
    "deleteReview 500 Failed to delete review",
    async (scene) => {
      await broken.review(scene, { userId: null });
      return { token: scene.author };
    },
  ],

  ["getTour 200", () => ({})],
  ["getTour 404 Tour not found", () => ({ id: unknown })],
  ["getTour 405 Method not allowed", () => ({ method: "DELETE" })],
  [
    "getTour 500 Failed to fetch tour",
    async (scene) => {
      await broken.tour(scene, { createdById: null });
      return {};
    },
  ],

  ["getOpenApi 200", () => ({})],
  ["getOpenApi 405 Method not allowed", () => ({ method: "POST" })],
];

describe("an answer keeps to the document", () => {
  test("and each that the document promises is among these", () => {
    const produced = [
      ...new Set(CASES.map(([name]) => name)),
      ...OPERATIONS.map(({ id }) => `${id} 413 ${TOO_LARGE}`),
      // Nothing that is stored or sent can make the document fail.
      "getOpenApi 500 Failed to make the OpenAPI document",
    ];
    expect(produced.sort()).toEqual(OPERATIONS.flatMap(possible).sort());
  });

  test.each(CASES)("%s", async (name, prepare) => {
    const [, id, status, error] = /^(\w+) (\d+) ?(.*)$/.exec(name)!;
    const scenery = await scene();
    const answer = await send(id!, scenery, await prepare(scenery));
    expect([answer.status, (answer.json as { error?: string } | undefined)?.error ?? ""]).toEqual([
      Number(status),
      error,
    ]);
    expectDocumented(id!, answer);
  });

  test.each(OPERATIONS)(`$id 413 ${TOO_LARGE}`, async ({ id }) => {
    const answer = await announceTooMuch(id, await scene());
    expect([answer.status, answer.json]).toEqual([413, { error: TOO_LARGE }]);
    expectDocumented(id, answer);
  });

  test("to a list that is empty, and to one with authors that are gone", async () => {
    const scenery = await scene();
    const empty = await send("listReviews", scenery, { search: `?tourId=${unknown}` });
    expect(empty.json).toEqual({ reviews: [] });
    expectDocumented("listReviews", empty);
    await makeReview({ _id: new Types.ObjectId() }, scenery.tour, { comment: " " });
    const list = await send("listReviews", scenery, {});
    expect((list.json as z.output<typeof ReviewList>).reviews).toHaveLength(2);
    expectDocumented("listReviews", list);
  });

  test("to a tour without reviews", async () => {
    const tour = await makeTour();
    const answer = await send("getTour", await scene(), { id: tour._id.toString() });
    expect(answer.json).toMatchObject({ tour: { avgRating: 0, reviewCount: 0 } });
    expectDocumented("getTour", answer);
  });
});

describe("who may ask", () => {
  it.each(OPERATIONS)("$id refuses nobody exactly if it needs somebody", async (operation) => {
    const { id } = operation;
    const { status } = await send(id, await scene(), {});
    expect(status === 401).toBe(operation.operation.security.length > 0);
    expect(operation.operation.responses[401] !== undefined).toBe(status === 401);
  });

  it("every documented way to be somebody is one", async () => {
    const { securitySchemes } = doc.components;
    expect(securitySchemes.token).toMatchObject({ type: "http", scheme: "bearer" });
    const scenery = await scene();
    const body = { tourId: scenery.tourId, rating: 5 };
    const cookie = await logIn(app, scenery.guest.email);
    expect(securitySchemes.session).toMatchObject({
      type: "apiKey",
      in: "cookie",
      name: cookie.split("=")[0],
    });
    const bySession = await send("createReview", scenery, { cookie, body });
    expect(bySession.status).toBe(201);
    expectDocumented("createReview", bySession);
  });
});
