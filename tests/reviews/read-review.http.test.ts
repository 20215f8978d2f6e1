import { Types } from "mongoose";
import { expect, it } from "vitest";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { User } from "#models/user";
import { call, shown } from "../support/app";
import {
  api,
  app,
  list,
  refusal,
  refused,
  REVIEW_FIELDS,
  reviewed,
  useApp,
} from "../support/shared-app";
import { makeReview } from "../support/factories";

useApp();

it("gives anybody the review as it is in the list, and nothing more", async () => {
  const { path, tour } = await reviewed({ rating: 4, editedAt: new Date() });
  const answer = await api("GET", path);
  expect([answer.status, Object.keys(answer.json!)]).toEqual([200, ["review"]]);
  expect(Object.keys(answer.json!.review!).sort()).toEqual(REVIEW_FIELDS);
  expect([answer.json!.review]).toEqual(await list(tour));
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  const head = await api("HEAD", path);
  expect([head.status, head.text, head.headers.get("etag")]).toEqual([
    200,
    "",
    answer.headers.get("etag"),
  ]);
});

it("is a 304 without a body while If-None-Match names its state", async () => {
  const { path, token, guest } = await reviewed({ rating: 4 });
  const etag = (await api("GET", path)).headers.get("etag")!;
  // Without a Cache-Control of the request's own, fetch would ask that no cached answer be used.
  const ask = (known: string) =>
    api("GET", path, { headers: { "if-none-match": known, "cache-control": "max-age=0" } });
  for (const known of [etag, `W/${etag}`, `"x", ${etag} , W/"y"`, "*"]) {
    const answer = await ask(known);
    expect([known, answer.status, answer.text]).toEqual([known, 304, ""]);
    expect(answer.headers.get("etag")).toBe(etag);
  }
  for (const known of ['"x"', `${etag.slice(0, -3)}"`, etag.slice(1, -1), "", '"x", *'])
    expect([known, (await ask(known)).status]).toEqual([known, 200]);
  await api("PATCH", path, { token, body: { comment: "changed" } });
  const changed = await ask(etag);
  expect([changed.status, changed.json?.review?.comment]).toEqual([200, "changed"]);
  const before = changed.headers.get("etag")!;
  await User.updateOne({ _id: guest._id }, { name: "Another name" });
  expect((await ask(before)).json?.review?.user.name).toBe("Another name");
  // For a change, only the state of the review counts.
  const headers = { "if-match": before };
  expect((await api("DELETE", path, { token, headers })).status).toBe(200);
});

it("shows an author whose account is gone without name and picture", async () => {
  const { path, guest } = await reviewed();
  await User.deleteOne({ _id: guest._id });
  expect((await api("GET", path)).json?.review?.user).toEqual({ name: "", image: null });
});

it("finds a review whose tour no longer exists", async () => {
  const { guest } = await reviewed();
  const review = await makeReview(guest, { _id: new Types.ObjectId() });
  expect((await api("GET", `/api/reviews/${review._id.toString()}`)).status).toBe(200);
});

it("is 404 for an unknown id, and what is none", async () => {
  await reviewed();
  const unknown = new Types.ObjectId().toString();
  for (const id of ["nope", "abcdefghijkl", unknown, "%ff", "%7B%7D"]) {
    const answer = await api("GET", `/api/reviews/${id}`);
    expect([id, ...refusal(answer)]).toEqual([id, ...refused(404, "Review not found")]);
  }
});

it("is gone where an operator has removed it, and its page says so and leads to the tour", async () => {
  const { review, tour, path } = await reviewed({ rating: 1 });
  const { _id } = review;
  const address = `/reviews/${_id.toString()}`;
  const stored = await Review.collection.findOneAndDelete({ _id });
  const { tourId, userId } = stored!;
  const removedAt = new Date("2026-11-29T10:00Z");
  const caseId = new Types.ObjectId();
  await RemovedReview.create({ _id, tourId, userId, removedAt, caseId, review: stored });
  const page = await call(app, "GET", address);
  expect(page.status).toBe(410);
  expect(shown(page)).toContain("This review was removed on 29 November 2026 under our rules");
  expect(page.text).toContain(`href="/tours/${tour.slug}#reviews"`);
  expect(page.text).toContain('content="noindex"');
  expect(await api("GET", path)).toMatchObject({
    status: 404,
    json: { error: "Review not found" },
  });
  // Its author has deleted it.
  await RemovedReview.updateOne({ _id }, { review: null });
  expect((await call(app, "GET", address)).status).toBe(404);
});
