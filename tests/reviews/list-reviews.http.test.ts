import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { logIn } from "../support/app";
import { makeReview, makeTour, makeUser } from "../support/factories";
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
  describe("happy", () => {
    it("lists reviews, newest first, to anybody", async () => {
      const { tour, tourId } = await scene();
      const ages = [3, 1, 26, 2];
      for (const age of ages)
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
        expect(Object.keys(review.user).sort()).toEqual(["image", "name"]);
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
      const [review] = (await list(tour))!;
      expect(review).toMatchObject({
        userId: guest._id.toString(),
        comment: "as it was",
        user: { name: "", image: null },
      });
    });

    it("gives all reviews, not in pages", async () => {
      const { tour, tourId } = await scene();
      await Review.insertMany(
        Array.from({ length: 300 }, () => ({
          tourId: tour._id,
          userId: new Types.ObjectId(),
          rating: 3,
          createdAt: new Date(),
        })),
      );
      const { json } = await api("GET", `/api/reviews?tourId=${tourId}&limit=1&page=2`);
      expect(json?.reviews).toHaveLength(300);
    });

    it("sends a list that is too large for the memory in parts", async () => {
      const { tour, tourId } = await scene();
      await Review.insertMany(
        Array.from({ length: 450 }, (_, index) => ({
          tourId: tour._id,
          userId: new Types.ObjectId(),
          rating: 3,
          comment: `Number ${index}`,
          createdAt: ago(index * HOUR),
        })),
      );
      await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 50_000 } });
      const path = `/api/reviews?tourId=${tourId}`;
      const { status, headers, json } = await api("GET", path);
      expect([status, headers.get("content-length")]).toEqual([200, null]);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(json!.reviews!.map(({ comment }) => comment)).toEqual(
        Array.from({ length: 450 }, (_, index) => `Number ${index}`),
      );
      const etag = headers.get("etag")!;
      expect((await api("HEAD", path)).text).toBe("");
      // The tag of a list that is sent in parts changes every half minute.
      const again = await api("GET", path, { headers: { "if-none-match": etag } });
      expect([200, 304]).toContain(again.status);
    });

    const UNKNOWN: [string, () => string | Promise<string>][] = [
      ["a tour without reviews", () => makeTour().then(({ _id }) => _id.toString())],
      ["an unknown id", () => unknownId()],
      ["no id", () => "old-town"],
      ["12 characters", () => "abcdefghijkl"],
      ["a NUL", () => "%00"],
      ["an operator", () => encodeURIComponent('{"$ne":null}')],
      ["a prototype key", () => "__proto__"],
      ["a malformed escape", () => "%E0%A4%A"],
      ["only a space", () => "%20"],
    ];
    it("gives an empty list for an unknown tour, or one without reviews", async () => {
      await reviewed();
      for (const [kind, tourId] of UNKNOWN) {
        const { status, json } = await api("GET", `/api/reviews?tourId=${await tourId()}`);
        expect([kind, status, json]).toEqual([kind, 200, { reviews: [] }]);
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
  });

  describe("entity tags", () => {
    const read = (tourId: string, known?: string) =>
      api("GET", `/api/reviews?tourId=${tourId}`, {
        headers: known === undefined ? {} : { "if-none-match": known },
      });

    it("are weak, and a kept answer is only used after asking the server", async () => {
      const { tourId } = await reviewed();
      const { headers } = await read(tourId);
      expect(headers.get("etag")).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
      expect(headers.get("cache-control")).toBe("no-cache");
    });

    const MATCHING: [string, (tag: string) => string][] = [
      ["the tag itself", (tag: string) => tag],
      ["the tag as a strong one", (tag: string) => tag.slice(2)],
      ["a list with the tag", (tag: string) => `"other", ${tag} , W/"third"`],
      ["a list with the strong tag first", (tag: string) => `${tag.slice(2)},"other"`],
      ["any tag", () => "*"],
    ];
    it("give 304 without a body when they match", async () => {
      const { tourId } = await reviewed();
      const tag = (await read(tourId)).headers.get("etag")!;
      for (const [kind, known] of MATCHING) {
        const answer = await read(tourId, known(tag));
        expect([kind, answer.status, answer.text]).toEqual([kind, 304, ""]);
        expect(answer.headers.get("etag")).toBe(tag);
        expect(answer.headers.get("cache-control")).toBe("no-cache");
        expect(answer.headers.get("content-type")).toBeNull();
      }
    });

    const OTHERS: [string, (tag: string) => string][] = [
      ["another tag", () => '"other"'],
      ["a part of the tag", (tag: string) => `${tag.slice(0, -3)}"`],
      ["the tag without quotes", (tag: string) => tag.slice(3, -1)],
      ["nothing", () => ""],
      ["a star among others", () => '"other", *'],
    ];
    it("give the list when they do not match", async () => {
      const { tourId } = await reviewed();
      const tag = (await read(tourId)).headers.get("etag")!;
      for (const [kind, known] of OTHERS) {
        const answer = await read(tourId, known(tag));
        expect([kind, answer.status, answer.json?.reviews?.length]).toEqual([kind, 200, 1]);
      }
    });

    it("do not hide an error", async () => {
      const headers = { "if-none-match": "*" };
      expect(refusal(await api("GET", "/api/reviews", { headers }))).toEqual(
        refused(400, NO_TOUR_ID),
      );
    });

    it("change with every change of the list, and only then", async () => {
      const { token, tour, tourId } = await scene();
      const tagNow = async () => (await read(tourId)).headers.get("etag")!;
      const tags = [await tagNow()];
      expect(await tagNow()).toBe(tags[0]);

      const created = await api("POST", "/api/reviews", { token, body: { tourId, rating: 4 } });
      const path = `/api/reviews/${created.json!.review!.id}`;
      tags.push(await tagNow());
      expect((await read(tourId, tags[0])).status).toBe(200);
      await api("PATCH", path, { token, body: { comment: "new" } });
      tags.push(await tagNow());
      await api("PATCH", path, { token, body: { rating: 5 } });
      tags.push(await tagNow());
      expect(new Set(tags).size).toBe(4);

      // Refused requests, and changes of other tours, change nothing here.
      await api("POST", "/api/reviews", { token, body: { tourId, rating: 1 } });
      await makeReview(await makeUser(), await makeTour());
      expect(await tagNow()).toBe(tags[3]);

      await makeReview(await makeUser(), tour, { createdAt: ago(HOUR) });
      expect(tags).not.toContain(await tagNow());
    });
  });

  describe("errors", () => {
    test.each([
      ["absent", ""],
      ["empty", "?tourId="],
      ["without a value", "?tourId"],
      ["in another case", `?tourid=${unknownId()}`],
      ["an operator's", `?tourId[$ne]=${unknownId()}`],
      ["a list's", `?tourId[]=${unknownId()}`],
    ])("400 when tourId is %s", async (_, search) => {
      const answer = await api("GET", `/api/reviews${search}`);
      expect(refusal(answer)).toEqual(refused(400, NO_TOUR_ID));
    });
  });

  describe("security", () => {
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
});
