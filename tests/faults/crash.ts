import { setTimeout as sleep } from "node:timers/promises";
import { checkRatings } from "~/reviews/ratings.server";
import { Booking, COMPLETED } from "#models/booking";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { progressBar } from "../../scripts/lib/progress";
import { say } from "../../scripts/lib/command";
import { answeringProcesses, call, tokenOf } from "../support/app";
import { makeUser, random } from "../support/factories";
import { type SendGridStandIn, startSendGrid } from "../support/mail";
import { CLAIM_MS, DEATHS_A_KEEPER, KilledSite } from "./killed-site";
import type { PartReport } from "./report";
import { eachOf, withFolder } from "./support";

const SEED = 1;
/** How often the app's processes are killed, and how often the database. */
const KILLS = 30;
const TOURS = 100;
const EXPLORERS = 4;
const CLIENTS = 16;
/** Longer than the outbox's lease, which a killed app may have held. */
const MAIL_MS = 120_000;

/** A review as its author knows it, or null. */
type Known = { id: string; rating: number; comment: string } | null;

/** One explorer and one tour; no two clients use the same pair at a time. */
interface Pair {
  tour: { id: string; restsUntil: number };
  userId: string;
  token: string;
  known: Known;
  /** The possible states after a change that was not acknowledged. */
  maybe?: Known;
  busy: boolean;
}

/** Kills the app and the database under load, and compares the stored data with what was acknowledged. */
export default async function crash(report: PartReport): Promise<void> {
  const sendGrid = await startSendGrid();
  try {
    await withFolder((dataDir) => new Crashes(dataDir, sendGrid).run(report));
  } finally {
    sendGrid.close();
  }
}

class Crashes {
  #pairs: Pair[] = [];
  #site!: KilledSite;
  #running = false;
  #changes = 0;
  #unknown = 0;
  #looks = 0;
  #creates: string[] = [];
  #lost: string[] = [];
  #twice: string[] = [];
  #inexact: string[] = [];
  #refused: string[] = [];
  readonly #draw = random(SEED + 1);

  constructor(
    private readonly dataDir: string,
    private readonly sendGrid: SendGridStandIn,
  ) {}

  async run(report: PartReport): Promise<void> {
    const moments = random(SEED);
    const plan = (["app", "database"] as const)
      .flatMap((target) => Array.from({ length: KILLS }, () => ({ target, at: moments() })))
      .toSorted((a, b) => a.at - b.at)
      .map(({ target }) => ({ target, afterMs: 300 + moments() * 900 }));
    const progress = progressBar("kills");
    await this.#open();
    try {
      await this.#makePairs();
      let deaths = 0;
      for (const [n, { target, afterMs }] of plan.entries()) {
        if (target === "database" && ++deaths > DEATHS_A_KEEPER) {
          await this.#site.close();
          await this.#open();
          deaths = 1;
        }
        this.#running = true;
        const clients = Array.from({ length: CLIENTS }, () => this.#client());
        const watcher = this.#watch();
        await sleep(afterMs);
        if (target === "app") await this.#killApp();
        else await this.#killDatabase();
        this.#running = false;
        await Promise.all([...clients, watcher]);
        // By then everything has arrived that was on its way to the database when its sender died or gave up.
        await sleep(500);
        await this.#look();
        progress(n + 1, plan.length);
      }
      this.#report(report, await this.#mails());
    } finally {
      this.#running = false;
      await this.#site.close();
    }
  }

  async #open(): Promise<void> {
    this.#site = await KilledSite.open(this.dataDir, this.sendGrid);
  }

