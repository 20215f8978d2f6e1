import { isDeepStrictEqual } from "node:util";
import { type Connection, mongo } from "mongoose";
import { ask, throughput, timeOf } from "./load";
import { type Bound, median, type Row } from "./measure";
import type { Engine } from "./programs";
import type { seed, Tour } from "./seed";
import { figuresOf } from "./shared.mjs";

interface Program {
  url: string;
}

/** Everything that rows measure, and how long one program is measured in one round, in milliseconds. */
export interface Bench extends Awaited<ReturnType<typeof seed>> {
  engine: Engine;
  connection: Connection;
  app: Program;
  bare: Program;
  express: Program;
  ms: number;
}

const SIZES = [10, 100, 1_000, 10_000] as const;
type Size = (typeof SIZES)[number];

export const listOf = ({ url }: Program, { id }: Tour) =>
  `${url}/api/reviews?tourId=${id.toString()}`;
const pageOf = ({ app }: Bench, { slug }: Tour) => `${app.url}/tours/${slug}`;

/** A bound of the embedded database's default server only. */
const embedded = ({ engine }: Bench, max: number) => (engine === "python" ? { max } : undefined);

/** Gives a tour a new version, as each change of its reviews does. */
const nextVersion = ({ connection }: Bench, { id }: Tour) =>
  connection.collection("tours").updateOne({ _id: id }, { $inc: { ratingsVersion: 1 } });

const pages = (bench: Bench): Row[] => {
  const { tours, ms, engine } = bench;
  const row = (reviews: string, [tour]: Tour[], bound?: Bound): Row => ({
    what: `page of a tour of ${reviews} reviews after a change, of one of 20`,
    unit: "ms",
    programs: {
      [reviews]: () =>
        timeOf(async () => {
          await nextVersion(bench, tour!);
          return ask(pageOf(bench, tour!));
        }, ms),
      "20": () => timeOf(() => ask(pageOf(bench, tours.page[0]!)), ms),
    },
    ratios: [{ of: reviews, to: "20", bound }],
  });
  return [
    row("5,000", tours.large, embedded(bench, 8)),
    ...(engine === "python" ? [] : [row("50,000", tours.huge, { max: 20 })]),
  ];
};

const home = (bench: Bench): Row[] => {
  const time =
    (path: string, cookie = "") =>
    () =>
      timeOf(() => ask(bench.app.url + path, { headers: { cookie } }), bench.ms);
  return [
    {
      what: "pages with 3,000 tours, a guide's with 500",
      unit: "ms",
      programs: {
        "log-in": time("/login"),
        "/": time("/"),
        "by reviews": time("/?sort=reviewed"),
        search: time("/?q=harbour+lisbon"),
        "/guide": time("/guide", bench.guide),
      },
      ratios: [
        { of: "/", to: "log-in", bound: embedded(bench, 3) },
        { of: "by reviews", to: "log-in", bound: embedded(bench, 3) },
        { of: "search", to: "log-in", bound: embedded(bench, 6) },
        { of: "/guide", to: "log-in", bound: embedded(bench, 6) },
      ],
    },
  ];
};

/** How long a large list takes, and how much it slows down another page. */
const largeList = (bench: Bench): Row[] => {
  const page = () => ask(pageOf(bench, bench.tours.page[0]!));
  const large = bench.tours.large[0]!;
  const list = async () => {
    await nextVersion(bench, large);
    return ask(listOf(bench.app, large));
  };
  return [
    {
      what: "GET of 5,000 reviews after a change; the page of another tour",
      unit: "ms",
      programs: {
        list: async () => (await list()).ms,
        "slowest page meanwhile": async () => {
          let loaded = false;
          let slowest = 0;
          const loading = list().finally(() => (loaded = true));
          while (!loaded) slowest = Math.max(slowest, (await page()).ms);
          await loading;
          return slowest;
        },
        page: () => timeOf(page, bench.ms),
      },
      ratios: [
        { of: "list", bound: embedded(bench, 5_000) },
        { of: "slowest page meanwhile", to: "page", bound: embedded(bench, 15) },
      ],
    },
  ];
};

