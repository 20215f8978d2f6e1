import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { AccessToken } from "#models/access-token";
import { platformId } from "~/db/platform-ids.server";
import { Booking } from "#models/booking";
import { EmailLink } from "#models/email-link";
import { Operator } from "#models/operator";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, logIn, tokenOf } from "../support/app";
import { until } from "../support/commands";
import { makeBooking, makeReview, makeTour, makeUser, PASSWORD_HASH } from "../support/factories";
import { app, type Options, useApp } from "../support/shared-app";

useApp();

let service: string;
beforeEach(async () => void (service = await createServiceToken("Platform")));

const newId = () => new Types.ObjectId().toString();

const send = (method: string, path: string, body?: unknown, options: Options = {}) =>
  call<{ result?: string; error?: string; message?: string }>(app, method, path, {
    token: service,
    ...(body !== undefined && { body: body as object }),
    ...options,
  });

const put = async (path: string, body: unknown, options?: Options) => {
  const { status, json, headers } = await send("PUT", path, body, options);
  return { answer: [status, json], etag: headers.get("etag") };
};

describe("a platform's record", () => {
  test("is created, changed, and stays where it is sent again", async () => {
    const [user, tour, booking] = [newId(), newId(), newId()];
    const [email, password] = ["ann@example.test", "four blue boats"];
    const more = { dates: ["2027-05-01T09:00:00Z"], meetingPoint: "By the gate" };
    const booked = { userId: user, tourId: tour, status: "CONFIRMED", date: "2027-05-01" };
    for (const [path, record] of [
      [`/api/users/${user}`, { name: "Ann", email, password }],
      [`/api/tours/${tour}`, { title: "Old town", slug: "old-town", createdById: user, ...more }],
      [`/api/bookings/${booking}`, booked],
    ] as const) {
      const created = await put(path, record);
      expect(created.answer).toEqual([201, { result: "created" }]);
      const again = await put(path, record);
      expect(again).toEqual({ answer: [200, { result: "unchanged" }], etag: created.etag });
    }
    expect(await logIn(app, email, password)).toBeTruthy();
    const status = "COMPLETED";
    const changed = await put(`/api/bookings/${booking}`, { ...booked, status });
    expect(changed.answer).toEqual([200, { result: "changed" }]);
    const date = new Date("2027-05-01");
    expect(await Booking.findById(booking).lean()).toMatchObject({ status, date });
    const { json } = await call<{ tour: { title: string } }>(app, "GET", `/api/tours/${tour}`);
    expect(json!.tour.title).toBe("Old town");
  });

  test("replaces what a platform has stored oddly, and keeps the fields that are not sent", async () => {
    const tour = await makeTour({ description: "A walk." });
    const odd = { date: "2026-05-01", dates: "soon", languages: "en", price: "35", groupSize: [4] };
    await Tour.collection.updateOne({ _id: tour._id }, { $set: odd });
    const { _id: createdById } = await makeUser();
    const { title, slug } = tour;
    const sent = { title, slug, price: 35, languages: ["de"] };
    const path = `/api/tours/${tour._id.toString()}`;
    const record = { ...sent, createdById: createdById.toString() };
    expect((await put(path, record)).answer).toEqual([200, { result: "changed" }]);
    expect((await put(path, record)).answer).toEqual([200, { result: "unchanged" }]);
    const kept = { date: odd.date, description: "A walk." };
    const stored = await Tour.collection.findOne({ _id: tour._id });
    expect(stored).toMatchObject({ ...sent, ...kept, createdById });

    const booking = new Types.ObjectId();
    const status = "COMPLETED";
    const ofBooking = `/api/bookings/${booking.toString()}`;
    const malformed = { userId: "u-17", tourId: 5, status: "CONFIRMED" };
    await Booking.collection.insertOne({ _id: booking, ...malformed });
    expect((await send("PATCH", ofBooking, { status })).json).toEqual({ result: "changed" });
    const whole = { userId: record.createdById, tourId: tour._id.toString(), status };
    expect((await put(ofBooking, whole)).answer[0]).toBe(200);
  });

  test("is refused in the words of an import, and nothing is stored", async () => {
    const { email } = await makeUser();
    const { slug } = await makeTour();
    const [user, tour] = [newId(), newId()];
    for (const [path, record, error] of [
      [`/api/users/${user}`, { name: "Ann", email }, "email: is taken by another user"],
      [
        `/api/users/${"x".repeat(256)}`,
        { name: "Ann", email: "b@x.test" },
        "id: must be an id, a text of 1 to 255 characters in one line",
      ],
      [
        `/api/users/${user}`,
        { name: "Ann", email: "b@x.test", passwordHash: PASSWORD_HASH.replace("t=2", "t=200") },
        "passwordHash: must be argon2 of at most m=131072, t=10, p=8 and m*t=262144",
      ],
      [
        `/api/tours/${tour}`,
        { title: "A", slug, createdById: user },
        `createdById: there is no user ${user}; slug: is taken by another tour`,
      ],
      [
        `/api/tours/${tour}`,
        {},
        "title: must be a string; slug: must be a string; createdById: must be an id, a text of 1 to 255 characters in one line",
      ],
    ] as const)
      expect((await put(path, record)).answer).toEqual([400, { error }]);
    expect(await User.countDocuments({ _id: user })).toBe(0);
    expect(await Tour.countDocuments({ _id: tour })).toBe(0);
  });

  test.each(["%0A", "%0D", "%E2%80%A8", "%09", "%00", "%E4", "%E4%0A", "%"])(
    "cannot have a platform's id with %s in its path",
    async (escape) => {
      const body = { name: "Ann", email: "ann.line@example.test" };
      expect((await put(`/api/users/a${escape}b`, body)).answer[0]).toBe(400);
    },
  );

  test.each(["17", "550e8400-e29b-41d4-a716-446655440000", "a/b c?d#é%2F", "x.data", "日本"])(
    "may have the platform's own id %s, in paths and in records",
    async (id) => {
      const name = encodeURIComponent(id);
      const email = "ann@example.test";
      const created = [201, { result: "created" }];
      const tour = { title: "Old town", slug: "old-town", createdById: id };
      const booking = { userId: id, tourId: id, status: "CONFIRMED" };
      expect((await put(`/api/users/${name}`, { id, name: "Ann", email })).answer).toEqual(created);
      const another = await put(`/api/users/${name}`, { id: "another", name: "Ann", email });
      expect(another.answer).toEqual([400, { error: "id: must be that of the address" }]);
      expect((await put(`/api/tours/${name}`, tour)).answer).toEqual(created);
      const lines = [
        { type: "users", id, name: "Ann", email },
        { type: "tours", id, ...tour },
        { type: "bookings", id, ...booking },
      ];
      const raw = lines.map((line) => JSON.stringify(line)).join("\n");
      const { text } = await send("POST", "/api/records", undefined, { raw });
      expect(
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as object),
      ).toEqual([
        { line: 1, type: "users", id, result: "unchanged" },
        { line: 2, type: "tours", id, result: "unchanged" },
        { line: 3, type: "bookings", id, result: "created" },
      ]);
      const status = { status: "COMPLETED" };
      expect((await send("PATCH", `/api/bookings/${name}`, status)).json).toEqual({
        result: "changed",
      });

      const stored = platformId(id)!;
      const found = await call<{ tour: object }>(app, "GET", `/api/tours/${name}`);
      expect(found.json!.tour).toMatchObject({ id: stored, createdById: stored });
      for (const part of ["jsonld", "changes"])
        expect((await call(app, "GET", `/api/tours/${name}/${part}`)).status).toBeLessThan(300);
      expect(await Booking.findById(stored).lean()).toMatchObject({
        userId: new Types.ObjectId(stored),
        tourId: new Types.ObjectId(stored),
        status: "COMPLETED",
      });
      // The four operations know only the ids of their answers.
      const token = await tokenOf({ email });
      const body = { tourId: id, rating: 5 };
      expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(404);
      const list = await call(app, "GET", `/api/reviews?tourId=${name}`);
      expect([list.status, list.json]).toEqual([200, { reviews: [] }]);
      expect((await call(app, "GET", `/api/reviews/${name}`)).status).toBe(404);
      expect((await send("DELETE", `/api/users/${name}`)).status).toBe(200);
    },
  );

  test("is changed only in the state that If-Match names", async () => {
    const path = `/api/users/${newId()}`;
    const send = (name: string, etag?: string | null) =>
      put(path, { name, email: "ann@example.test" }, etag ? { headers: { "if-match": etag } } : {});
    const changedMeanwhile = [412, { error: "The record was changed meanwhile" }];
    expect((await send("Ann", '"other"')).answer).toEqual(changedMeanwhile);
    const { etag } = await send("Ann");
    const changed = await send("Anna", etag);
    expect(changed.answer).toEqual([200, { result: "changed" }]);
    expect((await send("Anne", etag)).answer).toEqual(changedMeanwhile);
    expect((await send("Anne", changed.etag)).answer[0]).toBe(200);
  });

  test("sent twelve times at once is created once, and of as many with If-Match one wins", async () => {
    const path = `/api/users/${newId()}`;
    const user = { name: "Ann", email: "ann@example.test" };
    const all = await Promise.all(Array.from({ length: 12 }, () => put(path, user)));
    const results = all.map(({ answer }) => (answer[1] as { result: string }).result).sort();
    expect(results).toEqual(["created", ...Array<string>(11).fill("unchanged")]);
    const headers = { "if-match": all[0]!.etag! };
    const renamed = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(path, { ...user, name: `Ann ${n}` }, { headers })),
    );
    expect(renamed.map(({ answer }) => answer[0]).sort()).toEqual([
      200,
      ...Array<number>(11).fill(412),
    ]);
  });
});

