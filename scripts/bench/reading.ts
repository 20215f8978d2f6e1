import { isDeepStrictEqual } from "node:util";
import { median } from "./arithmetic";
import { asked, throughput, timesOf } from "./load";
import type { Program } from "./programs";
import type { Bench, Row } from "./row";
import { type SeededTour, type Size, SIZES } from "./seed";

const listOf = ({ url }: Program, tour: SeededTour) =>
  `${url}/api/reviews?tourId=${tour.id.toString()}`;

/** Longer lists take so long that they are requested one at a time. */
const TOGETHER = 100;

/** Two copies of the bare server: how much the figures of equal programs differ on this machine. */
export function control({ bare, seeded, ms }: Bench, copy: Program): Row {
  const url = (program: Program) => listOf(program, seeded.tours[100][0]!);
  return {
    id: "control",
    what: "GET of 100 reviews, two copies of the bare server",
    unit: "a second",
    programs: {
      A: () => throughput(url(bare), { ms }),
      B: () => throughput(url(copy), { ms }),
    },
    figures: [{ what: "A / B", of: "A", to: "B" }],
  };
}

/** The list of reviews by the three programs. */
export function listRows(bench: Bench): Row[] {
  const { seeded, engine, ms } = bench;
  const programs = (size: Size) => ({
    app: bench.app,
    bare: bench.bare,
    // Its `populate` asks for all authors with one `$in`, whose cost there grows with the square of their number.
    ...((engine.id !== "python" || size < 10_000) && { Express: bench.express }),
  });
  const each = (
    size: Size,
    measure: (url: string) => Promise<number>,
  ): Record<string, () => Promise<number>> =>
    Object.fromEntries(
      Object.entries(programs(size)).map(([name, program]) => [
        name,
        () => measure(listOf(program, seeded.tours[size][0]!)),
      ]),
    );
  const figures = (size: Size, min?: { bare: number; express?: number }) => [
    { what: "app / bare", of: "app", to: "bare", ...(min && { bound: { min: min.bare } }) },
    ...("Express" in programs(size)
      ? [
          {
            ...{ what: "app / Express", of: "app", to: "Express" },
            ...(min?.express && { bound: { min: min.express } }),
          },
        ]
      : []),
  ];
  const sizes = SIZES.filter((size) => seeded.tours[size].length > 0);
  const perSecond = async (url: string, headers?: Record<string, string>, status = 200) => {
    const times = await timesOf(async () => (await asked(url, { headers }, status)).ms, { ms });
    return 1_000 / median(times);
  };
  return [
    ...sizes.map((size): Row => {
      const together = size <= TOGETHER;
      return {
        id: "warm",
        what: `GET of ${size} reviews, warm`,
        unit: "a second",
        prepare: () => sameReviews(programs(size), seeded.tours[size][0]!),
        programs: each(size, (url) => (together ? throughput(url, { ms }) : perSecond(url))),
        figures: figures(size, size === 100 ? { bare: 3, express: 4 } : undefined),
      };
    }),
    ...sizes.map((size): Row => {
      const tour = seeded.tours[size][0]!;
      return {
        id: "cold",
        what: `GET of ${size} reviews, each after a change`,
        unit: "a second",
        programs: each(size, async (url) => {
          const once = async () => {
            await nextVersion(bench, tour);
            return (await asked(url)).ms;
          };
          return 1_000 / median(await timesOf(once, { ms }));
        }),
        figures: figures(size, size === 100 ? { bare: 0.75 } : undefined),
      };
    }),
    ...sizes
      .filter((size) => size <= 1_000)
      .map((size): Row => {
        const notModified = async (url: string) => {
          const { etag = "" } = (await asked(url)).headers;
          const headers = { "if-none-match": etag };
          return size <= TOGETHER
            ? throughput(url, { ms, headers, status: 304 })
            : perSecond(url, headers, 304);
        };
        return {
          id: "304",
          what: `GET of ${size} reviews, not modified`,
          unit: "a second",
          programs: each(size, notModified),
          figures: figures(size),
        };
      }),
  ];
}

/** Gives a tour's list a new version, as each change of its reviews does. */
export const nextVersion = ({ connection }: Bench, tour: SeededTour) =>
  connection.collection("tours").updateOne({ _id: tour.id }, { $inc: { ratingsVersion: 1 } });

/** Throws unless all programs answer with the same reviews. */
async function sameReviews(programs: Record<string, Program>, tour: SeededTour): Promise<void> {
  const answers: { name: string; reviews: unknown }[] = [];
  for (const [name, program] of Object.entries(programs)) {
    const { body } = await asked(listOf(program, tour));
    answers.push({ name, reviews: JSON.parse(body.toString()) as unknown });
  }
  const other = answers.find(({ reviews }) => !isDeepStrictEqual(reviews, answers[0]!.reviews));
  if (other) throw new Error(`${other.name} does not answer with the same reviews as the app`);
}

/** The embedded database's large lists: how long one takes, and how much it slows down another page. */
export function largeListRow(bench: Bench): Row {
  const { app, seeded } = bench;
  const page = `${app.url}/tours/${seeded.page.slug}`;
  const cold = async (whileItLoads?: () => Promise<void>) => {
    await nextVersion(bench, seeded.large);
    let loaded = false;
    const list = asked(listOf(app, seeded.large)).finally(() => (loaded = true));
    while (whileItLoads && !loaded) await whileItLoads();
    return (await list).ms;
  };
  let reviews = 0;
  return {
    id: "large-list",
    what: "GET of 5,000 reviews after a change; the page of another tour",
    unit: "ms",
    programs: {
      list: async () => {
        const ms = await cold();
        const { body } = await asked(listOf(app, seeded.large));
        ({ length: reviews } = (JSON.parse(body.toString()) as { reviews: unknown[] }).reviews);
        return ms;
      },
      "page meanwhile, slowest": async () => {
        const times: number[] = [];
        await cold(async () => void times.push((await asked(page)).ms));
        return Math.max(...times);
      },
      page: async () => median(await timesOf(async () => (await asked(page)).ms, { ms: bench.ms })),
    },
    figures: [
      { what: "cold list of 5,000", of: "list", ...embedded(bench, { max: 5_000 }) },
      {
        ...{ what: "page meanwhile / its usual time", of: "page meanwhile, slowest", to: "page" },
        ...embedded(bench, { max: 15 }),
      },
    ],
    note: () => `The list has ${reviews} reviews.`,
  };
}

/** A bound that only applies to the embedded database's default server. */
export const embedded = ({ engine }: Bench, bound: { max: number }) =>
  engine.id === "python" ? { bound } : {};