/** The list of reviews by the three programs, in requests a second; bounds are for a tour of 100 reviews. */
const lists =
  (
    what: string,
    measureOne: (bench: Bench, url: string, tour: Tour, size: Size) => Promise<number>,
    { sizes = SIZES, bare, express }: { sizes?: readonly Size[]; bare?: Bound; express?: Bound },
  ) =>
  (bench: Bench): Row[] =>
    sizes.map((size) => {
      const tour = bench.tours[size][0]!;
      const measure = (program: Program) => () =>
        measureOne(bench, listOf(program, tour), tour, size);
      // The cost of Express's `populate` grows there with the square of the number of authors.
      const withExpress = bench.engine !== "python" || size < 10_000;
      const only = (bound?: Bound) => (size === 100 ? bound : undefined);
      const programs = {
        app: measure(bench.app),
        bare: measure(bench.bare),
        ...(withExpress && { Express: measure(bench.express) }),
      };
      const ratios = [
        { of: "app", to: "bare", bound: only(bare) },
        ...(withExpress ? [{ of: "app", to: "Express", bound: only(express) }] : []),
      ];
      return { what: `GET of ${size} reviews, ${what}`, unit: "a second", programs, ratios };
    });

/** Lists of more than 100 reviews take so long that they are asked for one after another. */
const perSecond = async (url: string, size: Size, options: Parameters<typeof throughput>[1]) =>
  size <= 100
    ? throughput(url, options)
    : 1_000 / (await timeOf(() => ask(url, options), options.ms));

const warm = lists("warm", ({ ms }, url, _tour, size) => perSecond(url, size, { ms }), {
  bare: { min: 3 },
  express: { min: 4 },
});

const cold = lists(
  "each after a change",
  async (bench, url, tour) => {
    const once = async () => {
      await nextVersion(bench, tour);
      return ask(url);
    };
    return 1_000 / (await timeOf(once, bench.ms));
  },
  { bare: { min: 0.75 } },
);

const notModified = lists(
  "not modified",
  async ({ ms }, url, _tour, size) => {
    const headers = { "if-none-match": (await ask(url)).etag };
    return perSecond(url, size, { ms, headers, status: 304 });
  },
  { sizes: [10, 100, 1_000] },
);

const BODY = {
  rating: 4,
  comment: "We went in May and would go again: friendly, and never boring.",
};

/**
 * Posts reviews to these tours in turn by so many writers at a time, each review by another explorer. Compares the
 * tours' figures with a fresh aggregation, then restores what there was. Returns the median of the times and the
 * reviews a second.
 */
async function postReviews(bench: Bench, { url }: Program, tours: Tour[], writers: number) {
  const { connection, cookies, ms } = bench;
  const all = writers === 1 ? 200 : cookies.length;
  const before = await Promise.all(tours.map((tour) => freshFigures(bench, tour)));
  const posted: { _id: mongo.ObjectId; ms: number }[] = [];
  const began = performance.now();
  const ends = await Promise.allSettled(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = writer; n < all && performance.now() < began + ms; n += writers) {
        const index = n % tours.length;
        const cookie = cookies[(index * all + n - index) / tours.length]!;
        const { text, ms } = await ask(`${url}/api/reviews`, {
          method: "POST",
          headers: { cookie, "content-type": "application/json" },
          body: JSON.stringify({ tourId: tours[index]!.id.toString(), ...BODY }),
          status: 201,
        });
        const { review } = JSON.parse(text) as { review: { id: string } };
        posted.push({ _id: new mongo.ObjectId(review.id), ms });
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const end of ends) if (end.status === "rejected") throw end.reason;

  const after = await Promise.all(tours.map((tour) => freshFigures(bench, tour)));
  const count = (all: typeof after) => all.reduce((sum, { reviewCount }) => sum + reviewCount, 0);
  const stored = count(after) - count(before);
  if (stored !== posted.length)
    throw new Error(`${posted.length} reviews were accepted, ${stored} are stored`);
  // In a transaction: docs/decisions/005-embedded-database.md
  await connection.transaction(async (session) => {
    for (const [index, { id }] of tours.entries())
      await connection
        .collection("tours")
        .updateOne({ _id: id }, { $set: before[index]!, $inc: { ratingsVersion: 1 } }, { session });
    for (const { _id } of posted)
      await connection.collection("reviews").deleteOne({ _id }, { session });
    await connection.collection("tourReviews.notifications").deleteMany({}, { session });
  });
  await connection.collection("tourReviews.rateLimits").deleteMany({});
  return { ms: median(posted.map(({ ms }) => ms)), perSecond: posted.length / seconds };
}

