import { isDeepStrictEqual } from "node:util";
import mongoose, { Types } from "mongoose";
import { computeRatings, rebuildRatings, storedRatings } from "~/reviews/ratings.server";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { ask, median, type Row, throughput, timeOf } from "./measure";
import type { seed, SeededTour } from "./seed";

interface Program {
  url: string;
}

/** Everything that rows measure, and how long one program is measured in one round, in milliseconds. */
interface Bench extends Awaited<ReturnType<typeof seed>> {
  app: Program;
  bare: Program;
  express: Program;
  /** The app, which says how often it can render a page (scripts/bench/render.mjs). */
  renderer: Program;
  ms: number;
}

/** The names that `--only` accepts. The embedded database cannot hold the last one's tour. */
export const ROWS = [
  "page",
  "kept",
  "home",
  "large-list",
  "warm",
  "cold",
  "post",
  "writers",
  "huge",
] as const;

export type RowName = (typeof ROWS)[number];

/** The rows by these names. */
export function rowsOf(bench: Bench): Record<RowName, Row[]> {
  const { app, bare, express, renderer, ms, tours } = bench;
  const ofAll = (measure: (program: Program) => Promise<number>) => ({
    app: () => measure(app),
    bare: () => measure(bare),
    Express: () => measure(express),
  });
  const time =
    (path: string, cookie = "") =>
    () =>
      timeOf(() => ask(app.url + fresh(path), { headers: { cookie } }), ms);
  const pageOf = ([tour]: SeededTour[]) => `/tours/${tour?.slug}`;
  const pages = (reviews: string, some: SeededTour[], bound: number): Row => ({
    what: `page of a tour of ${reviews} reviews after a change, of one of 20`,
    unit: "ms",
    programs: {
      [`of ${reviews}`]: () => timeOf(() => askAnew(some[0]!, app.url + pageOf(some)), ms),
      "of 20": time(pageOf(tours.page)),
    },
    bounds: [bound],
  });
  const posts = (reviews: string, some: SeededTour[], bound: number): Row => ({
    what: `POST to a tour of ${reviews} reviews`,
    unit: "ms",
    programs: ofAll(async (program) => (await postReviews(bench, program, some, 1)).ms),
    bounds: [bound],
  });
  const writers = (some: SeededTour[]) => async () =>
    (await postReviews({ ...bench, ms: 3 * ms }, app, some, 32)).perSecond;
  const list = tours[100][0]!;

  return {
    page: [pages("5,000", tours.large, 8)],
    huge: [pages("50,000", tours.huge, 20)],
    kept: Object.entries(anonymousPages(bench)).map(([name, path]) => ({
      what: `${name} for 32 visitors, warm, \`renderToString\` of it`,
      unit: "a second",
      programs: {
        app: () => throughput(app.url + path, ms, 32),
        renderToString: async () => rendersOf(await ask(renderer.url + fresh(path))),
      },
      bounds: [5],
    })),
    home: [
      {
        what: "list of 3,000 tours, log-in",
        unit: "ms",
        programs: { "/": time("/"), "log-in": time("/login") },
        bounds: [3],
      },
      {
        what: "`/guide` with 500 tours, log-in",
        unit: "ms",
        programs: { "/guide": time("/guide", bench.guide), "log-in": time("/login") },
        bounds: [6],
      },
    ],
    "large-list": [
      {
        what: "page of another tour while a list of 5,000 is built",
        unit: "ms",
        programs: {
          "slowest meanwhile": () => slowestPage(app, tours.large[0]!, pageOf(tours.page)),
          page: time(pageOf(tours.page)),
        },
        bounds: [15],
      },
    ],
    warm: [
      {
        what: "GET of 100 reviews, warm",
        unit: "a second",
        programs: ofAll((program) => throughput(listOf(program, list), ms)),
        bounds: [3, 4],
      },
    ],
    cold: [
      {
        what: "GET of 100 reviews after a change",
        unit: "a second",
        programs: ofAll(
          async (program) => 1_000 / (await timeOf(() => askAnew(list, listOf(program, list)), ms)),
        ),
        bounds: [0.75],
      },
    ],
    post: [posts("100", tours[100], 1.4), posts("10,000", tours[10_000], 1.2)],
    writers: [
      {
        what: "32 writers on one tour, on 32 tours",
        unit: "a second",
        programs: { "one tour": writers(tours.one), "32 tours": writers(tours.many) },
        bounds: [0.75],
      },
    ],
  };
}

