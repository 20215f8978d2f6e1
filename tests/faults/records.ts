import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { createServiceToken } from "~/accounts/tokens.server";
import { pageTexts, texts } from "~/lib/refusal-texts";
import { MOST_RECORDS, putRecords, readBodyOfRecords } from "~/import/put-records.server";
import { checkRatings } from "~/reviews/ratings.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, type App } from "../support/app";
import { explain, explains, rowsOfAnswers, sentBy, type Sent } from "../support/explain";
import type { PartReport } from "./report";
import { withApp } from "./support";

const USERS = 500;
const TOURS = 200;
const PAIRS = 2_000;
/** The counts of a tour's ratings come as up to five rows, those of its first review as one. */
const RATING_ROWS = 4 * MOST_RECORDS;
/** How many requests at either end of a kind are compared by their time. */
const AT_END = 5;

interface Line {
  line: number;
  result?: string;
  error?: string;
}

/** A platform's records by hundreds, and all of them once more: the last hundred costs as much as the first one. */
export default async function records(report: PartReport): Promise<void> {
  await withApp({}, async (app, uri) => {
    await disconnectDatabase();
    // With a limit for slow commands, the driver tells of each.
    await connectDatabase(uri, { slowCommandMs: 600_000 });
    const platform = new Platform(report, app, await createServiceToken("Platform"));
    await platform.sendAll("created");
    await platform.sendAll("unchanged");
    const wrong = await checkRatings();
    report.check("tours whose ratings differ from their reviews", `${wrong.length}`, !wrong.length);
  });
}

const times = <Value>(count: number, make: (n: number) => Value) =>
  Array.from({ length: count }, (_, n) => make(n));

/** Each user has four tours, and each tour a hundred users: no pair comes twice. */
const pair = (n: number) => ({
  userId: `user-${n % USERS}`,
  tourId: `tour-${(n + Math.floor(n / USERS)) % TOURS}`,
});

const RECORDS = {
  users: times(USERS, (n) => ({ id: `user-${n}`, name: `Ann ${n}`, email: `ann-${n}@p.example` })),
  tours: times(TOURS, (n) => ({
    ...{ id: `tour-${n}`, title: `Walk ${n}`, slug: `walk-${n}`, createdById: "guide" },
  })),
  bookings: times(PAIRS, (n) => ({ id: `booking-${n}`, ...pair(n), status: "COMPLETED" })),
  reviews: times(PAIRS, (n) => ({
    ...{ id: `review-${n}`, ...pair(n), rating: (n % 5) + 1, comment: `Walk of day ${n}.` },
    createdAt: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toJSON(),
  })),
};

interface Cost {
  commands: number;
  rows: number;
  /** Those that the server has looked at, where it tells. */
  examined: number;
}

class Platform {
  constructor(
    private readonly report: PartReport,
    private readonly app: App,
    private readonly token: string,
  ) {}

  async sendAll(result: "created" | "unchanged"): Promise<void> {
    const guide = { type: "users", id: "guide", name: "Gwen", email: "gwen@p.example" };
    await this.#send([guide]);
    const atBegin = await this.#memory();
    const began = performance.now();
    let atMost = atBegin;
    for (const [type, all] of Object.entries(RECORDS)) {
      const bodies = times(all.length / MOST_RECORDS, (n) =>
        all.slice(n * MOST_RECORDS, (n + 1) * MOST_RECORDS).map((one) => ({ type, ...one })),
      );
      const [first, ...between] = bodies;
      const last = between.pop()!;
      const [costBefore, ...results] = await this.#measure(first!);
      const ms: number[] = [];
      for (const body of between) {
        const sent = performance.now();
        results.push(...(await this.#send(body)));
        ms.push(performance.now() - sent);
        atMost = Math.max(atMost, await this.#memory());
      }
      const [costAfter, ...lastResults] = await this.#measure(last);
      results.push(...lastResults);
      // A record that was under way when the time was up is stored, and then unchanged.
      const others = results.filter((one) => one !== result && one !== "unchanged");
      const said = `${all.length - others.length} of ${all.length}`;
      this.report.check(
        `${type}: ${result}`,
        [said, ...new Set(others)].join(", ").slice(0, 500),
        results.length === all.length && others.length === 0,
      );
      const cost = ({ commands, rows, examined }: Cost) =>
        `${commands} commands, ${rows} rows${examined ? `, ${examined} examined` : ""}`;
      const middle = (some: number[]) => [...some].sort((a, b) => a - b)[some.length >> 1] ?? 0;
      const ratio = middle(ms.slice(-AT_END)) / middle(ms.slice(0, AT_END));
      const timed =
        ms.length > AT_END ? `; time at the end to the beginning ${ratio.toFixed(2)}` : "";
      this.report.check(
        `${type}: the last hundred costs as much as the first`,
        `${cost(costBefore)}, then ${cost(costAfter)}${timed}`,
        costAfter.commands <= costBefore.commands &&
          costAfter.rows <= costBefore.rows + (type === "reviews" ? RATING_ROWS : 0) &&
          costAfter.examined <= costBefore.examined,
      );
    }
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    this.report.check(
      `memory of the process that stores them all: ${result}`,
      `${atBegin} MB, at most ${atMost} MB, in ${minutes} minutes`,
      atMost < 2 * atBegin,
    );
  }

  /** Sends once more what was late, or for which the site was too busy. */
  async #send(body: object[]): Promise<string[]> {
    const { token } = this;
    const { json } = await call<Line[]>(this.app, "POST", "/api/records", { token, body });
    const isLate = ({ error }: Line) => error === texts.recordLate || error === pageTexts.busy;
    const late = body.filter((_, n) => isLate(json![n]!));
    const results = json!.flatMap((line) => (isLate(line) ? [] : [line.result ?? line.error!]));
    return late.length > 0 ? [...results, ...(await this.#send(late))] : results;
  }

  /** Stores them in this process, and counts. */
  async #measure(body: object[]): Promise<[Cost, ...string[]]> {
    const sent = readBodyOfRecords(JSON.stringify(body));
    let commands: Sent[] = [];
    const counted = async () => void (commands = await sentBy(() => putRecords(sent)));
    let rows = 0;
    let work = counted;
    for (const model of [User, Tour, Booking, Review]) {
      const inner = work;
      work = async () => {
        for (const count of await rowsOfAnswers(model as typeof Review, inner)) rows += count;
      };
    }
    await work();
    let examined = 0;
    for (const one of (await explains()) ? commands : []) {
      const { documents, keys } = await explain(one);
      // Those of a tour's ratings are as many as its reviews.
      const isOfRatings = one.name === "aggregate" && one.collection === Review.collection.name;
      if (!isOfRatings) examined += documents + keys;
    }
    const results = sent.map(({ result }) => result.result ?? result.error!);
    return [{ commands: commands.length, rows, examined }, ...results];
  }

  /** In megabytes. */
  async #memory(): Promise<number> {
    const { text } = await call(this.app, "GET", "/metrics");
    const bytes = /^process_resident_memory_bytes(?:{.*})? (\S+)$/m.exec(text)![1];
    return Math.round(Number(bytes) / 1_000_000);
  }
}