/** A tour's figures, counted anew; throws if the tour has others. */
async function freshFigures({ connection }: Bench, { id, slug }: Tour) {
  const groups = await connection
    .collection("reviews")
    .aggregate([{ $match: { tourId: id } }, { $group: { _id: "$rating", count: { $sum: 1 } } }])
    .toArray();
  const figures = figuresOf(groups as { _id: number; count: number }[]);
  const tour = (await connection.collection("tours").findOne({ _id: id }))!;
  if (
    tour.reviewCount !== figures.reviewCount ||
    Math.abs(tour.avgRating - figures.avgRating) > 1e-9 ||
    !isDeepStrictEqual(tour.ratingCounts, figures.ratingCounts)
  )
    throw new Error(`The aggregates of ${slug} are not those of its reviews`);
  return figures;
}

/** One POST after another, to the same tours by each program. */
const post = (bench: Bench): Row[] => {
  const row = (what: string, tours: Tour[], max?: number): Row => {
    const time = (program: Program) => async () => (await postReviews(bench, program, tours, 1)).ms;
    return {
      what: `POST to a tour of ${what}`,
      unit: "ms",
      programs: { app: time(bench.app), bare: time(bench.bare), Express: time(bench.express) },
      ratios: [
        { of: "app", to: "bare", bound: max === undefined ? max : { max } },
        { of: "app", to: "Express" },
      ],
    };
  };
  const { tours } = bench;
  return [
    row("10 reviews", tours[10], 1.4),
    row("100 reviews", tours[100], 1.4),
    row("1000 reviews", tours[1000]),
    row("10000 reviews", tours[10000], 1.2),
    row("100 whose guide is told at once, by the app alone", tours.told),
  ];
};

/** No post of 32 at once is refused, and the figures are exact. */
const writers = (bench: Bench): Row[] => {
  const speed = (tours: Tour[]) => async () =>
    (await postReviews({ ...bench, ms: 3 * bench.ms }, bench.app, tours, 32)).perSecond;
  return [
    {
      what: "32 writers on one tour, on 32 tours",
      unit: "a second",
      programs: { "one tour": speed(bench.tours.one), "32 tours": speed(bench.tours.many) },
      ratios: [{ of: "one tour", to: "32 tours", bound: { min: 0.75 } }],
    },
  ];
};

/** The rows by the names that `--only` accepts. */
export const ROWS = new Map([
  ["page", pages],
  ["home", home],
  ["large-list", largeList],
  ["warm", warm],
  ["cold", cold],
  ["304", notModified],
  ["post", post],
  ["writers", writers],
]);

/** Throws unless the programs answer with the same reviews. */
export async function compareAnswers({ app, bare, express, tours }: Bench): Promise<void> {
  const [ours, ...others] = await Promise.all(
    [app, bare, express].map((program) => ask(listOf(program, tours[100][0]!))),
  );
  const reviewsOf = ({ text }: { text: string }) =>
    (JSON.parse(text) as { reviews: unknown }).reviews;
  if (!others.every((other) => isDeepStrictEqual(reviewsOf(other), reviewsOf(ours!))))
    throw new Error("The programs do not answer with the same reviews");
}
