import { isDeepStrictEqual } from "node:util";
import mongoose, { Types } from "mongoose";
import { computeRatings, rebuildRatings, storedRatings } from "~/reviews/ratings.server";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { aSecond, timedRequest, inMs, median, type Row, throughput, medianMs } from "./measure";
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

/** The rows by the names that `--only` accepts. */
export const ROWS: Record<string, (bench: Bench) => Row[]> = {
  page: (bench) => [pageAfterChange(bench, "5,000", bench.tours.large, 8)],
  kept: (bench) => keptPages(bench),
  home: (bench) => {
    const tour = timeOfPage(bench, tourPagePath(bench.tours.page));
    const pages = { list: timeOfPage(bench, "/"), guide: timeOfPage(bench, "/guide", bench.guide) };
    return [
      inMs("list of 3,000 tours, page of a tour", { "/": pages.list, tour }, 2),
      inMs("`/guide` with 500 tours, page of a tour", { "/guide": pages.guide, tour }, 15),
    ];
  },
  "large-list": (bench) => {
    const meanwhile = () => slowestMeanwhile(bench, bench.tours.large[0]!);
    const page = timeOfPage(bench, tourPagePath(bench.tours.page));
    const what = "page of another tour while a list of 5,000 is built";
    return [inMs(what, { "slowest meanwhile": meanwhile, page }, 15)];
  },
  warm: (bench) => {
    const ask = (program: Program) => throughput(listUrl(program, bench.tours[100]), bench.ms);
    return [aSecond("GET of 100 reviews, warm", ofAll(bench, ask), 3, 4)];
  },
  cold: (bench) => {
    const [tour] = bench.tours[100];
    const ask = async (program: Program) =>
      1_000 / (await medianMs(() => askAnew(tour!, listUrl(program, [tour!])), bench.ms));
    return [aSecond("GET of 100 reviews after a change", ofAll(bench, ask), 0.75)];
  },
  post: (bench) => [
    post(bench, "100", bench.tours[100], 1.4),
    post(bench, "10,000", bench.tours[10_000], 1.2),
  ],
  writers: (bench) => {
    const on = (tours: SeededTour[]) => async () =>
      (await postReviews(bench, bench.app, tours, 32)).rate;
    const programs = { "one tour": on(bench.tours.one), "32 tours": on(bench.tours.many) };
    return [aSecond("32 writers on one tour, on 32 tours", programs, 0.75)];
  },
  /** The embedded database cannot hold its tour. */
  huge: (bench) => [pageAfterChange(bench, "50,000", bench.tours.huge, 20)],
};

const ofAll = (
  { app, bare, express }: Bench,
  measure: (program: Program) => Promise<number>,
): Row["programs"] => ({
  app: () => measure(app),
  bare: () => measure(bare),
  Express: () => measure(express),
});

function pageAfterChange(bench: Bench, reviews: string, tours: SeededTour[], bound: number) {
  const large = () =>
    medianMs(() => askAnew(tours[0]!, bench.app.url + tourPagePath(tours)), bench.ms);
  const small = timeOfPage(bench, tourPagePath(bench.tours.page));
  const what = `page of a tour of ${reviews} reviews after a change, of one of 20`;
  return inMs(what, { [`of ${reviews}`]: large, "of 20": small }, bound);
}

/** The pages that are kept in memory for visitors without a session. */
function keptPages({ app, renderer, ms, tours, review, guides }: Bench): Row[] {
  const pages = {
    "page of a tour": tourPagePath(tours.page),
    "list of tours": "/",
    "page of a guide": `/guides/${guides[1]!._id.toString()}`,
    "page of a review": `/reviews/${review?.toString()}`,
  };
  return Object.entries(pages).map(([name, path]) => {
    const kept = () => throughput(app.url + path, ms, 32);
    const renderToString = async () => {
      const { text } = await timedRequest(renderer.url + fresh(path));
      return Number(/<!--([\d.]+)-->/.exec(text)![1]);
    };
    const what = `${name} for 32 visitors, warm, \`renderToString\` of it`;
    return aSecond(what, { app: kept, renderToString }, 5);
  });
}