test("of twelve tours with one slug at once, one is stored", async () => {
  const { _id } = await makeUser();
  const tour = { title: "Old town", slug: "one-of-twelve", createdById: _id.toString() };
  const all = await Promise.all(
    Array.from({ length: 12 }, () => put(`/api/tours/${newId()}`, tour)),
  );
  const error = "slug: is taken by another tour";
  expect(all.map(({ answer }) => answer).sort()).toEqual([
    [201, { result: "created" }],
    ...Array<unknown>(11).fill([400, { error }]),
  ]);
});

test("ten changes of one record at once are all stored, one after another", async () => {
  const path = `/api/users/${newId()}`;
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      put(path, { name: `Ann ${n}`, email: "ann@example.test" }),
    ),
  );
  expect(all.map(({ answer }) => answer[0]).sort()).toEqual([...Array<number>(9).fill(200), 201]);
});

describe("a user's new password or address", () => {
  const password = "four blue boats";
  const newPassword = "five green boats";
  // Of one test only: an engine of the embedded database keeps a former address taken.
  const address = () => `${newId()}@example.test`;

  test.each([{ moves: true }, { moves: false }])(
    "ends log-ins, links and tokens; the same one does not (%j)",
    async ({ moves }) => {
      const [id, email] = [newId(), address()];
      const path = `/api/users/${id}`;
      await put(path, { name: "Ann", email, password });
      const cookie = await logIn(app, email, password);
      const token = await tokenOf({ email });
      const open = async () => [
        (await call(app, "GET", "/me", { cookie })).status === 200,
        (await call(app, "GET", "/api/me/reviews", { token })).status === 200,
        (await EmailLink.countDocuments({ userId: id })) === 1,
      ];
      await call(app, "POST", "/reset", { raw: new URLSearchParams({ email }) });
      await put(path, { name: "Anna", email: email.toUpperCase(), password });
      expect(await open()).toEqual([true, true, true]);
      const changed = moves ? { email: address(), password } : { email, password: newPassword };
      expect((await put(path, { name: "Anna", ...changed })).answer[0]).toBe(200);
      expect(await open()).toEqual([false, false, false]);
    },
  );

  test("are refused for an operator, whose name may change", async () => {
    const operator = await makeUser({ name: "Olga" });
    await Operator.create({ _id: operator._id, since: new Date() });
    const id = operator._id.toString();
    const refused = "The password and the address of an operator are changed by the operator only";
    const same = { name: "Olga", email: operator.email };
    for (const changed of [{ email: address() }, { password: newPassword }]) {
      const { answer } = await put(`/api/users/${id}`, { ...same, ...changed });
      expect(answer).toEqual([403, { error: refused }]);
      const line = JSON.stringify({ type: "users", id, ...same, ...changed });
      const { text } = await call(app, "POST", "/api/records", { token: service, raw: line });
      expect(JSON.parse(text)).toEqual({ line: 1, type: "users", id, error: refused });
    }
    const { passwordHash, email: kept } = operator;
    expect(await User.findById(id).lean()).toMatchObject({ email: kept, passwordHash });
    expect((await put(`/api/users/${id}`, { ...same, name: "Olga O." })).answer[0]).toBe(200);
  });

  test("stand in the log with the service token that has changed them, and without themselves", async () => {
    const path = `/api/users/${newId()}`;
    const [email, newEmail] = [address(), address()];
    await put(path, { name: "Ann", email, password });
    const { _id } = await AccessToken.findOne({ service: true }).orFail();
    const { headers } = await send("PUT", path, {
      name: "Ann",
      email: newEmail,
      password: newPassword,
    });
    const lines = () =>
      app
        .log()
        .split("\n")
        .filter((line) => line.includes(headers.get("x-request-id")!));
    await expect
      .poll(() => lines().find((line) => line.includes('"ms"')))
      .toContain(`"serviceToken":"${_id.toString()}"`);
    expect(lines().join()).toContain("a service token changes how a user logs in");
    for (const secret of [email, newEmail, password, newPassword, service])
      expect(lines().join()).not.toContain(secret);
  });
});

