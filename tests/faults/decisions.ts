import { groupBy } from "es-toolkit/array";
import type { Types } from "mongoose";
import { ownerOfAddress } from "~/mail/outbox.server";
import { getCase } from "~/moderation/cases.server";
import { receiptToken, statementToken } from "~/moderation/links.server";
import { casePath } from "~/moderation/labels";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Case, type CaseDocument } from "#models/case";
import { Decision } from "#models/decision";
import { Notification } from "#models/notification";
import { Operator } from "#models/operator";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Reply, type ReplyDocument } from "#models/reply";
import { Report } from "#models/report";
import { Review, type ReviewDocument } from "#models/review";
import { Tour } from "#models/tour";
import type { UserDocument } from "#models/user";
import { call, sessionOf, tokenOf } from "../support/app";
import { addressOf } from "../support/cases";
import { until } from "../support/commands";
import { as, makeTour, makeUser } from "../support/factories";
import type { SendGridStandIn } from "../support/mail";
import { touchTokens } from "../support/world";
import { KilledSite, proveWithKills } from "./killed-site";
import type { PartReport } from "./report";

const SEED = 7;
/** How often server processes or, every so many times, the database is killed. */
const KILLS = 20;
const EVERY = 5;
const TOURS = 40;
const REVIEWS_A_TOUR = 8;
const OPERATORS = 4;
/** Of all steps, those that are replies. */
const REPLIES = 0.25;
const WORDS = "Words of its author.";

/** A review, which reporters, operators, its author and its guide act on. */
interface Item {
  _id: Types.ObjectId;
  author: UserDocument;
  tour: { guide: UserDocument; token: string; restsUntil: number };
  busy: boolean;
  /** The texts that its reply may have, null for no reply: a change that was not acknowledged may be stored or not. */
  replies: (string | null)[];
}

/** Kills the app while operators decide, readers report and appeal, and guides reply. */
export default (report: PartReport) => proveWithKills(report, Decisions);

class Decisions extends KilledSite<Item> {
  readonly #operators: { _id: Types.ObjectId; cookie: string }[] = [];
  #sent = 0;
  /** The words of what was acknowledged, and of what was refused, which must be because it is there already. */
  readonly #acknowledged = new Set<string>();
  readonly #refusals = new Map<string, string>();
  readonly #torn: string[] = [];
  readonly #untold: string[] = [];

  protected readonly kills = Array.from({ length: KILLS }, (_, n) =>
    n % EVERY === EVERY - 1 ? ("database" as const) : ("servers" as const),
  );

  constructor(dataDir: string, sendGrid: SendGridStandIn) {
    // So that reports and appeals come from many networks.
    super(SEED, dataDir, sendGrid, { TRUST_PROXY: "true" });
  }

  protected async make(): Promise<void> {
    for (let n = 0; n < OPERATORS; n++) {
      const user = await makeUser();
      await Operator.create({ _id: user._id, since: new Date() });
      this.#operators.push({ _id: user._id, cookie: await sessionOf(user) });
    }
    for (let n = 0; n < TOURS; n++) {
      const guide = await makeUser();
      const { _id: tourId } = await makeTour({ createdById: guide._id });
      const tour = { guide, token: await tokenOf(guide), restsUntil: 0 };
      for (let m = 0; m < REVIEWS_A_TOUR; m++) {
        const author = await makeUser();
        const review = { tourId, userId: author._id, rating: 1 + (m % 5), comment: WORDS };
        const { _id } = await Review.create({ ...review, createdAt: new Date() });
        this.items.push({ _id, author, tour, busy: false, replies: [null] });
      }
    }
    await rebuildRatings();
    await touchTokens();
  }

  /** Does what comes next with that review, by what is stored. */
  protected async change(item: Item): Promise<void> {
    const found = await Case.findOne({ reviewId: item._id }).lean<CaseDocument>();
    if (this.draw() < REPLIES) return this.#reply(item);
    if (!found || (found.state === "open" && found.reports < 2)) return this.#reportIt(item);
    if (found.state !== "decided") return this.#decide(found);
    if (!found.appeals.some(({ by }) => by === "author"))
      return this.#appeal(statementToken(found._id));
    const left = await Report.findOne({ caseId: found._id, appealedAt: { $exists: false } });
    return left ? this.#appeal(receiptToken(left._id)) : this.#reply(item);
  }