/** The paths of the pages that are kept in memory, by their names. */
const anonymousPages = ({ tours, review, guides }: Bench) => ({
  "page of a tour": `/tours/${tours.page[0]?.slug}`,
  "list of tours": "/",
  "page of a guide": `/guides/${guides[1]!._id.toString()}`,
  "page of a review": `/reviews/${review?.toString()}`,
});

export const listOf = ({ url }: Program, { id }: SeededTour) =>
  `${url}/api/reviews?tourId=${id.toString()}`;

let addresses = 0;

/** The page of that path at an address that nobody has asked for yet, so that it is made anew. */
const fresh = (path: string) => `${path}?fresh=${++addresses}`;

/** How many times a second the page could be rendered, as scripts/bench/render.mjs says. */
const rendersOf = ({ text }: { text: string }) => Number(/<!--([\d.]+)-->/.exec(text)![1]);

/** Asks after the tour has got a new version, as each change of its reviews gives it. */
async function askAnew({ id }: SeededTour, url: string) {
  await Tour.updateOne({ _id: id }, { $inc: { ratingsVersion: 1 } });
  return ask(url);
}

/** The longest time of a page while the list of a large tour is built. */
async function slowestPage(app: Program, large: SeededTour, path: string): Promise<number> {
  let loaded = false;
  let slowest = 0;
  const loading = askAnew(large, listOf(app, large)).finally(() => (loaded = true));
  while (!loaded) slowest = Math.max(slowest, (await ask(app.url + fresh(path))).ms);
  await loading;
  return slowest;
}

/**
 * Posts reviews to these tours in turn by so many writers at a time, each review by another explorer. Compares the
 * tours' figures with a fresh aggregation, then removes the reviews. Returns the median of the times and the reviews
 * a second.
 */
async function postReviews(
  { cookies, ms }: Pick<Bench, "cookies" | "ms">,
  { url }: Program,
  tours: SeededTour[],
  writers: number,
) {
  const all = writers === 1 ? 200 : cookies.length;
  const body = { rating: 4, comment: "We went in May and would go again." };
  const before = await countReviews(tours);
  const posted: { _id: Types.ObjectId; ms: number }[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = writer; n < all && performance.now() < began + ms; n += writers) {
        const index = n % tours.length;
        const cookie = cookies[(index * all + n - index) / tours.length]!;
        const { text, ms } = await ask(`${url}/api/reviews`, {
          method: "POST",
          headers: { cookie, "content-type": "application/json" },
          body: JSON.stringify({ tourId: tours[index]!.id.toString(), ...body }),
          status: 201,
        });
        const { review } = JSON.parse(text) as { review: { id: string } };
        posted.push({ _id: new Types.ObjectId(review.id), ms });
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;

  const stored = (await countReviews(tours)) - before;
  if (stored !== posted.length)
    throw new Error(`${posted.length} reviews were accepted, ${stored} are stored`);
  // In a transaction: docs/decisions/005-embedded-database.md
  await mongoose.connection.transaction(async (session) => {
    for (const { _id } of posted) await Review.deleteOne({ _id }, { session });
    await Notification.deleteMany({}, { session });
  });
  await rebuildRatings({ tourIds: tours.map(({ id }) => id) });
  await mongoose.connection.collection("tourReviews.rateLimits").deleteMany({});
  return { ms: median(posted.map(({ ms }) => ms)), perSecond: posted.length / seconds };
}

/** How many reviews these tours have; throws if a tour has other figures than its reviews. */
async function countReviews(tours: SeededTour[]): Promise<number> {
  let count = 0;
  for (const { id, slug } of tours) {
    const ratings = await computeRatings(id);
    if (!isDeepStrictEqual(storedRatings(await Tour.findById(id).lean()), ratings))
      throw new Error(`The aggregates of ${slug} are not those of its reviews`);
    count += ratings.reviewCount;
  }
  return count;
}
