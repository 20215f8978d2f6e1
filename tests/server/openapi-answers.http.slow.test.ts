import { Types } from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { toCurrentUser } from "~/accounts/users.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import { call, startApp, tokenOf, type Answer, type App } from "../support/app";
import { databaseUri } from "../support/database";
import { startDatabaseProxy } from "../support/outages";
import {
  fillLimit,
  insertReviews,
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { OPERATIONS, expectDocumented } from "../support/openapi";
import { app, useScene } from "../support/shared-app";

// Each operation answers as the document of the API says. The refusals of reviews, replies and tours are compared with
// it where they are tested (`api` of tests/support/shared-app.ts).

/** A tour with one review, and everybody who may use them. */
async function makeScene() {
  const guide = await makeUser({ name: "Gwen Guide", image: "https://img.example/gwen.png" });
  const tour = await makeTour({ createdById: guide._id });
  const author = await makeBookedExplorer(tour, { name: "Ann" });
  const guest = await makeBookedExplorer(tour, { name: "" });
  const review = await makeReview(author, tour, { comment: "as it was" });
  return {
    tour,
    review,
    guest,
    gwen: guide,
    guide: await tokenOf(guide),
    author: await tokenOf(author),
    /** Of an explorer who may review the tour. */
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
async function send(id: string, scene: Scene, sent: Sent): Promise<Answer<unknown>> {
  const { method, path } = OPERATIONS.find((operation) => operation.id === id)!;
  const { tourId, reviewId, tour } = scene;
  const target = sent.id ?? (/^\/api\/(tours|users|bookings)\//.test(path) ? tourId : reviewId);
  const query: Record<string, string> = {
    listReviews: `?tourId=${tourId}`,
    findTour: `?slug=${tour.slug}`,
    listRatings: `?tourIds=${tourId}`,
  };
  const address = path.replace("{id}", target) + (sent.search ?? query[id] ?? "");
  return call<unknown>(sent.to ?? app, sent.method ?? method, address, sent);
}

type Prepare = (scene: Scene) => Sent | Promise<Sent>;

/** A request with the token of that person. */
const by =
  (who: "token" | "author" | "guide", sent: Sent = {}): Prepare =>
  (scene) => ({ token: scene[who], ...sent });
/** A request of the platform's. */
const byService =
  (sent: (scene: Scene) => Sent = () => ({})): Prepare =>
  (scene) => ({ token: scene.service, ...sent(scene) });
const post: Prepare = ({ token, tourId }) => ({ token, body: { tourId, rating: 5 } });
/** A second request with the same Idempotency-Key. */
const again =
  (rating: number): Prepare =>
  async (scene) => {
    const { token, tourId } = scene;
    const headers = { "idempotency-key": "a key" };
    await send("createReview", scene, { token, headers, body: { tourId, rating: 5 } });
    return { token, headers, body: { tourId, rating } };
  };
const unchanged =
  (id: string): Prepare =>
  async (scene) => {
    const { headers } = await send(id, scene, {});
    return { headers: { "if-none-match": headers.get("etag")! } };
  };
const replied =
  (sent: Sent): Prepare =>
  async (scene) => {
    await makeReply(scene.gwen, scene.review);
    return { token: scene.guide, ...sent };
  };
const limited: Prepare = async ({ token, guest }) => {
  await fillLimit("write", guest._id.toString(), WRITES_A_MINUTE);
  return { token };
};

const BAD_CURSOR = "after must be a cursor from the Link of an answer";
const RECORD_CHANGED = "The record was changed meanwhile";
const unknown = new Types.ObjectId().toString();
const ANOTHER = { headers: { "if-match": '"another"' } };
const EVE = { name: "Eve", email: "eve@x.test" };
const tourOf = ({ gwen }: Scene, slug: string) => ({
  title: "Night",
  slug,
  createdById: gwen._id.toString(),
});
const bookingOf = ({ tourId, gwen }: Scene) => ({
  userId: gwen._id.toString(),
  tourId,
  status: "CONFIRMED",
});
/** The platform's request for a booking that is there. */
const booked =
  (body?: object): Prepare =>
  async (scene) => {
    const sent = { token: scene.service, body: bookingOf(scene) };
    await send("putBooking", scene, sent);
    return { ...sent, body: body ?? sent.body };
  };

/** The operation, the status and the text of an error, and the request that is answered so. */
const CASES: [string, Prepare][] = [
  ["listReviews 200", () => ({})],
  ["listReviews 304", unchanged("listReviews")],
  [
    "listReviews 200",
    ({ tourId }) => ({ search: `?tourId=${tourId}&include=reply,editedAt&limit=1` }),
  ],
  ["listReviews 200", () => ({ search: `?tourId=${unknown}` })],
  [
    "listReviews 200",
    async ({ tour, tourId }) => {
      await makeReview({ _id: new Types.ObjectId() }, tour, { comment: " " });
      return { search: `?tourId=${tourId}` };
    },
  ],
  [`listReviews 400 ${BAD_CURSOR}`, ({ tourId }) => ({ search: `?tourId=${tourId}&after=x` })],
  [
    "listReviews 503 The search is being prepared",
    async () => {
      const { _id } = await makeTour();
      await insertReviews(_id, 1_001);
      return { search: `?tourId=${_id.toString()}&q=boat` };
    },
  ],

  ["createReview 201", post],
  ["createReview 201", again(5)],
  ["createReview 422 This Idempotency-Key was already used with another body", again(4)],
  ["createReview 413 Request body too large", by("token", { raw: "x".repeat(70_000) })],
  ["createReview 429 Too many requests", limited],

  ["getReview 200", () => ({})],
  ["getReview 200", () => ({ search: "?include=reply" })],
  ["getReview 200", replied({ search: "?include=reply" })],
  ["getReview 304", unchanged("getReview")],

  ["updateReview 200", by("author", { body: { rating: 1, comment: "" } })],
  [
    "updateReview 412 The review was changed meanwhile",
    by("author", { body: { rating: 1 }, ...ANOTHER }),
  ],
  ["updateReview 429 Too many requests", limited],
  ["deleteReview 200", by("author")],
  ["deleteReview 412 The review was changed meanwhile", by("author", ANOTHER)],
  ["deleteReview 429 Too many requests", limited],

  ["putReply 200", by("guide", { body: { text: "Thank you." } })],
  [
    "putReply 412 The reply was changed meanwhile",
    by("guide", { body: { text: "x" }, ...ANOTHER }),
  ],
  ["deleteReply 200", replied({})],
  ["deleteReply 412 The reply was changed meanwhile", replied(ANOTHER)],

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
  // Without a rating and a price there is nothing that a search engine would take.
  ["getStructuredData 204", async () => ({ id: (await makeTour())._id.toString() })],
  ["getStructuredData 304", unchanged("getStructuredData")],
  ["getStructuredData 404 Tour not found", () => ({ id: unknown })],

  ["getTour 200", () => ({})],
  ["getTour 200", () => ({ search: "?at=2100-01-01" })],
  ["getTour 400 at must be a date or a time in ISO 8601", () => ({ search: "?at=then" })],
  ["getTour 404 Tour not found", () => ({ id: unknown })],
  ["getTour 404 No rating of that time is known", () => ({ search: "?at=2026-01-01" })],

  ["putUser 201", byService(({ tourId: id }) => ({ id, body: EVE }))],
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
  [`putUser 412 ${RECORD_CHANGED}`, byService(() => ({ body: EVE, ...ANOTHER }))],
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
  ["putBooking 201", byService((scene) => ({ body: bookingOf(scene) }))],
  ["putBooking 200", booked()],
  [
    "putBooking 400 status: must be a string",
    byService((scene) => ({ body: { ...bookingOf(scene), status: 5 } })),
  ],
  [
    `putBooking 412 ${RECORD_CHANGED}`,
    byService((scene) => ({ body: bookingOf(scene), ...ANOTHER })),
  ],
  ["patchBooking 200", booked({ status: "COMPLETED" })],
  ["patchBooking 400 status: must be a string", byService(() => ({ body: {} }))],
  ["patchBooking 404 Booking not found", byService(() => ({ body: { status: "COMPLETED" } }))],
  ["deleteBooking 200", booked()],
  ["deleteBooking 404 Booking not found", byService()],
  ["closeTour 200", byService()],
  ["closeTour 404 Tour not found", byService(() => ({ id: unknown }))],
  ["storeRecords 200", byService(() => ({ raw: '[{"type":"users"},{}]' }))],
  [
    "storeRecords 400 The body must have 1 to 100 records, on a line each or in a list",
    byService(),
  ],

  ["getOpenApi 200", () => ({})],
];

/** An app that has lost its database. */
let away: App;
beforeAll(async () => {
  const proxy = await startDatabaseProxy(databaseUri());
  away = await startApp(proxy.uri);
  await proxy.cut();
});
afterAll(() => away.stop());

test.each(CASES)("%s", async (name, prepare) => {
  const [, id, status, error] = /^(\w+) (\d+) ?(.*)$/.exec(name)!;
  const scene = getScene();
  const answer = await send(id!, scene, await prepare(scene));
  expect([answer.status, (answer.json as { error?: string } | undefined)?.error ?? ""]).toEqual([
    Number(status),
    error,
  ]);
  expectDocumented(id!, answer);
});

test("every operation has a case of each good answer", () => {
  const good = OPERATIONS.flatMap(({ id, operation }) =>
    Object.keys(operation.responses)
      .filter((status) => status < "400")
      .map((status) => `${id} ${status}`),
  );
  expect(CASES.map(([name]) => name)).toEqual(expect.arrayContaining(good));
});

test.each(OPERATIONS)("$id refuses as all operations do", async ({ id, operation }) => {
  const scene = getScene();
  const { security, responses } = operation;
  const isOfService = security.some((way) => "service" in way);
  const refusals: [number, Sent][] = [
    [405, { method: "OPTIONS" }],
    [401, {}],
    [403, { token: scene.author }],
    [500, { to: away, token: isOfService ? scene.service : scene.author }],
  ];
  for (const [status, sent] of refusals) {
    // A user's token is refused by what is only for the platform; the document itself needs no database.
    if (!responses[status] || (status === 403 && !isOfService) || id === "getOpenApi") continue;
    const answer = await send(id, scene, sent);
    expect([id, answer.status]).toEqual([id, status]);
    expectDocumented(id, answer);
  }
});
