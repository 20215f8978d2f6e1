import type { LoaderFunctionArgs } from "@remix-run/node";
import { beforeEach, describe, expect, it } from "vitest";
import { loader as root } from "~/root";
import { loader as me } from "~/routes/me._index";
import { loader as tourPage } from "~/routes/tours.$slug";
import { action as reviews } from "~/routes/api.reviews";
import { action as review } from "~/routes/api.reviews_.$id";
import { clearCaches } from "~/lib/cache.server";
import { readWebhooks } from "~/reviews/webhooks/events.server";
import { requestScope } from "~/lib/request-scope.server";
import { CONFIRMED } from "#models/booking";
import { sessionOf } from "../support/app";
import { useDatabase } from "../support/database";
import { commandsOf } from "../support/explain";
import {
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

/** A guide of many tours, one of which has many reviews; Ann has reviewed one, waits for others and has booked two. */
async function scene() {
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id });
  const others = await Promise.all(
    Array.from({ length: 40 }, () => makeTour({ createdById: guide._id })),
  );
  for (let n = 0; n < 30; n++) await makeReview(await makeUser(), tour, { comment: `Fine ${n}` });
  const ann = await makeBookedExplorer(tour);
  for (const other of others.slice(0, 15)) await makeBooking(ann, other);
  for (const other of others.slice(15, 17))
    await makeBooking(ann, other, { status: CONFIRMED, date: tomorrow });
  for (const other of others.slice(17, 30)) {
    await makeBooking(ann, other);
    await makeReply(guide, await makeReview(ann, other, { comment: "Lovely." }));
  }
  return { guide, tour, ann, cookie: await sessionOf(ann) };
}

beforeEach(async () => {
  of = await scene();
  // As a server's job does.
  await readWebhooks();
});

describe("a page asks the database at most so often, whatever its visitor has", () => {
  const page = (path: string, loader: (args: LoaderFunctionArgs) => unknown, params = {}) => {
    const request = new Request(`http://localhost${path}`, { headers: { cookie: of.cookie } });
    const given = { request, params, context: {} };
    return commandsOfRequest(() => Promise.all([root(given), loader(given)]));
  };
  const TABLE = {
    "/me": { most: 10, open: () => page("/me", me) },
    "a tour, for an explorer who was there": {
      most: 8,
      open: () => page(`/tours/${of.tour.slug}`, tourPage, { slug: of.tour.slug }),
    },
  };

  it.each(Object.entries(TABLE))("%s", async (_name, { most, open }) => {
    clearCaches();
    await open();
    const sent = await open();
    expect(sent.length, sent.join()).toBeLessThanOrEqual(most);
  });
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