describe("a booking that arrives", () => {
  test("verifies the review of its pair, and no longer when it is cancelled", async () => {
    const [ann, tour] = [await makeUser(), await makeTour()];
    const review = await makeReview(ann, tour);
    const verified = async () => Boolean((await Review.findById(review._id).lean())!.verified);
    const path = `/api/bookings/${newId()}`;
    const pair = { userId: ann._id.toString(), tourId: tour._id.toString() };
    await put(path, { ...pair, status: "COMPLETED" });
    expect(await verified()).toBe(true);
    const { json } = await send("PATCH", path, { status: "CANCELLED" });
    expect(json).toEqual({ result: "changed", allowsReview: false });
    expect(await verified()).toBe(false);
    const { status, json: refused } = await send("PATCH", path, {});
    expect([status, refused]).toEqual([400, { error: "status: must be a string" }]);
  });

  test("allows its user to post", async () => {
    const [ann, tour] = [await makeUser(), await makeTour()];
    await makeBooking(ann, tour, { status: "CONFIRMED" });
    const { _id } = await Booking.findOne({ userId: ann._id }).orFail();
    const token = await tokenOf(ann);
    const body = { tourId: tour._id.toString(), rating: 5 };
    const post = async () => (await call(app, "POST", "/api/reviews", { token, body })).status;
    expect(await post()).toBe(400);
    await send("PATCH", `/api/bookings/${_id.toString()}`, { status: "COMPLETED" });
    expect(await post()).toBe(201);
  });

  test.each([
    [newId(), { status: "COMPLETED" }, 404, "Booking not found"],
    [newId(), {}, 400, "status: must be a string"],
  ])("PATCH %s %j is %i", async (id, body, status, error) => {
    const answer = await send("PATCH", `/api/bookings/${id}`, body);
    expect([answer.status, answer.json]).toEqual([status, { error }]);
  });
});

