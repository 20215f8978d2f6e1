import type { LoaderFunctionArgs } from "@remix-run/node";
import { beforeEach, describe, expect, it, test } from "vitest";
import { loader as root } from "~/root";
import { loader as guidePage } from "~/routes/guide._index";
import { loader as me } from "~/routes/me._index";
import { loader as tourPage } from "~/routes/tours.$slug";
import { action as reviews, loader as list } from "~/routes/api.reviews";
import { action as review } from "~/routes/api.reviews_.$id";
import { clearCaches } from "~/lib/cache.server";
import { readWebhooks } from "~/reviews/webhooks/events.server";
import { requestScope } from "~/lib/request-scope.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { CONFIRMED } from "#models/booking";
import { sessionOf } from "../support/app";
import { useDatabase } from "../support/database";
import { commandsOf } from "../support/explain";
import {
  insertReviews,
  makeBookedExplorer,
  makeBooking,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";

// How many commands a request sends to the database. The routes run in this process, as Remix
// runs them, because the driver reports here each command that it sends.

useDatabase();

/** Those of one request. */
const commandsOfRequest = (work: () => Promise<unknown>) =>
  commandsOf(() => requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, work));

const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000);

type Of = Awaited<ReturnType<typeof scene>>;
let of: Of;

/** A guide of 201 tours, one of which has 100 reviews; Ann has reviewed one, waits for others and has booked two. */
async function scene() {
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id });
  const others = await Promise.all(
    Array.from({ length: 200 }, () => makeTour({ createdById: guide._id })),
  );
  await insertReviews(tour._id, 100, (n) => ({ comment: `Fine ${n}` }));
  await rebuildRatings({ tourIds: [tour._id] });
  const ann = await makeBookedExplorer(tour);
  for (const other of others.slice(0, 15)) await makeBooking(ann, other);
  for (const other of others.slice(15, 17))
    await makeBooking(ann, other, { status: CONFIRMED, date: tomorrow });
  for (const other of others.slice(17, 30)) {
    await makeBooking(ann, other);
    await makeReply(guide, await makeReview(ann, other, { comment: "Lovely." }));
  }
  const [cookie, guideCookie] = [await sessionOf(ann), await sessionOf(guide)];
  return { guide, tour, ann, cookie, guideCookie };
}

beforeEach(async () => {
  of = await scene();
  // As a server's job does.
  await readWebhooks();
});

describe("a page asks the database at most so often, whatever its visitor has", () => {
  type Loader = (args: LoaderFunctionArgs) => unknown;
  it.each<[string, number, Loader, () => { path: string; cookie: string; slug?: string }]>([
    ["/me", 10, me, () => ({ path: "/me", cookie: of.cookie })],
    ["/guide", 20, guidePage, () => ({ path: "/guide", cookie: of.guideCookie })],
    [
      "a tour, for an explorer who was there",
      ...([8, tourPage] as const),
      () => ({ path: `/tours/${of.tour.slug}`, cookie: of.cookie, slug: of.tour.slug }),
    ],
  ])("%s, %i times", async (_name, most, loader, asked) => {
    const { path, cookie, ...params } = asked();
    const request = new Request(`http://localhost${path}`, { headers: { cookie } });
    const given = { request, params, context: {} };
    const open = () => commandsOfRequest(() => Promise.all([root(given), loader(given)]));
    clearCaches();
    await open();
    const sent = await open();
    expect(sent.length, sent.join()).toBeLessThanOrEqual(most);
  });
});

test("the API's list of a tour that nobody has asked for asks it three times", async () => {
  clearCaches();
  const request = new Request(`http://localhost/api/reviews?tourId=${of.tour._id.toString()}`);
  const sent = await commandsOfRequest(async () => {
    const answer = await list({ request, params: {}, context: {} });
    expect(((await answer.json()) as { reviews: unknown[] }).reviews).toHaveLength(100);
  });
  expect(sent.length, sent.join()).toBeLessThanOrEqual(3);
});

describe("a change of a review asks the database at most so often", () => {
  it.each([
    ["POST", 12, { rating: 5, comment: "Fine" }, 201],
    ["PATCH", 11, { rating: 2 }, 200],
    ["DELETE", 12, null, 200],
  ] as const)("%s", async (method, most, fields, status) => {
    const { tour, ann, cookie } = of;
    const tourId = tour._id.toString();
    const id = method === "POST" ? "" : (await makeReview(ann, tour))._id.toString();
    const body = fields && JSON.stringify(method === "POST" ? { tourId, ...fields } : fields);
    const request = new Request(`http://localhost/api/reviews/${id}`, {
      ...{ method, body },
      headers: { cookie },
    });
    const action = method === "POST" ? reviews : review;
    const sent = await commandsOfRequest(async () => {
      const answer = await action({ request, params: { id }, context: {} });
      expect(answer instanceof Response && answer.status).toBe(status);
    });
    expect(sent.length, sent.join()).toBeLessThanOrEqual(most);
  });
});
