import { setTimeout as sleep } from "node:timers/promises";
import { countBy } from "es-toolkit";
import { Types } from "mongoose";
import { importData } from "~/import/import.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Booking, COMPLETED } from "#models/booking";
import { Notification, type ReviewNotification } from "#models/notification";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, tokenOf } from "../support/app";
import { verifySite } from "../../scripts/verify";
import { makeUser, random } from "../support/factories";
import type { SendGridStandIn } from "../support/mail";
import { CLIENTS, KilledSite, proveWithKills } from "./killed-site";
import type { PartReport } from "./report";
import { eachOf } from "./support";

const SEED = 1;
/** How often the app's processes are killed, and how often the database. */
const KILLS = 30;
const TOURS = 100;
const EXPLORERS = 4;
/** Longer than the outbox's lease, which a killed app may have held. */
const MAIL_MS = 120_000;

/** Of an explorer and a tour within an hour (docs/rules/mail.md, Notifications). */
const MAILS_OF_PAIR = 3;
const HOUR_MS = 60 * 60 * 1_000;

/** How often a tour is rebuilt or imported by another process, of all changes. */
const BY_COMMANDS = 0.03;

/** A review as its author knows it, or null. */
type KnownReview = { id: string; rating: number; comment: string } | null;

/** One explorer and one tour. */
interface Pair {
  tour: { id: string; restsUntil: number };
  userId: string;
  token: string;
  known: KnownReview;
  /** The possible state after a change that was not acknowledged. */
  maybe?: KnownReview;
  busy: boolean;
}

/** Kills the app and the database while reviews are posted, and compares these with what was acknowledged. */
export default (report: PartReport) => proveWithKills(report, Crashes);

class Crashes extends KilledSite<Pair> {
  readonly #creates: string[] = [];
  readonly #twice: string[] = [];

  protected readonly kills = killsInAnyOrder();
  protected override readonly least = 10_000;

  constructor(dataDir: string, sendGrid: SendGridStandIn) {
    super(SEED + 1, dataDir, sendGrid);
  }

