import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Types } from "mongoose";
import { storedRatings } from "~/reviews/ratings.server";
import { getCase } from "~/moderation/cases.server";
import { Booking, COMPLETED } from "#models/booking";
import { Case } from "#models/case";
import { Operator } from "#models/operator";
import { Reply } from "#models/reply";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { call, sessionOf, tokenOf, type Answer, type App } from "../support/app";
import { addressOf, caseOf } from "../support/cases";
import { as, freshRatings, makeTour, makeUser } from "../support/factories";
import { touchTokens } from "../support/world";
import { say } from "../../scripts/lib/command";
import type { PartReport } from "./report";
import { eachOf, endsWithThis, withSite } from "./support";

/** Processes that compute all the time beside the site, on a machine with two processors. */
const BUSY = 10;
const ROUNDS = 4;
const EXPLORERS = 50;
const ACTS_ON = 60;
const AT_ONCE = 12;

/**
 * Everybody changes, reports, answers and decides about one tour through two server processes, on a machine that has
 * other work: nothing is refused, and what is refused has not been stored.
 */
export default (report: PartReport) =>
  withSite({ TRUST_PROXY: "true" }, (site) =>
    besideBusyProcesses(async () => {
      await changes(site, report);
      await acts(site, report);
    }),
  );

async function besideBusyProcesses(work: () => Promise<void>): Promise<void> {
  const children = Array.from({ length: BUSY }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  for (const child of children) endsWithThis(child, (signal) => child.kill(signal));
  try {
    await work();
  } finally {
    const ends = children.map((child) => once(child, "exit"));
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(ends);
  }
}

/** Whether what the request asked for may have been stored, although it failed. */
const isUncertain = ({ status, headers }: Pick<Answer, "status" | "headers">) =>
  status >= 500 && !headers.has("retry-after");

/** The requests of a proof, and what became of them. */
class Sent {
  count = 0;
  #slowest = 0;
  readonly refused: string[] = [];

  constructor(private readonly site: App) {}

  async send<Body>(method: string, path: string, options: Parameters<typeof call>[3]) {
    const began = performance.now();
    const answer: Answer<Body> = await call<Body>(this.site, method, path, options);
    this.#slowest = Math.max(this.#slowest, performance.now() - began);
    this.count++;
    if (answer.status >= 500) {
      const promise = isUncertain(answer) ? "perhaps stored" : "nothing stored";
      this.refused.push(`${method} ${path} ${answer.status}, ${promise}`);
    }
    return answer;
  }

  check(report: PartReport, what: string): void {
    for (const line of this.refused.slice(0, 5)) say(`  ${line}`);
    const seconds = (this.#slowest / 1_000).toFixed(1);
    const figure = `${this.refused.length} of ${this.count}, the slowest took ${seconds} s`;
    report.check(`${what} refused beside ${BUSY} busy processes`, figure, !this.refused.length);
  }
}

async function makeExplorers(tourId: Types.ObjectId, count: number, name: string) {
  const users = await User.insertMany(
    Array.from({ length: count }, (_, n) => ({ name: `E${n}`, email: `${name}.${n}@load.test` })),
  );
  await Booking.insertMany(users.map(({ _id }) => ({ userId: _id, tourId, status: COMPLETED })));
  const tokens = await Promise.all(users.map((user) => tokenOf(user)));
  await touchTokens();
  return users.map((user, n) => ({ user, token: tokens[n]! }));
}

async function changes(site: App, report: PartReport): Promise<void> {
  const sent = new Sent(site);
  const wrong: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const tour = await makeTour();
    const tourId = tour._id.toString();
    const expected = new Map<string, number>();
    /** The posts whose answers have not promised that nothing was stored. */
    const uncertain = new Set<string>();
    const explorers = await makeExplorers(tour._id, EXPLORERS, String(round));
    await Promise.all(
      explorers.map(async ({ user, token }, n) => {
        const id = user._id.toString();
        let path = "/api/reviews";
        const rate = async (method: string, rating: number) => {
          const options = { token, body: { tourId, rating } };
          const answer = await sent.send<{ review: { id: string } }>(method, path, options);
          const { status, json } = answer;
          if (isUncertain(answer)) uncertain.add(id);
          if (status >= 300) return false;
          path = `/api/reviews/${json!.review.id}`;
          expected.set(id, rating);
          return true;
        };
        if (!(await rate("POST", 1 + (n % 5)))) return;
        await rate("PATCH", 1 + ((n + 2) % 5));
        if (n % 3 !== 0) return;
        const deleted = await sent.send("DELETE", path, { token });
        if (isUncertain(deleted)) uncertain.add(id);
        if (deleted.status !== 200) return;
        expected.delete(id);
        path = "/api/reviews";
        if (n % 2 === 0) await rate("POST", 5);
      }),
    );
    const reviews = await Review.find({ tourId: tour._id }).lean();
    const found = new Map(reviews.map(({ userId, rating }) => [userId.toString(), rating]));
    for (const { user } of explorers) {
      const id = user._id.toString();
      if (!uncertain.has(id) && found.get(id) !== expected.get(id)) wrong.push(`${tourId} ${id}`);
    }
    const stored = storedRatings(await Tour.findById(tour._id).lean());
    if (JSON.stringify(stored) !== JSON.stringify(await freshRatings(tour._id)))
      wrong.push(`${tourId}: its mean`);
  }
  sent.check(report, "changes of one tour");
  report.check(
    "tours and reviews that are not as they were acknowledged",
    wrong.join() || "0",
    !wrong.length,
  );
}

async function acts(site: App, report: PartReport): Promise<void> {
  const sent = new Sent(site);
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id });
  const guideToken = await tokenOf(guide);
  const operators = await Promise.all(Array.from({ length: 4 }, () => makeDecider()));
  const explorers = await makeExplorers(tour._id, ACTS_ON, "acts");
  const reviews = await Review.insertMany(
    explorers.map(({ user }, n) => {
      const of = { tourId: tour._id, userId: user._id, createdAt: new Date() };
      return { ...of, rating: 1 + (n % 5), comment: "Words." };
    }),
  );
  const made = { replies: 0, reports: 0, decisions: 0 };
  await eachOf(reviews.entries(), AT_ONCE, async ([n, review]) => {
    const path = `/api/reviews/${review._id.toString()}`;
    const fields = { url: addressOf(review), reason: "hateful", goodFaith: "yes", words: "Bad." };
    const [reported, replied] = await Promise.all([
      sent.send("POST", "/report", {
        raw: new URLSearchParams({ ...fields, name: "", email: "" }),
        headers: { "x-forwarded-for": `198.51.100.${n}` },
      }),
      sent.send("PUT", `${path}/reply`, { token: guideToken, body: { text: "Thanks." } }),
    ]);
    if (replied.status === 200) made.replies++;
    if (reported.status !== 302) return;
    made.reports++;
    const { _id } = await caseOf(review);
    const { user, cookie } = operators[n % operators.length]!;
    const { version, tag } = await getCase(as(user), _id.toString());
    const [action, ground] = n % 2 ? ["keep", "allowed"] : ["redact", "hateful"];
    const decision = { version: String(version), tag, reports: "1", appeals: "0", action, ground };
    const [decided] = await Promise.all([
      sent.send("POST", `/operator/cases/${_id.toString()}`, {
        cookie,
        raw: new URLSearchParams({ ...decision, explanation: "By rule.", reference: "" }),
      }),
      sent.send("PATCH", path, { token: explorers[n]!.token, body: { rating: 3 } }),
    ]);
    if (decided.status === 302) made.decisions++;
  });
  sent.check(report, "acts about one tour");
  const cases = await Case.find({ tourId: tour._id }).lean();
  const stored = {
    replies: await Reply.countDocuments(),
    reports: await Report.countDocuments(),
    decisions: cases.filter(({ decisions }) => decisions.length > 0).length,
  };
  const [acknowledged, found] = [made, stored].map((counts) => JSON.stringify(counts));
  report.check(
    "acts acknowledged, and stored",
    `${acknowledged}, ${found}`,
    acknowledged === found,
  );
}

async function makeDecider(): Promise<{ user: UserDocument; cookie: string }> {
  const user = await makeUser();
  await Operator.create({ _id: user._id, since: new Date() });
  return { user, cookie: await sessionOf(user) };
}