  async #makePairs(): Promise<void> {
    const guide = await makeUser({ name: "Gwen Guide" });
    const tours = await Tour.insertMany(
      Array.from({ length: TOURS }, (_, n) => ({
        title: `Tour ${n}`,
        slug: `tour-${n}`,
        createdById: guide._id,
      })),
    );
    const explorers = await User.insertMany(
      Array.from({ length: TOURS * EXPLORERS }, (_, n) => ({
        name: `E${n}`,
        email: `${n}@crash.test`,
      })),
    );
    const places = tours.map(({ _id }) => ({ id: _id.toString(), restsUntil: 0 }));
    const pairs = explorers.map((user, n) => ({ user, tour: places[n % TOURS]! }));
    await Booking.insertMany(
      pairs.map(({ user, tour }) => ({ userId: user._id, tourId: tour.id, status: COMPLETED })),
    );
    await eachOf(pairs, CLIENTS, async ({ user, tour }) => {
      const token = await tokenOf(user);
      this.#pairs.push({ tour, userId: user._id.toString(), token, known: null, busy: false });
    });
  }

  /** Makes one change after another until the load ends. */
  async #client(): Promise<void> {
    while (this.#running) {
      const pair = this.#pairs[Math.floor(this.#draw() * this.#pairs.length)]!;
      if (pair.busy || "maybe" in pair || pair.tour.restsUntil > Date.now()) {
        await sleep(1);
        continue;
      }
      pair.busy = true;
      await this.#change(pair);
      pair.busy = false;
    }
  }

  async #change(pair: Pair): Promise<void> {
    const { known } = pair;
    const rating = 1 + Math.floor(this.#draw() * 5);
    if (!known) {
      const comment = `(create ${this.#creates.length}.${pair.userId})`;
      const body = { tourId: pair.tour.id, rating, comment };
      const made = await this.#send<{ review: { id: string } }>(pair, "POST", "", body);
      if (made) this.#creates.push(comment);
      if (made) pair.known = { id: made.review.id, rating, comment };
      else pair.maybe = { id: "", rating, comment };
    } else if (this.#draw() < 0.5) {
      const wanted = { ...known, rating };
      if (await this.#send(pair, "PATCH", `/${known.id}`, { rating })) pair.known = wanted;
      else pair.maybe = wanted;
    } else {
      if (await this.#send(pair, "DELETE", `/${known.id}`)) pair.known = null;
      else pair.maybe = null;
    }
  }

  /** The body of an acknowledgement; null if the outcome of the change is unknown. */
  async #send<Body>(pair: Pair, method: string, path: string, body?: unknown) {
    const options = { token: pair.token, body };
    const answer = await call<Body>(this.#site.app, method, `/api/reviews${path}`, options).catch(
      () => null,
    );
    if (answer && answer.status < 300) {
      this.#changes++;
      return answer.json!;
    }
    this.#unknown++;
    // If the database died before it answered a commit, the change is tried again and finds that it was made.
    const found = (method === "POST" && answer?.status === 400) || answer?.status === 404;
    if (answer && answer.status < 500 && !found)
      this.#refused.push(`${method} ${answer.status} ${answer.text}`);
    // There was no answer because the app is dead: the next request is for its successor.
    if (!answer) await sleep(20);
    return null;
  }

  /** Kills one of the two processes, while the other continues under the load, or both. They are replaced. */
  async #killApp(): Promise<void> {
    const both = this.#draw() < 0.5;
    await this.#site.killServers(both);
    const restsUntil = Date.now() + CLAIM_MS;
    for (const { busy, tour } of this.#pairs) if (busy) tour.restsUntil = restsUntil;
    if (both) this.#running = false;
    await answeringProcesses(this.#site.app);
    this.#running = false;
  }

  async #killDatabase(): Promise<void> {
    await this.#site.killDatabase();
    // The same load continues over the new connection.
    const before = this.#changes;
    for (let wait = 0; wait < 200 && this.#changes < before + CLIENTS; wait++) await sleep(50);
  }

  /** Checks the aggregates while changes are being made. */
  async #watch(): Promise<void> {
    while (this.#running) {
      const mismatches = await checkRatings().catch(() => null);
      if (mismatches) this.#looks++;
      for (const mismatch of mismatches ?? []) this.#inexact.push(JSON.stringify(mismatch));
      await sleep(200);
    }
  }

  /** Compares the reviews with what was acknowledged, once no change is being made. */
  async #look(): Promise<void> {
    const reviews = await Review.find().lean();
    const found = new Map<string, (typeof reviews)[number]>();
    for (const review of reviews) {
      const key = `${review.tourId.toString()} ${review.userId.toString()}`;
      if (found.has(key)) this.#twice.push(key);
      found.set(key, review);
    }
    for (const pair of this.#pairs) {
      const review = found.get(`${pair.tour.id} ${pair.userId}`);
      const allowed = "maybe" in pair ? [pair.known, pair.maybe!] : [pair.known];
      const same = (known: Known) =>
        known
          ? review?.rating === known.rating && review.comment === known.comment
          : review === undefined;
      if (!allowed.some(same))
        this.#lost.push(`${JSON.stringify(allowed)} became ${JSON.stringify(review ?? null)}`);
      pair.known = review
        ? { id: review._id.toString(), rating: review.rating!, comment: review.comment! }
        : null;
      delete pair.maybe;
    }
    for (const mismatch of await checkRatings()) this.#inexact.push(JSON.stringify(mismatch));
    this.#looks++;
  }

  /** How many e-mails have arrived for each acknowledged create, once all have or no more can. */
  async #mails(): Promise<number[]> {
    const count = () => {
      const mails = new Map<string, number>();
      for (const { content } of this.sendGrid.mails) {
        const comment = /\(create [^)]+\)/.exec(content[0]!.value)?.[0] ?? "";
        mails.set(comment, (mails.get(comment) ?? 0) + 1);
      }
      return this.#creates.map((comment) => mails.get(comment) ?? 0);
    };
    const deadline = Date.now() + MAIL_MS;
    while (count().includes(0) && Date.now() < deadline) await sleep(500);
    return count();
  }

  #report(report: PartReport, mails: number[]): void {
    for (const finding of [this.#lost, this.#twice, this.#inexact, this.#refused])
      for (const line of finding.slice(0, 5)) say(`  ${line}`);
    const kills = `${KILLS} kill -9 of one or both of two processes, ${KILLS} of the database`;
    report.check(
      `${kills}: acknowledged changes that are lost`,
      `${this.#lost.length} of ${this.#changes} (${this.#unknown} without an answer)`,
      this.#lost.length === 0 && this.#changes > 10 * KILLS,
    );
    report.check("reviews of one pair twice", `${this.#twice.length}`, this.#twice.length === 0);
    report.check(
      "answers that nothing explains",
      `${this.#refused.length}`,
      this.#refused.length === 0,
    );
    report.check(
      "aggregates that differ from their reviews, at any look",
      `${this.#inexact.length} at ${this.#looks} looks`,
      this.#inexact.length === 0,
    );
    const missing = mails.filter((count) => count === 0).length;
    const more = mails.filter((count) => count > 1).length;
    report.check(
      "acknowledged creates whose guide got no mail",
      `${missing} of ${mails.length} (${more} got it twice)`,
      missing === 0 && mails.length > KILLS,
    );
  }
}
