import { isDeepStrictEqual } from "node:util";
import { Types } from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { readTrends } from "~/guides/chart/rating-trend.server";
import { getCase, waitingCases } from "~/moderation/cases.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { makeOperator } from "~/moderation/operators.server";
import { ListReviewsQuery, listReviewsInPages } from "~/reviews/list/api-page.server";
import { commentCounts } from "~/reviews/list/commented.server";
import { getCheckpoint } from "~/reviews/checkpoints/checkpoint.server";
import { getReviewPage } from "~/reviews/list/page.server";
import { readWebhooks } from "~/reviews/webhooks/events.server";
import { rebuildRatings, storedRatings } from "~/reviews/ratings.server";
import { indexReviews } from "~/reviews/words/index-reviews.server";
import { changesUpTo, listAllChanges, listChanges, ratingAt } from "~/reviews/list-changes.server";
import { postReview } from "~/reviews/post.server";
import { NO_HASH } from "~/reviews/record-changes.server";
import { Case } from "#models/case";
import { Change } from "#models/change";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { addressOf, caseOf, decideAs, makeCaseScene, report as reportIt } from "../support/cases";
import { explain, explains, rowsOfAnswers, sentBy } from "../support/explain";
import {
  as,
  freshRatings,
  insertReviews,
  makeBookedExplorer,
  makeTour,
  makeUser,
} from "../support/factories";
import type { PartReport } from "./report";
import { withDatabase } from "./support";

const MANY = 50_000;
const TOURS = 3_000;
const PAGE = 20;
/** How many batches of reporters are told, and of how many the words are removed. */
const BATCHES = 20;
const BATCH = 50;

const id = () => new Types.ObjectId();

/** 50,000 open cases, 50,000 reports of one of them, and 50,000 reviews of its tour: as much is done as with few. */
export default async function sizes(report: PartReport): Promise<void> {
  await withDatabase(async (uri) => {
    await disconnectDatabase();
    // With a limit for slow commands, the driver tells of each.
    await connectDatabase(uri, { slowCommandMs: 600_000 });
    await new Sizes(report).run();
  });
}

class Sizes {
  constructor(private readonly report: PartReport) {}

