import { describe, expect, it, test } from "vitest";
import { checkRatings } from "~/reviews/ratings.server";
import { texts } from "~/lib/refusal-texts";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, tokenOf } from "../support/app";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { useTwoApps } from "../support/shared-app";

interface Body {
  error?: string;
  review?: { id: string; rating: number; user: { name: string } };
}

const KEY = "8e03978e-40d5-43e6-bc93-6894a57f9324";
const ALREADY = "You have already reviewed this tour";
const either = useTwoApps();

const post = (token: string | undefined, body: unknown, key?: string) =>
  call<Body>(either(), "POST", "/api/reviews", {
    ...(token && { token }),
    body,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });

/** An explorer who may review a tour. */
async function scene() {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour, { name: "Ann" });
  const token = await tokenOf(guest);
  return { tour, guest, token, body: { tourId: tour._id.toString(), rating: 5, comment: "Fine" } };
}

const refused = (status: number, error: string) => ({ status, json: { error } });
const REPLAYED = "idempotent-replayed";

describe("the same key and body", () => {
  it("gets the first answer again, and nothing more happens", async () => {
    const { token, body, tour } = await scene();
    const first = await post(token, body, KEY);
    expect(first.status).toBe(201);
    expect(first.headers.get(REPLAYED)).toBeNull();
    const { ratingsVersion } = (await Tour.findById(tour._id).lean())!;
    for (let time = 0; time < 3; time++) {
      const again = await post(token, body, KEY);
      expect(again.status).toBe(201);
      expect(again.text).toBe(first.text);
      expect(again.headers.get(REPLAYED)).toBe("true");
      expect(again.headers.get("cache-control")).toBe("no-store");
    }
    expect(await Review.countDocuments()).toBe(1);
    expect(await Notification.countDocuments()).toBe(1);
    expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(ratingsVersion);
  });

  it("is the same in any spelling", async () => {
    const { token, body } = await scene();
    const { comment: _, ...silent } = body;
    const first = await post(token, silent, KEY);
    const { tourId, rating } = body;
    for (const same of [
      { rating, tourId },
      { ...silent, comment: null },
      { ...silent, comment: "", unknown: 1 },
      { ...silent, tourId: tourId.toUpperCase() },
    ])
      expect((await post(token, same, KEY)).text).toBe(first.text);
  });

  it("gets the review as it was first answered, whatever has happened to it since", async () => {
    const { token, body, guest } = await scene();
    const first = await post(token, body, KEY);
    const path = `/api/reviews/${first.json!.review!.id}`;
    expect((await call(either(), "PATCH", path, { token, body: { rating: 1 } })).status).toBe(200);
    await User.updateOne({ _id: guest._id }, { name: "Renamed" });
    expect((await post(token, body, KEY)).text).toBe(first.text);
    expect((await call(either(), "DELETE", path, { token })).status).toBe(200);
    await Tour.deleteOne({ _id: body.tourId });
    const again = await post(token, body, KEY);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(await Review.countDocuments()).toBe(0);
  });

  it("may be 1 to 255 printable characters", async () => {
    // Also a quoted string, as structured fields have it, and an operator.
    for (const key of ["k".repeat(255), "k", `"${KEY}"`, '{"$gt":""}']) {
      const { token, body } = await scene();
      const first = await post(token, body, key);
      expect([key, first.status]).toEqual([key, 201]);
      expect((await post(token, body, key)).text).toBe(first.text);
      const other = await post(token, body, `${key.slice(0, -1)}~~`.slice(-255));
      expect(other).toMatchObject(refused(400, ALREADY));
    }
  });
});

