import { describe, expect, it, test } from "vitest";
import { checkRatings } from "~/reviews/ratings.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { reviewTag } from "~/reviews/list/public-review.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, logIn, shown, tokenOf } from "../support/app";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import { useTwoApps } from "../support/shared-app";

interface Body {
  error?: string;
  review?: { id: string; rating: number; comment: string | null };
}

const CHANGED = { error: "The review was changed meanwhile" };
const STRONG_TAG = /^"[A-Za-z0-9_-]{27}\.[A-Za-z0-9_-]{27}"$/;
const either = useTwoApps();

/** A review that its author has just posted, and its tag. */
async function posted() {
  const tour = await makeTour();
  const author = await makeBookedExplorer(tour, { name: "Ann" });
  const token = await tokenOf(author);
  const body = { tourId: tour._id.toString(), rating: 5, comment: "Fine" };
  const answer = await call<Body>(either(), "POST", "/api/reviews", { token, body });
  const id = answer.json!.review!.id;
  /** `ifMatch` is the header's value; without it there is none. */
  const send = (method: "PATCH" | "DELETE", ifMatch?: string, body?: object, as = token) =>
    call<Body>(either(), method, `/api/reviews/${id}`, {
      token: as,
      ...(body && { body }),
      ...(ifMatch !== undefined && { headers: { "if-match": ifMatch } }),
    });
  return { tour, author, token, id, tag: answer.headers.get("etag")!, send };
}

describe("the tag", () => {
  it("is sent with the answers of a POST, a GET and a PATCH, and names the review's state", async () => {
    const { tag, send, author, id } = await posted();
    expect(tag).toMatch(STRONG_TAG);
    const read = await call(either(), "GET", `/api/reviews/${id}`);
    expect(read.headers.get("etag")).toBe(tag);
    expect((await posted()).tag).not.toBe(tag);
    const edited = await send("PATCH", undefined, { rating: 4 });
    expect(edited.headers.get("etag")).toMatch(STRONG_TAG);
    expect(edited.headers.get("etag")).not.toBe(tag);
    const silent = await send("PATCH", undefined, { comment: null });
    expect(silent.headers.get("etag")).not.toBe(edited.headers.get("etag"));
    const back = await send("PATCH", undefined, { rating: 5, comment: "Fine" });
    expect(back.headers.get("etag")).toBe(tag);
    // The author's name stands behind the dot, and is not part of its state.
    await User.updateOne({ _id: author._id }, { name: "Renamed" });
    const renamed = (await send("PATCH", tag, { rating: 5 })).headers.get("etag")!;
    expect(renamed).not.toBe(tag);
    for (const one of [tag, renamed])
      expect(one).toContain(`"${reviewTag({ id, rating: 5, comment: "Fine" })}.`);
  });

  it("belongs to the answer when a POST is replayed", async () => {
    const tour = await makeTour();
    const token = await tokenOf(await makeBookedExplorer(tour));
    const post = () =>
      call<Body>(either(), "POST", "/api/reviews", {
        token,
        body: { tourId: tour._id.toString(), rating: 5 },
        headers: { "idempotency-key": "a key" },
      });
    const first = await post();
    const path = `/api/reviews/${first.json!.review!.id}`;
    await call(either(), "PATCH", path, { token, body: { rating: 1 } });
    expect((await post()).headers.get("etag")).toBe(first.headers.get("etag"));
  });
});

describe("If-Match", () => {
  it.each<[string, (tag: string) => string]>([
    ["the tag", (tag) => tag],
    ["the tag among others", (tag) => `"other", ${tag} ,"W/x"`],
    ["any", () => "*"],
  ])("with %s lets a PATCH and a DELETE through", async (_, header) => {
    const { tag, send, id } = await posted();
    const edited = await send("PATCH", header(tag), { rating: 2 });
    expect([edited.status, edited.json!.review]).toMatchObject([200, { rating: 2 }]);
    expect((await send("DELETE", header(edited.headers.get("etag")!))).status).toBe(200);
    expect(await Review.exists({ _id: id })).toBeNull();
  });

  it.each<[string, (tag: string) => string]>([
    ["another tag", () => '"other"'],
    ["the weak form of the tag", (tag) => `W/${tag}`],
    ["a star in quotes", () => '"*"'],
    ["a star among tags", () => '"other", *'],
    ["a very long list", () => '"x",'.repeat(2_000)],
  ])("with %s changes nothing: 412", async (_, header) => {
    const { tag, send, id, tour } = await posted();
    const before = [await Review.findById(id).lean(), await Tour.findById(tour._id).lean()];
    const edited = await send("PATCH", header(tag), { rating: 2 });
    expect([edited.status, edited.json]).toEqual([412, CHANGED]);
    expect(edited.headers.get("etag")).toBeNull();
    const deleted = await send("DELETE", header(tag));
    expect([deleted.status, deleted.json]).toEqual([412, CHANGED]);
    expect([await Review.findById(id).lean(), await Tour.findById(tour._id).lean()]).toEqual(
      before,
    );
  });

  it("is the last of the checks", async () => {
    const { send, id } = await posted();
    const other = await tokenOf(await makeUser());
    const no = '"other"';
    const statuses = async (as?: string) => [
      (await send("PATCH", no, { rating: 2 }, as)).status,
      (await send("DELETE", no, undefined, as)).status,
    ];
    expect(await statuses("nobody's")).toEqual([401, 401]);
    expect((await send("PATCH", no, {})).json).toEqual({ error: "No fields to update" });
    expect((await send("PATCH", no, { rating: 6 })).status).toBe(400);
    expect(await statuses(other)).toEqual([403, 403]);
    expect(await statuses()).toEqual([412, 412]);
    await Review.updateOne(
      { _id: id },
      { createdAt: new Date(Date.now() - EDIT_WINDOW_MS - 1_000) },
    );
    expect(await statuses()).toEqual([403, 412]);
    await Review.deleteOne({ _id: id });
    expect(await statuses()).toEqual([404, 404]);
    expect((await send("DELETE", "*")).status).toBe(404);
  });
});