test("a user who is deleted stays so, whatever the platform sends", async () => {
  const { _id, name, email } = await makeUser();
  const tour = await makeTour();
  await makeReview({ _id }, tour);
  const path = `/api/users/${_id.toString()}`;
  const gone = await send("DELETE", path);
  expect([gone.status, gone.json]).toEqual([200, { message: "User deleted successfully" }]);
  await until(async () => (await Review.countDocuments({ userId: _id })) === 0);
  expect((await put(path, { name, email })).answer).toEqual([
    403,
    { error: "This account was deleted here" },
  ]);
  expect((await send("DELETE", path)).json).toEqual({ error: "User not found" });
});

test.each(["name=Ann", "[]", ""])("a body that is %j is named as what it is", async (raw) => {
  for (const [method, path] of [
    ["PUT", `/api/users/${newId()}`],
    ["PATCH", `/api/bookings/${newId()}`],
  ] as const)
    expect((await send(method, path, undefined, { raw })).json).toEqual({
      error: "must be an object of JSON",
    });
});

describe("POST /api/records", () => {
  const postText = async (raw: string, options: Options = {}) => {
    const { status, text, headers } = await send("POST", "/api/records", undefined, {
      raw,
      ...options,
      headers: { "content-type": "application/x-ndjson", ...options.headers },
    });
    return { status, text, type: headers.get("content-type") };
  };
  const post = (lines: unknown[]) =>
    postText(
      lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
    );
  const resultsOf = ({ text }: { text: string }) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { line: number; result?: string; error?: string });
  const ann = () => ({ type: "users", id: newId(), name: "Ann", email: "ann@example.test" });

  test("stores each line by itself, in their order, and answers a line for each", async () => {
    const [user, tour, booking] = [newId(), newId(), newId()];
    const answer = await post([
      { type: "users", id: user, name: "Ann", email: "ann@example.test" },
      "",
      { type: "tours", id: tour, title: "Old town", slug: "old-town", createdById: user },
      { type: "bookings", id: booking, userId: newId(), tourId: tour, status: "CONFIRMED" },
      { type: "bookings", id: booking, userId: user, tourId: tour, status: "CONFIRMED" },
      { type: "replies", id: booking },
      "no JSON",
      { type: "users", id: user, name: "Ann", email: "ann@example.test" },
    ]);
    expect([answer.status, answer.type]).toEqual([200, "application/x-ndjson"]);
    const error = expect.stringMatching(/^userId: there is no user/) as string;
    expect(resultsOf(answer)).toEqual([
      { line: 1, type: "users", id: user, result: "created" },
      { line: 3, type: "tours", id: tour, result: "created" },
      { line: 4, type: "bookings", id: booking, error },
      { line: 5, type: "bookings", id: booking, result: "created" },
      {
        line: 6,
        type: "replies",
        id: booking,
        error: expect.stringMatching(/^type: must be /) as string,
      },
      { line: 7, error: "must be an object of JSON" },
      { line: 8, type: "users", id: user, result: "unchanged" },
    ]);
  });

  test("answers a list by a list, whose places are the lines", async () => {
    const user = ann();
    const { status, text, type } = await postText(JSON.stringify([user, 5, user], null, 2), {
      headers: { "content-type": "application/json" },
    });
    expect([status, type]).toEqual([200, "application/json; charset=utf-8"]);
    expect(JSON.parse(text)).toEqual([
      { line: 1, type: "users", id: user.id, result: "created" },
      { line: 2, error: "must be an object of JSON" },
      { line: 3, type: "users", id: user.id, result: "unchanged" },
    ]);
    expect((await postText('[{"type":"users"}')).status).toBe(400);
  });

  test("names records as the platform does", async () => {
    const [user, tour] = ["user-1", 7];
    const answer = await post([
      { type: "users", id: user, name: "Ann", email: "ann@example.test" },
      { type: "tours", id: tour, title: "Old town", slug: "old-town", createdById: user },
      { type: "bookings", id: 8, userId: "user-2", tourId: 9, status: "CONFIRMED" },
      { type: "reviews", id: 9, userId: "user-2", tourId: 7, rating: 5, createdAt: "2026-05-01" },
      { type: "reviews", id: 9, userId: user, tourId: 10, rating: 5, createdAt: "2026-05-01" },
    ]);
    expect(resultsOf(answer)).toEqual([
      { line: 1, type: "users", id: "user-1", result: "created" },
      { line: 2, type: "tours", id: "7", result: "created" },
      {
        ...{ line: 3, type: "bookings", id: "8" },
        error: "userId: there is no user user-2; tourId: there is no tour 9",
      },
      { line: 4, type: "reviews", id: "9", error: "userId: there is no user user-2" },
      { line: 5, type: "reviews", id: "9", error: "tourId: there is no tour 10" },
    ]);
  });

  test("answers what was stored, whatever stands in other lines", async () => {
    const [user, depth] = [ann(), 5_000];
    const nested = "[".repeat(depth) + "]".repeat(depth);
    const answer = await post([
      user,
      `{"type":"users","id":${nested},"name":${nested}}`,
      `{"type":${nested}}`,
      `{"type":"tours","id":"${newId()}","images":${nested},"meetingPoint":${nested}}`,
      user,
    ]);
    expect(answer.status).toBe(200);
    const results = resultsOf(answer);
    expect(results.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    expect(results[0]).toMatchObject({ result: "created" });
    for (const place of [1, 2, 3]) expect(results[place]!.error).toBeTypeOf("string");
    expect(results[4]).toMatchObject({ result: "unchanged" });
  });

  test("takes a megabyte of a service token, and of nobody else", async () => {
    const id = newId();
    const tour = { type: "tours", id, title: "A", slug: "a", createdById: (await makeUser())._id };
    const long = JSON.stringify({ ...tour, description: "x".repeat(50_000) });
    const filled = (bytes: number) => [long, "x".repeat(bytes - long.length - 1)].join("\n");
    const answer = await postText(filled(1024 * 1024));
    expect(answer.status).toBe(200);
    expect(resultsOf(answer).map(({ result }) => result)).toEqual(["created", undefined]);
    const person = await tokenOf(await makeUser());
    const larger = filled(64 * 1024 + 1);
    for (const [raw, options] of [
      [filled(1024 * 1024 + 1), {}],
      [larger, { token: person }],
      [larger, { token: "trs_nobody" }],
      [larger, { token: undefined }],
    ] as const)
      expect(await postText(raw, options)).toMatchObject({
        status: 413,
        text: '{"error":"Request body too large"}',
      });
    const other = await send("PUT", `/api/tours/${id}`, undefined, { raw: larger });
    expect(other.status).toBe(413);
  });

  test.each([0, 101])("refuses %i lines", async (count) => {
    const { status, text } = await post(Array<object>(count).fill({ type: "users" }));
    expect([status, text]).toEqual([
      400,
      '{"error":"The body must have 1 to 100 records, on a line each or in a list"}',
    ]);
  });
});

test("a service token acts as no user", async () => {
  const body = { tourId: newId(), rating: 5 };
  expect((await send("POST", "/api/reviews", body)).status).toBe(401);
  expect((await send("GET", "/api/me/reviews")).status).toBe(401);
});