  async #reportIt({ _id }: Item): Promise<void> {
    const words = this.#words("report");
    const email = `${this.#sent}@reporters.test`;
    const fields = { url: addressOf({ _id }), reason: "hateful", name: "", goodFaith: "yes" };
    await this.#send(words, "/report", { ...fields, words, email });
  }

  async #decide({ _id: caseId, decisions }: CaseDocument): Promise<void> {
    const last = decisions.at(-1);
    const operator = this.oneOf(this.#operators.filter(({ _id }) => !last?.operatorId.equals(_id)));
    const id = caseId.toString();
    const { version, tag, actions, item, reports, appeals } = await getCase(as(operator), id);
    const action = this.oneOf(actions);
    const isDown = action === "keep" ? item?.state !== "shown" : action !== "restore";
    const words = this.#words("decision");
    await this.#send(
      words,
      `/operator/cases/${id}`,
      {
        version: String(version),
        tag,
        action,
        explanation: words,
        reference: "",
        reports: String(reports),
        appeals: String(appeals.length),
        ground: isDown ? "hateful" : "allowed",
      },
      operator.cookie,
    );
  }

  async #appeal(token: string): Promise<void> {
    const words = this.#words("appeal");
    await this.#send(words, casePath(token), { intent: "appeal", words });
  }

  async #reply(item: Item): Promise<void> {
    if (!(await Review.exists({ _id: item._id }))) return;
    const text = this.#words("reply");
    item.replies.push(text);
    const path = `/api/reviews/${item._id.toString()}/reply`;
    const options = { token: item.tour.token, body: { text } };
    const answer = await call(this.app, "PUT", path, options).catch(() => null);
    if (await this.#isAcknowledged(text, answer)) item.replies = [text];
  }

  /** Sends a form; its words are acknowledged, refused, or neither. */
  async #send(words: string, path: string, fields: Record<string, string>, cookie = "") {
    // As many from each network as are allowed, and not all counts at once.
    const network = Math.floor(this.#sent / 15);
    const headers = { "x-forwarded-for": `198.51.${network >> 8}.${network & 255}` };
    const raw = new URLSearchParams(fields);
    const options = { raw, headers, ...(cookie && { cookie }) };
    const answer = await call(this.app, "POST", path, options).catch(() => null);
    if (await this.#isAcknowledged(words, answer)) this.#acknowledged.add(words);
  }

  async #isAcknowledged(words: string, answer: { status: number } | null): Promise<boolean> {
    if (await this.isDone(answer)) return true;
    // If the database died before it answered a commit, it is tried again and finds that it was made.
    if (answer && answer.status < 500) this.#refusals.set(words, `${words} ${answer.status}`);
    return false;
  }

  #words = (kind: string) => `(${kind} ${++this.#sent})`;

  /** Compares everything with what was acknowledged, and with each other. */
  protected async look(): Promise<void> {
    const cases = await Case.find().lean<CaseDocument[]>();
    const reports = await Report.find().lean();
    const log = await Decision.find().lean();
    const reviews = mapOf(await Review.find().lean<ReviewDocument[]>());
    const removed = mapOf(await RemovedReview.find().lean<RemovedReviewDocument[]>());
    const replies = mapOf(await Reply.find().lean<ReplyDocument[]>());

    const stored = new Set([
      ...reports.map(({ words }) => words),
      ...cases.flatMap(({ appeals }) => appeals.map(({ text }) => text)),
      ...cases.flatMap(({ decisions }) => decisions.map(({ explanation }) => explanation)),
      ...[...replies.values()].map(({ text }) => text),
    ]);
    for (const words of this.#acknowledged) if (!stored.has(words)) this.lost.push(words);
    for (const [words, line] of this.#refusals) if (!stored.has(words)) this.refused.push(line);
    this.#refusals.clear();

    const casesOf = groupBy(cases, ({ reviewId }) => reviewId.toString());
    for (const item of this.items) {
      const id = item._id.toString();
      const text = replies.get(id)?.text ?? null;
      if (!item.replies.includes(text)) this.lost.push(`${item.replies.at(-1)}: ${text}`);
      item.replies = [text];
      const [found, ...more] = casesOf[id] ?? [];
      const [review, gone] = [reviews.get(id), removed.get(id)];
      const { isRemoved, isRedacted } = stateAfter(found?.decisions ?? []);
      const comment = review ? review.comment : gone?.review?.comment;
      const whole =
        more.length === 0 &&
        Boolean(review) === !isRemoved &&
        Boolean(gone) === isRemoved &&
        comment === (isRedacted ? null : WORDS);
      if (!whole) this.#torn.push(`${JSON.stringify(found)}: ${JSON.stringify([review, gone])}`);
    }
    const rows = groupBy(log, ({ caseId }) => caseId.toString());
    const ofCase = groupBy(reports, ({ caseId }) => caseId!.toString());
    for (const found of cases) {
      const { state, version, decisions, appeals, endsAt, openKey } = found;
      const id = found._id.toString();
      const inLog = new Set((rows[id] ?? []).map(({ _id }) => _id.toString()));
      const waits = appeals.length > 0 && appeals.at(-1)!.at > decisions.at(-1)!.at;
      const whole =
        inLog.size === decisions.length &&
        decisions.every(({ _id }) => inLog.has(_id.toString())) &&
        ofCase[id]?.length === found.reports &&
        version > decisions.length &&
        // An appeal that came while somebody decided waits, too.
        (decisions.length === 0 ? state === "open" : state === "appealed" || !waits) &&
        Boolean(endsAt) === (state !== "appealed") &&
        Boolean(openKey) === (state === "open");
      if (!whole) this.#torn.push(JSON.stringify(found));
    }
    if (log.length !== cases.reduce((sum, { decisions }) => sum + decisions.length, 0))
      this.#torn.push(`${log.length} rows of the log`);
    for (const { _id, removedReviews } of await Tour.find().lean())
      if (removedReviews !== (await RemovedReview.countDocuments({ tourId: _id })))
        this.#torn.push(`${_id.toString()}: ${removedReviews} removed reviews`);
  }

  /** Waits until the site has told everybody, and compares the e-mails with what was decided. */
  protected async conclude(report: PartReport): Promise<void> {
    const what = "cases that do not agree with the log, their reports, the review or its tour";
    this.checkNone(report, what, this.#torn);
    await until(async () => !(await Case.exists({ toldAfter: { $exists: true } })));
    // One too many of an explorer and a tour waits for up to an hour.
    const underWay = { state: "pending" as const, failure: { $not: /within an hour$/ } };
    await until(async () => !(await Notification.exists(underWay)));
    const arrived = new Set(
      this.sendGrid.mails.map(({ personalizations, content }) => {
        const words = /\(decision \d+\)/.exec(content[0]!.value)?.[0];
        return `${personalizations[0]!.to[0]!.email} ${words}`;
      }),
    );
    let readers = 0;
    const check = async (owner: string, most: number, least = most) => {
      readers++;
      // Those about a reply have a limit of their own (docs/rules/mail.md, Notifications).
      const about = { kind: "account" as const, owner, replyTo: null };
      const mails = await Notification.countDocuments(about);
      if (mails < least || mails > most) this.#untold.push(`${mails} e-mails for ${least}-${most}`);
    };
    const ofGuides = new Map<string, number>();
    for (const { _id, author, tour } of this.items) {
      const found = await Case.findOne({ reviewId: _id }).lean<CaseDocument>();
      const decisions = found?.decisions ?? [];
      const changes = decisions.filter(({ action }) => action !== "keep");
      const news = decisions.filter(({ action, onAppeal }) => onAppeal || action !== "keep");
      await check(author._id.toString(), news.length);
      const guide = tour.guide._id.toString();
      ofGuides.set(guide, (ofGuides.get(guide) ?? 0) + changes.length);
      const expected = [
        ...news.map(({ explanation }) => `${author.email} ${explanation}`),
        ...changes.map(({ explanation }) => `${tour.guide.email} ${explanation}`),
      ];
      for (const { email } of await Report.find({ caseId: found?._id ?? null }).lean()) {
        // The receipt; and each decision, unless the next one came before a reporter was told.
        await check(ownerOfAddress(email!), 1 + decisions.length, decisions.length ? 2 : 1);
        if (decisions.length) expected.push(`${email} ${decisions.at(-1)!.explanation}`);
      }
      for (const one of expected) if (!arrived.has(one)) this.#untold.push(`not: ${one}`);
    }
    for (const [guide, mails] of ofGuides) await check(guide, mails);
    this.checkNone(
      report,
      "authors, guides and reporters who were told too little or too often",
      this.#untold,
      ` of ${readers}`,
    );
  }
}

const mapOf = <One extends { _id: Types.ObjectId }>(list: One[]) =>
  new Map(list.map((one) => [one._id.toString(), one]));

/** The state of a review after these decisions. */
function stateAfter(decisions: CaseDocument["decisions"]) {
  const state = { isRemoved: false, isRedacted: false };
  for (const { action } of decisions) {
    if (action === "redact") state.isRedacted = true;
    if (action === "remove") state.isRemoved = true;
    if (action === "restore") Object.assign(state, { isRemoved: false, isRedacted: false });
  }
  return state;
}
