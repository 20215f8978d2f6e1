import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { components } from "~/server/openapi/schemas.server";
import { createServiceToken } from "~/accounts/tokens.server";
import { toCurrentUser } from "~/accounts/users.server";
import { sha256 } from "~/infra/digest.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { AccessToken } from "#models/access-token";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import { Review } from "#models/review";
import { call, startApp, tokenOf, type Answer, type App } from "../support/app";
import { databaseUri } from "../support/database";
import { startDatabaseProxy } from "../support/outages";
import {
  fillLimit,
  insertReviews,
  makeBooking,
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { OPERATIONS, ANSWERS, byDocument, follow, resolved, type Header } from "../support/openapi";
import { app, useScene } from "../support/shared-app";

/** A tour with one review, and everybody who may use them. */
async function makeScene() {
  const guide = await makeUser({ name: "Gwen Guide", image: "https://img.example/gwen.png" });
  const tour = await makeTour({ createdById: guide._id });
  const author = await makeBookedExplorer(tour, {
    name: "Ann",
    image: "https://img.example/ann.png",
  });
  const guest = await makeBookedExplorer(tour, { name: "" });
  const review = await makeReview(author, tour, { comment: "as it was" });
  return {
    tour,
    review,
    guest,
    gwen: guide,
    guide: await tokenOf(guide),
    /** The token of the review's author. */
    author: await tokenOf(author),
    /** The token of an explorer who may review the tour. */
    token: await tokenOf(guest),
    service: await createServiceToken("Platform"),
    tourId: tour._id.toString(),
    reviewId: review._id.toString(),
  };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;
const getScene = useScene(makeScene);

type Sent = NonNullable<Parameters<typeof call>[3]> & {
  /** Another id in the path. */
  id?: string;
  /** Another query. */
  search?: string;
  method?: string;
  /** Another app than the shared one. */
  to?: App;
};

/** Sends the operation's request, or what `sent` gives in its place. */
async function send(
  id: string,
  { tourId, reviewId, tour: { slug } }: Scene,
  sent: Sent,
): Promise<Answer<unknown>> {
  const { method, path } = OPERATIONS.find((operation) => operation.id === id)!;
  const target = sent.id ?? (/^\/api\/(tours|users|bookings)\//.test(path) ? tourId : reviewId);
  const query: Record<string, string> = {
    listReviews: `?tourId=${tourId}`,
    findTour: `?slug=${slug}`,
    listRatings: `?tourIds=${tourId}`,
  };
  const search = sent.search ?? query[id] ?? "";
  return call<unknown>(
    sent.to ?? app,
    sent.method ?? method,
    path.replace("{id}", target) + search,
    sent,
  );
}

/** Announces a body that is too large, with any method; `fetch` gives a GET no body. */
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

/** Checks an answer against the document. */
function expectDocumented(id: string, answer: Answer<unknown>): void {
  const { operation } = OPERATIONS.find((operation) => operation.id === id)!;
  const documented = operation.responses[answer.status];
  expect(documented, `${id} ${answer.status}`).toBeDefined();
  const { headers = {}, content } = resolved(documented!);
  for (const [name, ref] of Object.entries(headers)) {
    const { schema, required } = follow(ref.$ref) as Header;
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
  if (mediaType !== "application/json") return;
  const { schema, examples } = content["application/json"];
  expect(byDocument(schema).safeParse(answer.json).error).toBeUndefined();
  const name = schema.$ref.split("/").at(-1)!;
  expect(ANSWERS[name]!.safeParse(answer.json).error).toBeUndefined();
  // All texts of errors are in it.
  if (examples)
    expect(Object.values(examples).map(({ value }) => value)).toContainEqual(answer.json);
}

/** The answers that the document allows an operation: the status, and the text of an error. */
function possible({ id, operation }: (typeof OPERATIONS)[number]): string[] {
  return Object.entries(operation.responses).flatMap(([status, response]) => {
    const { content } = resolved(response);
    const examples = Object.values(content?.["application/json"]?.examples ?? { none: {} });
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
const RECORD_CHANGED = "The record was changed meanwhile";
const tourOf = ({ gwen }: Scene, slug: string) => ({
  title: "Night",
  slug,
  createdById: gwen._id.toString(),
});
const BAD_CURSOR = "after must be a cursor from the Link of an answer";
const PREPARING = "The search is being prepared";
const unknown = new Types.ObjectId().toString();
const long = "a".repeat(5_001);
const REPLY = { text: "Thank you." };

/** What an app without a database answers: the unexpected failure. */
let away: App;
beforeAll(async () => {
  const proxy = await startDatabaseProxy(databaseUri());
  away = await startApp(proxy.uri);
  await proxy.cut();
});
afterAll(() => away.stop());

/** Documented, but no case can produce them: nothing makes the document fail, and an app that answers knows its tours. */
const IMPOSSIBLE = [
  "getOpenApi 500 Failed to make the OpenAPI document",
  "findTour 503 The search is being prepared",
];

type Prepare = (scene: Scene) => Sent | Promise<Sent>;

/** The requests that every operation refuses alike, by the status. */
const REFUSED_ALIKE: Record<string, Prepare> = {
  401: () => ({}),
  405: () => ({ method: "OPTIONS" }),
  429: async ({ token, guest }) => {
    await fillLimit("write", guest._id.toString(), WRITES_A_MINUTE);
    return { token };
  },
  500: ({ author }) => ({ to: away, token: author }),
};

/** A request with the token of that person. */
const by =
  (who: "token" | "author" | "guide", sent: Sent = {}): Prepare =>
  (scene) => ({ token: scene[who], ...sent });
const BOOKING = ({ tourId, gwen }: Scene) => ({
  userId: gwen._id.toString(),
  tourId,
  status: "CONFIRMED",
});
/** A request of the platform's. */
const byService =
  (sent: (scene: Scene) => Sent = () => ({})): Prepare =>
  (scene) => ({ token: scene.service, ...sent(scene) });
/** A review of the tour, of which some fields are others. */
const post =
  (fields: object = {}, who: "token" | "author" | "guide" = "token"): Prepare =>
  (scene) => ({ token: scene[who], body: { tourId: scene.tourId, rating: 5, ...fields } });
/** A second request with the same Idempotency-Key. */
const again =
  (fields: object): Prepare =>
  async (scene) => {
    const headers = { "idempotency-key": "a key" };
    const sent = { ...(await post()(scene)), headers };
    await send("createReview", scene, sent);
    return { ...(await post(fields)(scene)), headers };
  };
const unchanged =
  (id: string): Prepare =>
  async (scene) => {
    const { headers } = await send(id, scene, {});
    return { headers: { "if-none-match": headers.get("etag")! } };
  };
/** The guide's own reply, or that of another, is there already. */
const replied =
  (
    sent: Sent,
    fields: Parameters<typeof makeReply>[2] = {},
    who: "gwen" | "guest" = "gwen",
  ): Prepare =>
  async (scene) => {
    await makeReply(scene[who], scene.review, fields);
    return { token: scene.guide, ...sent };
  };

const ANOTHER = { headers: { "if-match": '"another"' } };
const PUT = { body: REPLY };

/** Every documented answer but those, and the request that produces it. */
const CASES: [string, Prepare][] = [
  ["listReviews 200", () => ({})],
  ["listReviews 304", unchanged("listReviews")],
  [
    "listReviews 200",
    ({ tourId }) => ({ search: `?tourId=${tourId}&include=reply,editedAt&limit=1` }),
  ],
  ["listReviews 400 Tour ID is required", () => ({ search: "" })],
  [`listReviews 400 ${BAD_CURSOR}`, ({ tourId }) => ({ search: `?tourId=${tourId}&after=x` })],
  [
    `listReviews 503 ${PREPARING}`,
    async () => {
      const { _id } = await makeTour();
      await insertReviews(_id, 1_001);
      return { search: `?tourId=${_id.toString()}&q=boat` };
    },
  ],

  ["createReview 201", post()],
  ["createReview 201", again({})],
  [
    "createReview 400 Idempotency-Key must be 1 to 255 printable ASCII characters",
    by("token", { headers: { "idempotency-key": "ä" } }),
  ],
  [
    "createReview 422 This Idempotency-Key was already used with another body",
    again({ rating: 4 }),
  ],
  ["createReview 400 Missing required fields", by("token", { body: { rating: 5 } })],
  [`createReview 400 ${BAD_RATING}`, post({ rating: 6 })],
  [`createReview 400 ${BAD_COMMENT}`, post({ comment: 7 })],
  [`createReview 400 ${LONG_COMMENT}`, post({ comment: long })],
  ["createReview 400 You cannot review your own tour", post({}, "guide")],
  ["createReview 400 You have already reviewed this tour", post({}, "author")],
  [
    `createReview 400 ${NOT_COMPLETED}`,
    async ({ guest, token }) => {
      const tour = await makeTour();
      await makeBooking(guest, tour, { status: "CONFIRMED" });
      return { token, body: { tourId: tour._id.toString(), rating: 5 } };
    },
  ],
  ["createReview 404 Tour not found", post({ tourId: unknown })],

  ["getReview 200", () => ({})],
  ["getReview 200", () => ({ search: "?include=reply" })],
  ["getReview 200", replied({ search: "?include=reply" })],
  ["getReview 304", unchanged("getReview")],
  ["getReview 404 Review not found", () => ({ id: unknown })],

  ["updateReview 200", by("author", { body: { rating: 1, comment: "" } })],
  ["updateReview 400 No fields to update", by("author", { body: {} })],
  [`updateReview 400 ${BAD_RATING}`, by("author", { body: { rating: null } })],
  [`updateReview 400 ${BAD_COMMENT}`, by("author", { body: { comment: 7 } })],
  [`updateReview 400 ${LONG_COMMENT}`, by("author", { body: { comment: long } })],
  [
    "updateReview 412 The review was changed meanwhile",
    by("author", { body: { rating: 1 }, ...ANOTHER }),
  ],
  ["updateReview 403 You can only edit your own reviews", by("token", { body: { rating: 1 } })],
  [
    "updateReview 403 Reviews can only be edited within 24 hours of posting",
    async (scene) => {
      const createdAt = new Date(Date.now() - 25 * 60 * 60 * 1_000);
      await Review.updateOne({ _id: scene.review._id }, { $set: { createdAt } });
      return { token: scene.author, body: { rating: 1 } };
    },
  ],
  ["updateReview 404 Review not found", by("author", { id: unknown, body: { rating: 1 } })],

  ["deleteReview 200", by("author")],
  ["deleteReview 412 The review was changed meanwhile", by("author", ANOTHER)],
  ["deleteReview 403 You can only delete your own reviews", by("token")],
  ["deleteReview 404 Review not found", by("author", { id: "no-id" })],

  ["putReply 200", by("guide", PUT)],
  ["putReply 400 Reply must be 1 to 2000 characters", by("guide", { body: {} })],
  ["putReply 403 Only the tour's guide can reply", by("author", PUT)],
  ["putReply 403 Only its author can change this reply", replied(PUT, {}, "guest")],
  [
    "putReply 403 This reply was removed by a decision",
    replied(PUT, { hidden: { at: new Date(), ground: "hateful", caseId: new Types.ObjectId() } }),
  ],
  ["putReply 404 Review not found", by("guide", { id: unknown, ...PUT })],
  ["putReply 412 The reply was changed meanwhile", by("guide", { ...PUT, ...ANOTHER })],

  ["deleteReply 200", replied({})],
  ["deleteReply 412 The reply was changed meanwhile", replied(ANOTHER)],
  ["deleteReply 403 Only the tour's guide can reply", by("token")],
  ["deleteReply 404 Review not found", by("guide", { id: unknown })],
  ["deleteReply 404 Reply not found", by("guide")],

  ["findTour 200", () => ({})],
  ["findTour 400 Slug is required", () => ({ search: "?slug=" })],
  ["findTour 404 Tour not found", () => ({ search: "?slug=no-such-tour" })],
  ["findTour 200", () => ({ search: "?limit=1" })],
  [`findTour 400 ${BAD_CURSOR}`, () => ({ search: "?after=x" })],

  ["listRatings 200", () => ({})],
  ["listRatings 304", unchanged("listRatings")],
  [
    "listRatings 400 tourIds must be 1 to 100 ids, separated by commas",
    () => ({ search: "?tourIds=" }),
  ],

  ["listOwnReviews 200", by("author")],
  [`listOwnReviews 400 ${BAD_CURSOR}`, by("author", { search: "?after=x" })],
  ["listToursToReview 200", by("token")],
  [`listToursToReview 400 ${BAD_CURSOR}`, by("token", { search: "?after=x" })],

  ["listChanges 200", () => ({})],
  ["listChanges 200", () => ({ search: "?limit=1" })],
  ["listChanges 304", unchanged("listChanges")],
  ["listChanges 400 after must be the version of a change", () => ({ search: "?after=last" })],
  ["listChanges 404 Tour not found", () => ({ id: unknown })],
  ["listAllChanges 200", () => ({})],
  ["listAllChanges 200", () => ({ search: "?limit=1" })],
  ["listAllChanges 304", unchanged("listAllChanges")],
  [`listAllChanges 400 ${BAD_CURSOR}`, () => ({ search: "?after=x" })],

  ["getStructuredData 200", () => ({})],
  ["getStructuredData 304", unchanged("getStructuredData")],
  ["getStructuredData 404 Tour not found", () => ({ id: unknown })],

  ["getTour 200", () => ({})],
  ["getTour 200", () => ({ search: "?at=2100-01-01" })],
  ["getTour 400 at must be a date or a time in ISO 8601", () => ({ search: "?at=then" })],
  ["getTour 404 Tour not found", () => ({ id: unknown })],
  ["getTour 404 No rating of that time is known", () => ({ search: "?at=2026-01-01" })],

  [
    "putUser 201",
    byService(({ tourId: id }) => ({ id, body: { name: "Eve", email: "eve@x.test" } })),
  ],
  [
    "putUser 200",
    byService(({ gwen: { _id, name, email } }) => ({ id: _id.toString(), body: { name, email } })),
  ],
  ["putUser 400 name: must be a string", byService(() => ({ body: { email: "eve@x.test" } }))],
  [
    "putUser 403 This account was deleted here",
    async ({ gwen, service }) => {
      await deleteAccountOf(toCurrentUser(gwen));
      const { name, email } = gwen;
      return { token: service, id: gwen._id.toString(), body: { name, email } };
    },
  ],
  [
    `putUser 412 ${RECORD_CHANGED}`,
    byService(() => ({ body: { name: "E", email: "e@x.test" }, ...ANOTHER })),
  ],
  ["deleteUser 200", byService(({ gwen }) => ({ id: gwen._id.toString() }))],
  ["deleteUser 404 User not found", byService()],
  ["putTour 201", byService((scene) => ({ id: unknown, body: tourOf(scene, "another") }))],
  ["putTour 200", byService((scene) => ({ body: tourOf(scene, scene.tour.slug) }))],
  [
    "putTour 400 title: must be a string",
    byService((scene) => ({ body: { ...tourOf(scene, "another"), title: 5 } })),
  ],
  [
    `putTour 412 ${RECORD_CHANGED}`,
    byService((scene) => ({ body: tourOf(scene, "another"), ...ANOTHER })),
  ],
  ["putBooking 201", byService((scene) => ({ body: BOOKING(scene) }))],
  [
    "putBooking 200",
    async (scene) => {
      const sent = { token: scene.service, body: BOOKING(scene) };
      await send("putBooking", scene, sent);
      return sent;
    },
  ],
  [
    "putBooking 400 status: must be a string",
    byService((scene) => ({ body: { ...BOOKING(scene), status: 5 } })),
  ],
  [
    `putBooking 412 ${RECORD_CHANGED}`,
    byService((scene) => ({ body: BOOKING(scene), ...ANOTHER })),
  ],
  [
    "patchBooking 200",
    async (scene) => {
      await send("putBooking", scene, { token: scene.service, body: BOOKING(scene) });
      return { token: scene.service, body: { status: "COMPLETED" } };
    },
  ],
  ["patchBooking 400 status: must be a string", byService(() => ({ body: {} }))],
  ["patchBooking 404 Booking not found", byService(() => ({ body: { status: "COMPLETED" } }))],
  ["storeRecords 200", byService(() => ({ raw: '{"type":"users"}\n{}' }))],
  ["storeRecords 400 The body must have 1 to 100 lines, each a record", byService()],

  ["getOpenApi 200", () => ({})],
];

const isOfService = (name: string) => {
  const { operation } = OPERATIONS.find(({ id }) => id === name.split(" ")[0])!;
  return operation.security.some((way) => "service" in way);
};

/** The same request with the platform's token where it has a user's, and that token's limit reached. */
const ofService =
  (prepare: Prepare): Prepare =>
  async (scene) => {
    const { _id } = await AccessToken.findOne({ hash: sha256(scene.service) }).orFail();
    const sent = await prepare(scene);
    if (sent.token === scene.token) await fillLimit("write", _id.toString(), WRITES_A_MINUTE);
    return sent.token ? { ...sent, token: scene.service } : sent;
  };

for (const name of OPERATIONS.flatMap(possible)) {
  if (name.endsWith("Only a service token may do this")) CASES.push([name, by("author")]);
  const prepare = REFUSED_ALIKE[name.split(" ")[1]!];
  if (prepare && !IMPOSSIBLE.includes(name))
    CASES.push([name, isOfService(name) ? ofService(prepare) : prepare]);
}

describe("every answer matches the document", () => {
  test("these cases produce every answer that the document promises", () => {
    const produced = [
      ...new Set(CASES.map(([name]) => name)),
      ...OPERATIONS.map(({ id }) => `${id} 413 ${TOO_LARGE}`),
      ...IMPOSSIBLE,
    ];
    expect(produced.sort()).toEqual(OPERATIONS.flatMap(possible).sort());
  });

  test.each(CASES)("%s", async (name, prepare) => {
    const [, id, status, error] = /^(\w+) (\d+) ?(.*)$/.exec(name)!;
    const scenery = getScene();
    const answer = await send(id!, scenery, await prepare(scenery));
    expect([answer.status, (answer.json as { error?: string } | undefined)?.error ?? ""]).toEqual([
      Number(status),
      error,
    ]);
    expectDocumented(id!, answer);
  });

  test.each(OPERATIONS)(`$id 413 ${TOO_LARGE}`, async ({ id }) => {
    const answer = await announceTooMuch(id, getScene());
    expect([answer.status, answer.json]).toEqual([413, { error: TOO_LARGE }]);
    expectDocumented(id, answer);
  });

  test("to a list that is empty, and to one with authors that are gone", async () => {
    const scenery = getScene();
    const empty = await send("listReviews", scenery, { search: `?tourId=${unknown}` });
    expect(empty.json).toEqual({ reviews: [] });
    expectDocumented("listReviews", empty);
    await makeReview({ _id: new Types.ObjectId() }, scenery.tour, { comment: " " });
    const list = await send("listReviews", scenery, {});
    expect((list.json as z.output<typeof components.ReviewList>).reviews).toHaveLength(2);
    expectDocumented("listReviews", list);
  });
});

describe("the links of an answer can be followed", () => {
  const from = OPERATIONS.flatMap(({ id, operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.entries(resolved(response).links ?? {}).map(([name, link]) => ({
        id,
        status,
        name,
        link: resolved(link),
      })),
    ),
  );

  test.each(from)("$id $status, $name", async ({ id, link }) => {
    const scenery = getScene();
    const body = { ...(id === "createReview" && { tourId: scenery.tourId }), rating: 5 };
    const writes = /^(create|update)/.test(id);
    const token = id === "createReview" ? scenery.token : scenery.author;
    const answer = await send(id, scenery, writes ? { token, body } : {});
    const values = Object.entries(link.parameters).map(([name, expression]) => {
      const pointer = expression.replace("$response.body#/", "").split("/");
      const value = pointer.reduce<unknown>(
        (inner, key) => (inner as Record<string, unknown>)[key],
        answer.json,
      );
      return [name, value as string];
    });
    const { id: inPath, ...query } = Object.fromEntries(values) as Record<string, string>;
    const { method } = OPERATIONS.find((operation) => operation.id === link.operationId)!;
    const followed = await send(link.operationId, scenery, {
      ...(inPath ? { id: inPath } : { search: `?${new URLSearchParams(query).toString()}` }),
      ...(method !== "GET" && { token }),
      ...(method === "PATCH" && { body: { rating: 1 } }),
    });
    expect(followed.status).toBe(200);
    expectDocumented(link.operationId, followed);
  });

  test("from every answer with a review or a tour", () => {
    expect([...new Set(from.map(({ id }) => id))].sort()).toEqual(
      ["createReview", "findTour", "getReview", "getTour", "updateReview"].sort(),
    );
  });
});