const post = (bench: Bench, reviews: string, tours: SeededTour[], bound: number) =>
  inMs(
    `POST to a tour of ${reviews} reviews`,
    ofAll(bench, async (program) => (await postReviews(bench, program, tours, 1)).ms),
    bound,
  );

export const listUrl = ({ url }: Program, [tour]: SeededTour[]) =>
  `${url}/api/reviews?tourId=${tour!.id.toString()}`;

const tourPagePath = ([tour]: SeededTour[]) => `/tours/${tour?.slug}`;

let addresses = 0;

/** The page of that path at an address that nobody has asked for yet, so that it is made anew. */
const fresh = (path: string) => `${path}?fresh=${++addresses}`;

const timeOfPage =
  ({ app, ms }: Bench, path: string, cookie = "") =>
  () =>
    medianMs(() => timedRequest(app.url + fresh(path), { headers: { cookie } }), ms);

/** Asks after the tour has got a new version, as each change of its reviews gives it. */
async function askAnew({ id }: SeededTour, url: string) {
  await Tour.updateOne({ _id: id }, { $inc: { ratingsVersion: 1 } });
  return timedRequest(url);
}

/** The longest time of a page while the list of a large tour is built. */
async function slowestMeanwhile({ app, tours }: Bench, large: SeededTour): Promise<number> {
  let loaded = false;
  let slowest = 0;
  const loading = askAnew(large, listUrl(app, [large])).finally(() => (loaded = true));
  while (!loaded)
    slowest = Math.max(slowest, (await timedRequest(app.url + fresh(tourPagePath(tours.page)))).ms);
  await loading;
  return slowest;
}

/**
 * Posts reviews to these tours in turn by so many writers at a time, each review by another explorer, and removes them.
 * Throws if a tour's figures are not those of its reviews. Returns the median of the times and the reviews a second.
 */
async function postReviews(bench: Bench, program: Program, tours: SeededTour[], writers: number) {
  const { cookies, app, bare, express } = bench;
  const programs = writers === 1 ? [app, bare, express] : [app];
  const explorers = writers === 1 ? 600 : cookies.length;
  const all = explorers / programs.length;
  const first = (all / tours.length) * programs.indexOf(program);
  const end = performance.now() + bench.ms * (writers === 1 ? 1 : 3);
  const posted: { _id: Types.ObjectId; ms: number }[] = [];
  const began = performance.now();
  const write = async (writer: number) => {
    for (let n = writer; n < all && performance.now() < end; n += writers) {
      const index = n % tours.length;
      const tourId = tours[index]!.id.toString();
      const explorer = (index * explorers + n - index) / tours.length + first;
      const { text, ms } = await timedRequest(`${program.url}/api/reviews`, {
        method: "POST",
        headers: {
          cookie: cookies[explorer]!,
          "content-type": "application/json",
        },
        body: JSON.stringify({ tourId, rating: 4, comment: "We would go again in May." }),
        status: 201,
      });
      const { review } = JSON.parse(text) as { review: { id: string } };
      posted.push({ _id: new Types.ObjectId(review.id), ms });
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const seconds = (performance.now() - began) / 1_000;

  for (const { id, slug } of tours)
    if (!isDeepStrictEqual(storedRatings(await Tour.findById(id).lean()), await computeRatings(id)))
      throw new Error(`The aggregates of ${slug} are not those of its reviews`);
  // In a transaction: docs/decisions/005-embedded-database.md
  await mongoose.connection.transaction(async (session) => {
    for (const { _id } of posted) await Review.deleteOne({ _id }, { session });
    await Notification.deleteMany({}, { session });
  });
  await rebuildRatings({ tourIds: tours.map(({ id }) => id) });
  return { ms: median(posted.map(({ ms }) => ms)), rate: posted.length / seconds };
}
