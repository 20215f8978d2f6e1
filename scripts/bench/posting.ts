import { isDeepStrictEqual } from "node:util";
import { mongo } from "mongoose";
import { median } from "./arithmetic";
import { asked, timesOf } from "./load";
import type { Program } from "./programs";
import type { Bench, Row } from "./row";
import { type Explorer, type SeededTour, type Size, SIZES } from "./seed";

type Scene = Pick<Bench, "connection" | "seeded">;

const BODY = {
  rating: 4,
  comment: "We went in May and would go again: friendly, and never boring.",
};

/** Posts a review that must be accepted; returns its id and the time it took in milliseconds. */
async function post({ url }: Program, tour: SeededTour, { cookie }: Explorer) {
  const reply = await asked(
    `${url}/api/reviews`,
    { method: "POST", headers: { cookie }, body: { tourId: tour.id.toString(), ...BODY } },
    201,
  );
  const { review } = JSON.parse(reply.body.toString()) as { review: { id: string } };
  return { id: new mongo.ObjectId(review.id), ms: reply.ms };
}

/** One POST after another, by each program to the same tours, which are brought back to their size afterwards. */
export function postRows(bench: Bench): Row[] {
  const { seeded, app, bare, express } = bench;
  const bounds: Record<Size, number | null> = { 10: 1.4, 100: 1.4, 1_000: null, 10_000: 1.2 };
  const row = (what: string, tours: SeededTour[], max: number | null): Row => {
    const measure = (program: Program) => () => postTimes(bench, program, tours);
    return {
      id: "post",
      what,
      unit: "ms",
      programs: { app: measure(app), bare: measure(bare), Express: measure(express) },
      figures: [
        { what: "app / bare", of: "app", to: "bare", ...(max && { bound: { max } }) },
        { what: "app / Express", of: "app", to: "Express" },
      ],
    };
  };
  return [
    ...SIZES.filter((size) => seeded.tours[size].length > 0).map((size) =>
      row(`POST to a tour of ${size} reviews`, seeded.tours[size], bounds[size]),
    ),
    ...(seeded.told.length > 0
      ? [
          row(
            "POST to a tour of 100 whose guide is told at once, by the app alone",
            seeded.told,
            null,
          ),
        ]
      : []),
  ];
}

async function postTimes(bench: Bench, program: Program, tours: SeededTour[]): Promise<number> {
  const { seeded, ms } = bench;
  const before = await readTourStates(bench, tours);
  const posted: mongo.ObjectId[] = [];
  const once = async (n: number) => {
    const { id, ms } = await post(program, tours[n % tours.length]!, explorerOf(seeded, n, tours));
    posted.push(id);
    return ms;
  };
  // As many explorers have booked each tour.
  const times = await timesOf(once, { ms, most: 200 });
  await exact(bench, tours.slice(0, posted.length));
  await forget(bench, { reviews: posted, before });
  return median(times);
}

const explorerOf = ({ explorers }: Scene["seeded"], n: number, tours: SeededTour[]) =>
  explorers[Math.floor(n / tours.length)]!;

/** 32 at once, on one tour and on 32 tours; no post is refused, and the aggregates are exact. */
export function writerRow(bench: Bench): Row {
  const { app, seeded } = bench;
  return {
    id: "writers",
    what: "32 writers on one tour, on 32 tours",
    unit: "a second",
    programs: {
      "one tour": () => writers(bench, [app.url], [seeded.oneTour], 3 * bench.ms),
      "32 tours": () => writers(bench, [app.url], seeded.manyTours, 3 * bench.ms),
    },
    figures: [
      { what: "one tour / 32 tours", of: "one tour", to: "32 tours", bound: { min: 0.75 } },
    ],
    note: () => "Exact after each round: mean, counts and reviews equal a fresh aggregation.",
  };
}

const WRITERS = 32;

/**
 * How many reviews per second 32 explorers at a time post to these tours, using these addresses in turn, for about
 * that many milliseconds. Throws if a post is refused or the aggregates are not exact.
 */
export async function writers(
  scene: Scene,
  urls: string[],
  tours: SeededTour[],
  ms: number,
): Promise<number> {
  const { explorers } = scene.seeded;
  const each = explorers.length / WRITERS;
  const before = await readTourStates(scene, tours);
  const posted: mongo.ObjectId[] = [];
  const began = performance.now();
  const ends = await Promise.allSettled(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const program = { url: urls[writer % urls.length]! } as Program;
      for (let n = 0; n < each && performance.now() < began + ms; n++) {
        const explorer = explorers[writer * each + n]!;
        posted.push((await post(program, tours[writer % tours.length]!, explorer)).id);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  const count = await exact(scene, tours);
  if (count !== posted.length)
    throw new Error(`${posted.length} reviews were accepted, but ${count} are stored`);
  await forget(scene, { reviews: posted, before, tours });
  return posted.length / seconds;
}

/** How many reviews these tours have; throws if the aggregates of one differ from a fresh aggregation. */
async function exact({ connection }: Scene, tours: SeededTour[]): Promise<number> {
  let total = 0;
  for (const { id, slug } of tours) {
    const groups = await connection
      .collection("reviews")
      .aggregate([{ $match: { tourId: id } }, { $group: { _id: "$rating", count: { $sum: 1 } } }])
      .toArray();
    const ratingCounts: Record<string, number> = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
    let reviewCount = 0;
    let sum = 0;
    for (const { _id: rating, count } of groups as unknown as { _id: number; count: number }[]) {
      ratingCounts[rating] = count;
      reviewCount += count;
      sum += rating * count;
    }
    const tour = await connection.collection("tours").findOne({ _id: id });
    const same =
      tour?.reviewCount === reviewCount &&
      Math.abs(tour.avgRating - (reviewCount && sum / reviewCount)) < 1e-9 &&
      isDeepStrictEqual({ ...tour.ratingCounts }, ratingCounts);
    if (!same) throw new Error(`The aggregates of ${slug} are not those of its reviews`);
    total += reviewCount;
  }
  return total;
}

/** The fields of a tour that posts change. */
type TourState = { _id: mongo.ObjectId } & Record<string, unknown>;

const readTourStates = ({ connection }: Scene, tours: SeededTour[]) =>
  connection
    .collection("tours")
    .find({ slug: { $in: tours.map(({ slug }) => slug) } })
    .project<TourState>({ avgRating: 1, reviewCount: 1, ratingCounts: 1 })
    .toArray();

/**
 * Removes the posted reviews with their e-mails and the counts of limits, and restores the tours' figures, so that
 * each measurement starts from the same state. In a transaction: docs/decisions/005-embedded-database.md
 */
async function forget(
  { connection }: Scene,
  {
    reviews,
    before,
    tours,
  }: { reviews: mongo.ObjectId[]; before: TourState[]; tours?: SeededTour[] },
): Promise<void> {
  await connection.transaction(async (session) => {
    for (const { _id, ...$set } of before)
      await connection
        .collection("tours")
        .updateOne({ _id }, { $set, $inc: { ratingsVersion: 1 } }, { session });
    if (tours)
      for (const { id } of tours)
        await connection.collection("reviews").deleteMany({ tourId: id }, { session });
    else
      for (const _id of reviews)
        await connection.collection("reviews").deleteOne({ _id }, { session });
    await connection.collection("tourReviews.notifications").deleteMany({}, { session });
  });
  await connection.collection("tourReviews.rateLimits").deleteMany({});
}