describe("a key is refused", () => {
  it("with another body, and nothing happens", async () => {
    const { token, body, guest } = await scene();
    const other = await makeTour();
    await makeBooking(guest, other);
    await post(token, body, KEY);
    for (const different of [
      { ...body, rating: 4 },
      { ...body, comment: "fine" },
      { ...body, comment: undefined },
      { ...body, tourId: other._id.toString() },
      { ...body, tourId: "no id" },
    ])
      expect(await post(token, different, KEY)).toMatchObject(refused(422, texts.keyReused));
    expect(await Review.countDocuments()).toBe(1);
    expect((await post(token, body, KEY)).status).toBe(201);
  });

  it("when it is empty, too long or not printable ASCII", async () => {
    const { token, body } = await scene();
    for (const key of ["", "   ", "k".repeat(256), "clé", "a\tb"]) {
      const bad = refused(400, texts.badKey);
      expect([key, await post(token, body, key)]).toMatchObject([key, bad]);
      // Without a log-in the key is not looked at, and every other check comes after it.
      expect(await post(undefined, body, key)).toMatchObject(refused(401, "Unauthorized"));
      expect(await post(token, {}, key)).toMatchObject(bad);
    }
    expect(await Review.countDocuments()).toBe(0);
  });
});

it("keys belong to their user", async () => {
  const { token, body, tour } = await scene();
  const bob = await tokenOf(await makeBookedExplorer(tour, { name: "Bob" }));
  const first = await post(token, body, KEY);
  const others = await post(bob, body, KEY);
  expect(others.status).toBe(201);
  expect(others.headers.get(REPLAYED)).toBeNull();
  expect(others.json!.review!.user.name).toBe("Bob");
  expect((await post(token, body, KEY)).text).toBe(first.text);
  expect((await post(bob, body, KEY)).text).toBe(others.text);
  expect(await post(undefined, body, KEY)).toMatchObject(refused(401, "Unauthorized"));
});

describe("a post that fails", () => {
  it("is not remembered", async () => {
    const tour = await makeTour();
    const guest = await makeUser();
    const token = await tokenOf(guest);
    const body = { tourId: tour._id.toString(), rating: 5 };
    expect(await post(token, { ...body, rating: 6 }, KEY)).toMatchObject({ status: 400 });
    expect((await post(token, body, KEY)).json!.error).toMatch(/^You can review this tour once/);
    await makeBooking(guest, tour);
    // A refusal by a platform's own index is an unexpected failure.
    await makeReview(await makeUser(), await makeTour(), { rating: 5 });
    const name = await Review.collection.createIndex({ rating: 1 }, { unique: true });
    expect((await post(token, body, KEY)).status).toBe(500);
    await Review.collection.dropIndex(name);
    expect(await IdempotencyKey.countDocuments()).toBe(0);
    const answer = await post(token, body, KEY);
    expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([201, null]);
  });
});

describe("at once, on two processes", () => {
  test("10 posts with one key make one review, and all get it", async () => {
    for (let round = 0; round < 3; round++) {
      const { token, body, guest, tour } = await scene();
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(token, body, KEY)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
      expect(await Review.countDocuments({ userId: guest._id })).toBe(1);
      expect(await Notification.countDocuments({ explorerId: guest._id })).toBe(1);
      expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(1);
    }
    expect(await checkRatings()).toEqual([]);
  });

  test("one key for several tours creates one review, and the other posts are refused", async () => {
    for (let round = 0; round < 3; round++) {
      const { token, body, guest } = await scene();
      const bodies = [body];
      for (let n = 0; n < 3; n++) {
        const tour = await makeTour();
        await makeBooking(guest, tour);
        bodies.push({ ...body, tourId: tour._id.toString() });
      }
      const answers = await Promise.all([...bodies, ...bodies].map((one) => post(token, one, KEY)));
      const [won] = await Review.find({ userId: guest._id }).lean();
      expect(await Review.countDocuments({ userId: guest._id })).toBe(1);
      for (const [n, answer] of answers.entries())
        if (bodies[n % 4]!.tourId === won!.tourId.toString()) expect(answer.status).toBe(201);
        else expect(answer).toMatchObject(refused(422, texts.keyReused));
    }
    expect(await checkRatings()).toEqual([]);
  });
});