  async run(): Promise<void> {
    const { tour, review, operator } = await makeCaseScene();
    await reportIt(addressOf(review));
    const found = await caseOf(review);
    await insertMany(Case, (n) => ({
      kind: "review",
      reviewId: id(),
      tourId: id(),
      authorId: id(),
      version: 1,
      reports: 1,
      state: n % 9 ? "open" : "appealed",
      rank: n < 5 ? 0 : 1,
      tag: "t",
      snapshot: null,
      since: new Date(n),
      openedAt: new Date(n),
      reasons: ["hateful"],
      decisions: [],
      appeals: [],
    }));
    await insertMany(Report, (n) => ({
      caseId: found._id,
      reason: "hateful",
      words: "Words.",
      name: null,
      at: new Date(),
      email: n % 2 ? null : `${n}@sizes.test`,
    }));
    await insertReviews(tour._id, MANY, (n) => ({ comment: n % 3 ? "Good." : "" }));
    await rebuildRatings({ tourIds: [tour._id] });
    await this.#readThoseWithComments((await Tour.findById(tour._id).lean())!);

    let after: string | null = null;
    for (const page of ["the first page", "the second page"])
      await this.#measure(
        `${MANY} cases wait: ${page} of them`,
        async () => ({ next: after } = await waitingCases(after)),
        { commands: 9, documents: PAGE + 1 },
      );
    const show = () => getCase(as(operator), found._id.toString());
    const shown = { commands: 12, documents: PAGE + 1 };
    await this.#measure(`a case with ${MANY} reports is shown`, show, shown);
    const join = () => reportIt(addressOf(review));
    await this.#measure("and joined by another one", join, { commands: 6, documents: 1 });
    await this.#measure("and decided about", () => decideAs(operator, found, { action: "keep" }), {
      commands: 26,
      documents: PAGE + 1,
    });

    const some = () => {
      let looks = 0;
      // It looks once before this case, and before each batch.
      return continueCases({ stopped: () => ++looks > BATCHES + 1 });
    };
    const ofBatch = { commands: 6 * (BATCHES + 2), documents: BATCH };
    await this.#measure(`and ${BATCHES * BATCH} of its reporters are told`, some, ofBatch);
    const over = { $set: { endsAt: new Date() }, $unset: { toldAfter: true } } as const;
    await Case.updateOne({ _id: found._id }, over);
    await this.#measure(`and the words of ${BATCHES * BATCH} removed`, some, ofBatch);

    const other = (await Review.findOne({ tourId: tour._id, rating: 5 }).lean())!;
    await reportIt(addressOf(other));
    const ofOther = await caseOf(other);
    for (const action of ["remove", "restore"]) {
      const decides = await makeUser();
      await makeOperator(decides.email);
      await this.#measure(
        `a review of a tour with ${MANY} is ${action}d`,
        () => decideAs(decides, ofOther, { action }),
        { commands: 40, documents: PAGE + 1 },
      );
      const stored = storedRatings(await Tour.findById(tour._id).lean());
      const isExact = isDeepStrictEqual(stored, await freshRatings(tour._id));
      this.report.check("and then the mean is exact", `${stored.avgRating}`, isExact);
      await Case.updateOne({ _id: ofOther._id }, { state: "appealed" });
    }
    await this.#readChanges();
    await this.#signLastEntries();
  }

  /** A tour of 50,000 entries. */
  async #readChanges(): Promise<void> {
    const tour = await makeTour();
    const began = Date.UTC(2026, 10, 2);
    const time = (n: number) => new Date(began + 1_000 * n);
    const entry = {
      tourId: tour._id,
      type: "created",
      before: null,
      stars: 4,
      mean: 4,
      previous: "p",
    };
    await insertMany(Change, (n) => ({
      ...entry,
      ...(n % 5_000 === 0 && {
        atMonthEnds: { from: "2026-09", to: "2026-10", count: n, mean: 4 },
      }),
      version: n + 1,
      count: n + 1,
      time: time(n),
    }));
    const lastChange = { version: MANY, hash: "h", state: "s", time: time(MANY) };
    await Tour.updateOne({ _id: tour._id }, { lastChange });
    const tourId = tour._id.toString();
    const middle = { tourId, version: MANY / 2 };
    const cursor = `${time(middle.version - 1).getTime()}_${tourId}_${middle.version}`;
    const page = { commands: 8, documents: 101 };
    const reads = {
      "a page of changes": () => listChanges(tourId, { after: middle.version }),
      "a page of those of all tours": () => listAllChanges({ after: cursor }),
      "the ends of months": async () => {
        const tours = [(await Tour.findById(tour._id).lean())!];
        return readTrends(tours, tours, time(0));
      },
      "the changes before a version": () => changesUpTo(tour._id, middle.version, 50),
    };
    for (const [what, read] of Object.entries(reads))
      await this.#measure(`${MANY} changes: ${what}`, read, page);
    const at = () => ratingAt(tourId, time(middle.version).toISOString());
    await this.#measure("and the rating at a time", at, { commands: 20, documents: 1 });
    const explorer = await makeBookedExplorer(tour);
    const post = () => postReview(as(explorer), { tourId, rating: 5 });
    await this.#measure("and a post", post, { commands: 16, documents: 1 });
    const [last] = await listChanges(tourId, { after: MANY + 1 }).then(({ changes }) => changes);
    // The entries lead to other counts than the tour's one review.
    this.report.check("and its entry", `version ${last?.version}`, last?.version === MANY + 2);
  }

  async #signLastEntries(): Promise<void> {
    await insertMany(
      Tour,
      (n) => ({
        slug: `of-many-${n}`,
        lastChange: { version: 1, hash: NO_HASH, state: "", time: new Date() },
      }),
      TOURS,
    );
    const texts: string[] = [];
    const ask = async () => void texts.push(await getCheckpoint());
    const sent = await sentBy(() => Promise.all([ask(), ask(), ask()]));
    const lines = texts.map((text) => text.match(/^[0-9a-f]{24} 1 0{64}$/gm)?.length);
    this.report.check(
      `${TOURS} tours in a signed checkpoint, which three ask for at once`,
      `${lines.join(", ")} lines, ${sent.length} commands`,
      lines.every((count) => count === TOURS) && sent.length === 2,
    );
  }

  /** Reads pages of those of the tour's reviews that have a comment, in each order, and says how many they are. */
  async #readThoseWithComments(tour: TourDocument): Promise<void> {
    for (const sort of ["newest", "highest", "lowest"] as const) {
      let after: string | null = null;
      for (const page of ["first", "second"]) {
        const selection = { stars: null, commented: true, sort, after };
        const read = async () => ({ next: after } = await getReviewPage(tour, selection));
        const what = `the ${page} page of a tour's reviews with a comment, ${sort} first`;
        let rows: number[] = [];
        await this.#measure(
          what,
          async () => void (rows = await rowsOfAnswers(Review, read)),
          // The embedded database looks for the range in which a page lies.
          { commands: 16, documents: PAGE + 1 },
        );
        const most = Math.max(...rows);
        this.report.check("and the most rows of an answer", `${most}`, most === PAGE + 1);
      }
    }
    const asked = { tourId: tour._id.toString(), include: "reply,verified", limit: "100" };
    await indexReviews(tour._id);
    for (const query of [{ sort: "telling" }, { rating: "5", withText: "true" }]) {
      let after: string | null = null;
      for (const page of ["first", "second"]) {
        const list = async () =>
          ({ next: after } = await listReviewsInPages(
            ListReviewsQuery.parse({ ...asked, ...query, ...(after && { after }) }),
          ));
        const what = `the ${page} page of the API's list of them: ${JSON.stringify(query)}`;
        await this.#measure(what, list, { commands: 20, documents: 101 });
      }
    }
    const began = performance.now();
    const { reviewCount } = await commentCounts(tour);
    const counted = `${reviewCount}, ${Math.round(performance.now() - began)} ms`;
    const exact = await Review.countDocuments({ tourId: tour._id, comment: { $gt: "" } });
    this.report.check("and how many they are", counted, reviewCount === exact && exact > MANY / 2);
    await this.#measure("and the same once more", () => commentCounts(tour), {
      commands: 0,
      documents: 0,
    });
  }

  /** Counts the commands that have a filter, and the most documents that one of them reads, but for the ratings. */
  async #measure(
    what: string,
    work: () => Promise<unknown>,
    most: { commands: number; documents: number },
  ): Promise<void> {
    // As a server's job does, so that no request has to.
    await readWebhooks();
    const began = performance.now();
    let ms = 0;
    const sent = await sentBy(async () => {
      await work();
      ms = performance.now() - began;
    });
    let documents = 0;
    const isTrue = await explains();
    for (const one of isTrue ? sent : []) {
      const plan = await explain(one);
      const isOfRatings = one.name === "aggregate" && one.collection === Review.collection.name;
      if (!isOfRatings) documents = Math.max(documents, plan.documents);
      if (plan.stages.includes("COLLSCAN")) documents = Infinity;
    }
    const isFew = sent.length <= most.commands;
    const names = sent.map(({ name, collection }) => `${name} ${collection}`);
    const read = isTrue ? `, each reads at most ${documents} documents` : "";
    this.report.check(
      what,
      `${sent.length} commands${read}, ${Math.round(ms)} ms${isFew ? "" : `: ${names.join()}`}`,
      isFew && documents <= most.documents,
    );
  }
}

/** By the driver, which takes less time than Mongoose. */
async function insertMany(
  { collection }: Pick<typeof Case | typeof Change | typeof Report | typeof Tour, "collection">,
  make: (n: number) => object,
  count = MANY,
): Promise<void> {
  const STEP = 1_000;
  for (let from = 0; from < count; from += STEP)
    await collection.insertMany(Array.from({ length: STEP }, (_, n) => make(from + n)));
}
