import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { User } from "#models/user";
import { logIn } from "../support/app";
import { insertReviews, makeReview, makeTour, makeUser } from "../support/factories";
import {
  api,
  app,
  list,
  type Options,
  refusal,
  refused,
  REVIEW_FIELDS,
  reviewed,
  scene,
  useApp,
} from "../support/shared-app";

useApp();
const NO_TOUR_ID = "Tour ID is required";
const HOUR = 60 * 60 * 1_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const unknownId = () => new Types.ObjectId().toString();

describe("GET /api/reviews", () => {
  it("lists reviews, newest first, to anybody", async () => {
    const { tour, tourId } = await scene();
    for (const age of [3, 1, 26, 2])
      await makeReview(await makeUser({ name: `Aged ${age}`, image: null }), tour, {
        createdAt: ago(age * HOUR),
        comment: age === 1 ? "newest" : null,
      });
    await makeReview(await makeUser(), await makeTour());
    const { status, json } = await api("GET", `/api/reviews?tourId=${tourId}`);
    expect(status).toBe(200);
    expect(Object.keys(json!)).toEqual(["reviews"]);
    expect(json!.reviews!.map(({ user }) => user)).toEqual(
      [1, 2, 3, 26].map((age) => ({ name: `Aged ${age}`, image: null })),
    );
    for (const review of json!.reviews!) {
      expect(Object.keys(review).sort()).toEqual(REVIEW_FIELDS);
      expect(review.tourId).toBe(tourId);
      expect(review.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(json!.reviews!.map(({ comment }) => comment)).toEqual(["newest", null, null, null]);
  });

  it("puts the larger id first where createdAt is equal", async () => {
    const { tour } = await scene();
    const createdAt = new Date("2026-01-02T03:04:05.678Z");
    const ids = ["b", "d", "a", "c"].map((digit) => new Types.ObjectId(digit.repeat(24)));
    for (const _id of ids) await makeReview(await makeUser(), tour, { _id, createdAt });
    expect((await list(tour))?.map(({ id }) => id[0])).toEqual(["d", "c", "b", "a"]);
  });

  it("shows an author whose account is gone without name and picture", async () => {
    const { tour, guest } = await reviewed();
    await User.deleteOne({ _id: guest._id });
    const nobody = { userId: guest._id.toString(), user: { name: "", image: null } };
    expect(await list(tour)).toMatchObject([{ comment: "as it was", ...nobody }]);
  });

  it("gives all reviews, not in pages, unless a parameter asks for them", async () => {
    const { tour, tourId } = await scene();
    await insertReviews(tour._id, 300);
    const { json } = await api("GET", `/api/reviews?tourId=${tourId}&page=2&offset=1`);
    expect(json?.reviews).toHaveLength(300);
  });

  it("gives an empty list for an unknown tour, or one without reviews", async () => {
    await reviewed();
    const { _id } = await makeTour();
    const operator = encodeURIComponent('{"$ne":null}');
    const ids = [_id.toString(), unknownId(), "old-town", "abcdefghijkl", operator];
    for (const tourId of [...ids, "%00", "__proto__", "%E0%A4%A", "%20"]) {
      const { status, json } = await api("GET", `/api/reviews?tourId=${tourId}`);
      expect([tourId, status, json]).toEqual([tourId, 200, { reviews: [] }]);
    }
  });

  it("uses the first of two tourIds", async () => {
    const { tourId } = await reviewed();
    const pair = (a: string, b: string) => api("GET", `/api/reviews?tourId=${a}&tourId=${b}`);
    expect((await pair(tourId, unknownId())).json?.reviews).toHaveLength(1);
    expect((await pair(unknownId(), tourId)).json?.reviews).toHaveLength(0);
    expect(refusal(await pair("", tourId))).toEqual(refused(400, NO_TOUR_ID));
  });

  it("answers HEAD as GET without the body", async () => {
    const { tourId } = await reviewed();
    const get = await api("GET", `/api/reviews?tourId=${tourId}`);
    const head = await api("HEAD", `/api/reviews?tourId=${tourId}`);
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "content-type", "cache-control"])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    expect((await api("HEAD", "/api/reviews")).status).toBe(400);
  });

  test.each([
    ["absent", ""],
    ["empty", "?tourId="],
    ["in another case", `?tourid=${unknownId()}`],
    ["an operator's", `?tourId[$ne]=${unknownId()}`],
  ])("400 when tourId is %s", async (_, search) => {
    const answer = await api("GET", `/api/reviews${search}`);
    expect(refusal(answer)).toEqual(refused(400, NO_TOUR_ID));
  });

  it("is the same for everybody, whatever credentials they send", async () => {
    const { tourId, token, guest } = await reviewed();
    const path = `/api/reviews?tourId=${tourId}`;
    const nobody = await api("GET", path);
    const cookie = await logIn(app, guest.email);
    const everybody: Options[] = [
      { token },
      { cookie },
      { token: "trv_unknown" },
      { headers: { authorization: "Basic eDp5" } },
      { cookie, headers: { origin: "https://evil.example" } },
    ];
    for (const options of everybody) {
      const answer = await api("GET", path, options);
      expect([answer.status, answer.text]).toEqual([200, nobody.text]);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });
});

// How `If-None-Match` is compared is tested in read-review.http.test.ts.
describe("entity tags of a list", () => {
  const read = (tourId: string, known?: string) =>
    api("GET", `/api/reviews?tourId=${tourId}`, {
      headers: known === undefined ? {} : { "if-none-match": known },
    });

  it("are weak, and a kept answer is only used after asking the server", async () => {
    const { tourId } = await reviewed();
    const { headers } = await read(tourId);
    const tag = headers.get("etag")!;
    expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    expect(headers.get("cache-control")).toBe("no-cache");
    for (const known of [tag, tag.slice(2)]) {
      const answer = await read(tourId, known);
      expect([known, answer.status, answer.text]).toEqual([known, 304, ""]);
      const names = ["etag", "cache-control", "content-type"];
      expect(names.map((name) => answer.headers.get(name))).toEqual([tag, "no-cache", null]);
    }
    const refusedAll = { headers: { "if-none-match": "*" } };
    expect(refusal(await api("GET", "/api/reviews", refusedAll))).toEqual(refused(400, NO_TOUR_ID));
  });

  it("change with every change of the list, and only then", async () => {
    const { token, tour, tourId } = await scene();
    const tagNow = async () => (await read(tourId)).headers.get("etag")!;
    const tags = [await tagNow()];
    expect(await tagNow()).toBe(tags[0]);

    const created = await api("POST", "/api/reviews", { token, body: { tourId, rating: 4 } });
    const path = `/api/reviews/${created.json!.review!.id}`;
    tags.push(await tagNow());
    const changed = await read(tourId, tags[0]);
    expect([changed.status, changed.json!.reviews]).toEqual([200, [created.json!.review]]);
    for (const body of [{ comment: "new" }, { rating: 5 }]) {
      await api("PATCH", path, { token, body });
      tags.push(await tagNow());
    }
    expect(new Set(tags).size).toBe(4);

    // Refused requests, and changes of other tours, change nothing here.
    await api("POST", "/api/reviews", { token, body: { tourId, rating: 1 } });
    await makeReview(await makeUser(), await makeTour());
    expect(await tagNow()).toBe(tags[3]);

    await makeReview(await makeUser(), tour, { createdAt: ago(HOUR) });
    expect(tags).not.toContain(await tagNow());
  });
});