  protected async make(): Promise<void> {
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
      this.items.push({ tour, userId: user._id.toString(), token, known: null, busy: false });
    });
  }

  protected async change(pair: Pair): Promise<void> {
    if ("maybe" in pair) {
      await sleep(1);
      return;
    }
    const { known } = pair;
    const rating = 1 + Math.floor(this.draw() * 5);
    if (this.draw() < BY_COMMANDS)
      await rebuildRatings({ tourIds: [new Types.ObjectId(pair.tour.id)] });
    if (known && this.draw() < BY_COMMANDS) {
      const wanted = { ...known, rating };
      const { createdAt } = (await Review.findById(known.id).lean())!;
      const review = {
        ...wanted,
        userId: pair.userId,
        tourId: pair.tour.id,
        createdAt: createdAt.toISOString(),
      };
      pair.maybe = wanted;
      await importData({ reviews: [review] });
      await this.isDone({ status: 200 });
      pair.known = wanted;
      delete pair.maybe;
    } else if (!known) {
      const comment = `(create ${this.#creates.length}.${pair.userId})`;
      const body = { tourId: pair.tour.id, rating, comment };
      const made = await this.#send<{ review: { id: string } }>(pair, "POST", "", body);
      if (made) this.#creates.push(comment);
      if (made) pair.known = { id: made.review.id, rating, comment };
      else pair.maybe = { id: "", rating, comment };
    } else if (this.draw() < 0.5) {
      const wanted = { ...known, rating };
      if (await this.#send(pair, "PATCH", `/${known.id}`, { rating })) pair.known = wanted;
      else pair.maybe = wanted;
    } else {
      if (await this.#send(pair, "DELETE", `/${known.id}`)) pair.known = null;
      else pair.maybe = null;
    }
  }

  /** The body of an acknowledgement; null if the outcome of the change is unknown. */
  async #send<Body>({ token }: Pair, method: string, path: string, body?: unknown) {
    const url = `/api/reviews${path}`;
    const answer = await call<Body>(this.app, method, url, { token, body }).catch(() => null);
    if (await this.isDone(answer)) return answer!.json!;
    // If the database died before it answered a commit, the change is tried again and finds that it was made.
    const found = (method === "POST" && answer?.status === 400) || answer?.status === 404;
    if (answer && answer.status < 500 && !found)
      this.refused.push(`${method} ${answer.status} ${answer.text}`);
    return null;
  }

  protected async look(): Promise<void> {
    const reviews = await Review.find().lean();
    const found = new Map<string, (typeof reviews)[number]>();
    for (const review of reviews) {
      const key = `${review.tourId.toString()} ${review.userId.toString()}`;
      if (found.has(key)) this.#twice.push(key);
      found.set(key, review);
    }
    for (const pair of this.items) {
      const review = found.get(`${pair.tour.id} ${pair.userId}`);
      const allowed = "maybe" in pair ? [pair.known, pair.maybe!] : [pair.known];
      const same = (known: KnownReview) =>
        known
          ? review?.rating === known.rating && review.comment === known.comment
          : review === undefined;
      if (!allowed.some(same))
        this.lost.push(`${JSON.stringify(allowed)} became ${JSON.stringify(review ?? null)}`);
      pair.known = review
        ? { id: review._id.toString(), rating: review.rating!, comment: review.comment! }
        : null;
      delete pair.maybe;
    }
  }

  protected async conclude(report: PartReport): Promise<void> {
    this.checkNone(report, "reviews of one pair twice", this.#twice);
    const { faults, said } = await verifySite(this.app.url);
    this.checkNone(
      report,
      "tours whose changes do not lead to their ratings",
      faults,
      `: ${said[0]}`,
    );
    const deadline = Date.now() + MAIL_MS;
    let mails = await this.#mails();
    while (mails.missing.length > 0 && Date.now() < deadline) {
      await sleep(500);
      mails = await this.#mails();
    }
    const { missing, arrived, twice, waiting, early } = mails;
    const all = this.#creates.length;
    this.checkNone(
      report,
      "acknowledged creates whose review stands and of which the guide is never told",
      missing,
      ` of ${all}`,
    );
    report.check(
      "e-mails that arrived twice, or wait for an hour behind fewer than three that arrived, of which a kill has cut off others",
      `${twice} of ${arrived}, ${early} of ${waiting}`,
      arrived > this.items.length && twice < all / 100 && early <= KILLS,
    );
  }

  /** Which acknowledged creates are in no e-mail, how many are in one or two, and how many e-mails wait. */
  async #mails() {
    const counts = new Map<string, number>();
    for (const { content } of this.sendGrid.mails) {
      const comment = /\(create [^)]+\)/.exec(content[0]!.value)?.[0] ?? "";
      counts.set(comment, (counts.get(comment) ?? 0) + 1);
    }
    const ofPair = countBy([...counts.keys()], userOf);
    const now = Date.now();
    const pending = await Notification.find({ state: "pending" }).lean<ReviewNotification[]>();
    const waiting = pending
      // Those that a process holds are due again when its lease ends, long before.
      .filter(({ dueAt, lease }) => !lease && dueAt.getTime() > now + MAIL_MS)
      .filter(({ dueAt }) => dueAt.getTime() < now + HOUR_MS)
      .map(({ inputs }) => inputs.comment ?? "");
    const standing = new Set(
      (await Review.find({}, "comment").lean()).map(({ comment }) => comment),
    );
    const isMissing = (comment: string) =>
      standing.has(comment) && !counts.has(comment) && !waiting.includes(comment);
    return {
      missing: this.#creates.filter(isMissing),
      arrived: this.#creates.filter((comment) => counts.has(comment)).length,
      twice: this.#creates.filter((comment) => counts.get(comment)! > 1).length,
      waiting: waiting.length,
      early: waiting.filter((comment) => (ofPair[userOf(comment)] ?? 0) < MAILS_OF_PAIR).length,
    };
  }
}

const userOf = (comment: string) => comment.split(".")[1] ?? "";

function killsInAnyOrder() {
  const draw = random(SEED);
  return (["servers", "database"] as const)
    .flatMap((target) => Array.from({ length: KILLS }, () => ({ target, at: draw() })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ target }) => target);
}