describe("at once, on two processes", () => {
  test("of PATCHes with one tag, one succeeds and the others are refused", async () => {
    for (let round = 0; round < 3; round++) {
      const { tag, send, id, tour } = await posted();
      const before = (await Tour.findById(tour._id).lean())!.ratingsVersion;
      const answers = await Promise.all(
        [1, 2, 3, 4, 1, 2].map((rating, n) => send("PATCH", tag, { rating, comment: `by ${n}` })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
      const winner = answers.find(({ status }) => status === 200)!.json!.review!;
      expect(await Review.findById(id).lean()).toMatchObject({
        rating: winner.rating,
        comment: winner.comment,
      });
      expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(before + 1);
    }
    expect(await checkRatings()).toEqual([]);
  });

  test("of a PATCH and a DELETE with one tag, one succeeds", async () => {
    for (let round = 0; round < 6; round++) {
      const { tag, send, id } = await posted();
      const [edited, deleted] = await Promise.all([
        send("PATCH", tag, { rating: 1 }),
        send("DELETE", tag),
      ]);
      expect([
        [200, 412],
        [404, 200],
      ]).toContainEqual([edited.status, deleted.status]);
      expect((await Review.exists({ _id: id })) === null).toBe(deleted.status === 200);
    }
    expect(await checkRatings()).toEqual([]);
  });
});

describe("the page that edits a review", () => {
  async function opened() {
    const tour = await makeTour();
    const author = await makeBookedExplorer(tour);
    const { _id } = await makeReview(author, tour, { rating: 4, comment: "As it was" });
    const cookie = await logIn(either(), author.email);
    const path = `/reviews/${_id.toString()}/edit`;
    const get = () => call(either(), "GET", path, { cookie });
    const post = (fields: Record<string, string>) =>
      call(either(), "POST", path, { cookie, raw: new URLSearchParams(fields) });
    return { id: _id, cookie, get, post, tag: tagIn(await get()) };
  }
  const tagIn = ({ text }: { text: string }) =>
    /<input type="hidden" name="tag" value="([^"]*)"/.exec(text)?.[1] ?? "";
  const stored = (id: unknown) => Review.findById(id).lean();

  test.each(["0", "6", "2.5", "many"])(
    "refuses a rating of %s, and stores nothing",
    async (rating) => {
      const { id, post, tag } = await opened();
      const { status, text } = await post({ tag, rating, comment: "As it is" });
      expect(status).toBe(400);
      expect(text).toContain("Choose a rating from 1 to 5 stars.");
      expect(text).toContain("As it is");
      expect(await stored(id)).toMatchObject({ rating: 4, comment: "As it was" });
    },
  );

  test("says so when nothing was changed, and marks nothing as edited", async () => {
    const { id, cookie, post, tag } = await opened();
    const notice = async (fields: Record<string, string>) => {
      const { status, headers } = await post({ tag, ...fields });
      const to = headers.get("location")!;
      return [status, shown(await call(either(), "GET", to, { cookie }))];
    };
    const NOTHING = "Nothing was changed.";
    expect(await notice({ rating: "4", comment: " As it was " })).toEqual([
      302,
      expect.stringContaining(NOTHING),
    ]);
    expect((await stored(id))!.editedAt).toBeUndefined();
    const sent = { rating: "4", comment: "As it is" };
    // The second time, the same form is sent again.
    for (let time = 0; time < 2; time++) {
      const told = await notice(sent);
      expect(told).toEqual([302, expect.stringContaining("Review updated successfully")]);
      expect(told[1]).not.toContain(NOTHING);
    }
    expect((await stored(id))!.editedAt).toBeInstanceOf(Date);
  });

  test("keeps its tag when something else is wrong", async () => {
    const { id, post, tag } = await opened();
    await Review.updateOne({ _id: id }, { comment: "Changed" });
    const wrong = await post({ tag, rating: "9", comment: "Mine" });
    expect([wrong.status, tagIn(wrong)]).toEqual([400, tag]);
    expect((await post({ tag: tagIn(wrong), rating: "3", comment: "Mine" })).status).toBe(412);
  });
});
