import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { loader, action } from "~/routes/api.reviews";
import { AUTHOR_STALENESS_MS } from "~/db/people.server";
import { WHOLE_REVIEWS } from "~/reviews/list/list.server";
import { insertReviews, makeTour } from "../support/factories";
import { call } from "../support/app";
import { app, useApp } from "../support/shared-app";

useApp();

/** What the route answers when Remix calls it. */
const asRemix = (route: typeof loader | typeof action, path: string, init?: RequestInit) =>
  route({ request: new Request(app.url + path, init), params: {}, context: {} });

test.each(["a kept list", "a list in parts"])(
  "%s gives the same answer through Remix and through the guard",
  async (kind) => {
    const reviews = kind === "a kept list" ? 3 : WHOLE_REVIEWS + 1;
    const tour = await makeTour({ reviewCount: reviews });
    await insertReviews(tour._id, 3, (n) => ({ comment: `Número ${n}` }));
    const path = `/api/reviews?tourId=${tour._id.toString()}`;
    // The tag of a list that is sent in parts changes every half minute.
    const left = AUTHOR_STALENESS_MS - (Date.now() % AUTHOR_STALENESS_MS);
    if (left < 5_000) await sleep(left);
    const [ours, remix] = await Promise.all([call(app, "GET", path), asRemix(loader, path)]);
    expect(await remix.text()).toBe(ours.text);
    expect(remix.headers.get("etag")).toBe(ours.headers.get("etag"));
    expect(ours.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(remix.headers.get("content-type")).toBe(ours.headers.get("content-type"));
    expect(ours.headers.has("content-length")).toBe(kind === "a kept list");
    expect((await call(app, "HEAD", path)).text).toBe("");
    const headers = { "if-none-match": remix.headers.get("etag")! };
    const known = await asRemix(loader, path, { headers });
    expect([known.status, await known.text()]).toEqual([304, ""]);
  },
);

test("Remix's action reads the body of its request", async () => {
  const refused = await asRemix(action, "/api/reviews", { method: "POST", body: "{}" });
  expect([refused.status, await refused.json()]).toEqual([401, { error: "Unauthorized" }]);
});
