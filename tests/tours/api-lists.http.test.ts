import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { Tour, type TourDocument } from "#models/tour";
import type { PublicTour } from "~/tours/tours.server";
import { type Answer, call, tokenOf } from "../support/app";
import { makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import { allToursListed, app, nextPage, type Options, useApp } from "../support/shared-app";

useApp();

const get = <Body>(path: string, options?: Options) =>
  call<Body & { error?: string }>(app, "GET", path, options);

const idOf = ({ _id }: Pick<TourDocument, "_id">) => _id.toString();

/** Reviewed through the API, so that the app's own index of tours learns of it. */
async function post(tour: TourDocument, rating: number): Promise<void> {
  const token = await tokenOf(await makeBookedExplorer(tour));
  const body = { tourId: idOf(tour), rating };
  expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
}

describe("GET /api/ratings", () => {
  interface Ratings {
    ratings: (Pick<PublicTour, "avgRating" | "reviewCount" | "ratingCounts"> & {
      tourId: string;
    })[];
  }
  const ratings = (ids: string[], options?: Options) =>
    get<Ratings>(`/api/ratings?tourIds=${ids.join(",")}`, options);

  test("has the ratings in the order of the ids, each once, without unknown tours", async () => {
    const [one, two] = [await makeTour(), await makeTour()];
    await post(two, 4);
    await post(two, 5);
    const ids = [two, one].map(idOf);
    const unknown = [new Types.ObjectId().toString(), "no-id"];
    const { json } = await ratings([ids[0]!, unknown[0]!, ids[1]!, unknown[1]!, ids[0]!]);
    const none = { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 };
    expect(json!.ratings).toEqual([
      {
        tourId: ids[0],
        avgRating: 4.5,
        reviewCount: 2,
        ratingCounts: { ...none, "4": 1, "5": 1 },
      },
      { tourId: ids[1], avgRating: 0, reviewCount: 0, ratingCounts: none },
    ]);
  });

  test("is not sent again until one of them has changed", async () => {
    const tour = await makeTour();
    const { headers } = await ratings([idOf(tour)]);
    const again = { headers: { "if-none-match": headers.get("etag")! } };
    expect((await ratings([idOf(tour)], again)).status).toBe(304);
    await post(tour, 3);
    expect((await ratings([idOf(tour)], again)).status).toBe(200);
  });

  test.each(["", "?tourIds=", "?tourIds=,", `?tourIds=${many(101)}`])(
    "refuses %s",
    async (query) => {
      const { status, json } = await get(`/api/ratings${query}`);
      expect([status, json]).toEqual([
        400,
        { error: "tourIds must be 1 to 100 ids, separated by commas" },
      ]);
    },
  );

  test("takes a hundred", async () => {
    expect((await get(`/api/ratings?tourIds=${many(100)}`)).json).toEqual({ ratings: [] });
  });
});

function many(count: number): string {
  return Array.from({ length: count }, () => new Types.ObjectId().toString()).join(",");
}

describe("GET /api/tours in pages", () => {
  interface Tours {
    tours: PublicTour[];
  }

  /** The tours of all pages from that one on, following `Link`; `between` is called after the first page. */
  async function walk(path: string, between = async () => {}): Promise<PublicTour[][]> {
    await allToursListed();
    const pages: PublicTour[][] = [];
    for (let next: string | null = path; next !== null;) {
      const answer: Answer<Tours & { error?: string }> = await get<Tours>(next);
      expect(answer.status).toBe(200);
      pages.push(answer.json!.tours);
      next = nextPage(answer.headers);
      if (pages.length === 1) await between();
    }
    return pages;
  }

  test.each(["best", "reviewed", "newest", "match"])("by %s has each once", async (sort) => {
    const tours: TourDocument[] = [];
    for (const rating of [3, 5, 4, 5, 1]) {
      const tour = await makeTour({ avgRating: rating, reviewCount: rating });
      tours.push(tour);
    }
    const pages = await walk(`/api/tours?sort=${sort}&limit=2`);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    const found = pages.flat().map(({ id }) => id);
    expect([...found].sort()).toEqual(tours.map(idOf).sort());
    const ratings = pages.flat().map(({ avgRating }) => avgRating);
    expect(ratings).toEqual(sort === "newest" ? [1, 5, 4, 5, 3] : [5, 5, 4, 3, 1]);
  });

  test("goes on where it was when the last tour of a page is gone and another has come", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.unshift(idOf(await makeTour()));
    const pages = await walk("/api/tours?sort=newest&limit=2", async () => {
      await Tour.deleteOne({ _id: ids[1] });
      await makeTour();
    });
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  test("has what the site's search finds, the best match first", async () => {
    const described = await makeTour({ title: "Harbour", description: "By boat." });
    const titled = await makeTour({ title: "Boats at night" });
    await makeTour({ title: "Old town" });
    const [first, second] = await walk("/api/tours?q=boat&limit=1");
    expect([first, second].map((page) => page![0]!.id)).toEqual([titled, described].map(idOf));
  });

  test("is still one tour for a slug, whatever else is asked", async () => {
    const tour = await makeTour();
    const { json } = await get<{ tour: PublicTour }>(`/api/tours?slug=${tour.slug}&limit=5`);
    expect(json!.tour.id).toBe(idOf(tour));
  });

  test.each([
    ["", "Slug is required"],
    ["limit=0", "limit must be an integer between 1 and 100"],
    ["sort=worst", "sort must be one of match, best, reviewed, newest"],
    ["after=5", "after must be a cursor from the Link of an answer"],
    [`q=${"a".repeat(201)}`, "q must have at most 200 characters"],
  ])("refuses %s", async (query, error) => {
    const { status, json } = await get(`/api/tours?${query}`);
    expect([status, json]).toEqual([400, { error }]);
  });
});

test("GET /api/tours/{id}/jsonld is what the tour's own page has", async () => {
  const tour = await makeTour({ title: "Old town", description: "A walk." });
  const path = `/api/tours/${idOf(tour)}/jsonld`;
  // Search engines take no Product without a rating and without a price.
  const nothing = await get(path);
  expect([nothing.status, nothing.text]).toEqual([204, ""]);
  const priced = await makeTour({ price: 35, currency: "EUR" });
  const { status, json: offered } = await get(`/api/tours/${idOf(priced)}/jsonld`);
  expect([status, offered]).toEqual([200, expect.objectContaining({ "@type": "Product" })]);
  expect(offered).toHaveProperty("offers");
  expect(offered).not.toHaveProperty("aggregateRating");
  await makeReview(await makeUser({ name: "Ann" }), tour, { rating: 4, comment: "Good" });
  await post(tour, 5);
  const page = await call(app, "GET", `/tours/${tour.slug}`);
  const [, data] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(page.text)!;
  const { headers, json } = await get<Record<string, unknown>>(path);
  expect(json).toEqual(JSON.parse(data!));
  expect(json).toMatchObject({ "@type": "Product", aggregateRating: { ratingValue: 4.5 } });
  const again = { headers: { "if-none-match": headers.get("etag")! } };
  expect((await get(path, again)).status).toBe(304);
});

describe("what is the caller's own", () => {
  interface Own {
    reviews: Record<string, unknown>[];
    tours: Record<string, unknown>[];
  }

  test("are their reviews and the tours that wait for one", async () => {
    const [reviewed, waiting] = [await makeTour(), await makeTour()];
    const ann = await makeBookedExplorer(reviewed);
    await makeReview(ann, reviewed, { rating: 4, verified: true });
    const bob = await makeBookedExplorer(waiting);
    await makeReview(bob, reviewed);
    const token = await tokenOf(bob);
    const { json: own, headers } = await get<Own>("/api/me/reviews", { token });
    expect(own!.reviews).toMatchObject([
      {
        userId: bob._id.toString(),
        tour: { title: reviewed.title, slug: reviewed.slug },
        reply: null,
        verified: false,
        editableUntil: expect.any(String) as string,
      },
    ]);
    expect(headers.get("cache-control")).toBe("no-store");
    const { json: tours } = await get<Own>("/api/me/tours-to-review", { token });
    expect(tours!.tours).toEqual([
      {
        id: idOf(waiting),
        title: waiting.title,
        slug: waiting.slug,
        date: expect.toSatisfy((date) => date === null || typeof date === "string") as string,
      },
    ]);
  });

  test("come in pages", async () => {
    const ann = await makeUser();
    for (let n = 0; n < 21; n++) await makeReview(ann, await makeTour());
    const token = await tokenOf(ann);
    const { json, headers } = await get<Own>("/api/me/reviews", { token });
    expect(json!.reviews).toHaveLength(20);
    const last = await get<Own>(nextPage(headers)!, { token });
    expect(last.json!.reviews).toHaveLength(1);
    expect(last.headers.get("link")).toBeNull();
    const bad = await get("/api/me/tours-to-review?after=x", { token });
    expect([bad.status, bad.json!.error]).toEqual([
      400,
      "after must be a cursor from the Link of an answer",
    ]);
  });
});
