import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ownerOfAddress } from "~/mail/outbox.server";
import { statementToken } from "~/moderation/links.server";
import { appeal } from "~/moderation/case-page.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { getCase } from "~/moderation/cases.server";
import { casePath } from "~/moderation/labels";
import { checkRatings, storedRatings } from "~/reviews/ratings.server";
import { Decision } from "#models/decision";
import { Notification } from "#models/notification";
import { Operator } from "#models/operator";
import { RemovedReview } from "#models/removed-review";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { call, sessionOf, tokenOf } from "../support/app";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";
import {
  as,
  freshRatings,
  makeBookedExplorer,
  makeBooking,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { type Options, useTwoApps } from "../support/shared-app";

const either = useTwoApps();

/** As clients do: an answer with `Retry-After` promises that nothing was stored, and the request is sent again. */
async function ask<Body = { error?: string }>(method: string, path: string, options: Options) {
  while (true) {
    const answer = await call<Body>(either(), method, path, options);
    if (answer.status < 500 || !answer.headers.has("retry-after")) return answer;
  }
}

/** Waits until the guide's e-mail about a review waits no more. */
const isSent = (id: string) =>
  vi.waitFor(
    async () => expect(await Notification.exists({ _id: id, state: "pending" })).toBeNull(),
    { timeout: 10_000 },
  );

describe("two server processes", () => {
  test("12 posts and 12 inserts of the platform of one pair at once make one review", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    const pair = { tourId: tour._id, userId: ann._id };
    const token = await tokenOf(ann);
    const post = () =>
      call(either(), "POST", "/api/reviews", {
        token,
        body: { tourId: tour._id.toString(), rating: 5 },
      });
    const insert = () =>
      Review.collection.insertOne({ ...pair, rating: 4, comment: null, createdAt: new Date() });
    const made = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const [{ status, json }, inserted] = await Promise.all([
          post(),
          insert().then(
            () => true,
            () => false,
          ),
        ]);
        expect([201, 400]).toContain(status);
        if (status === 400) expect(json!.error).toBe("You have already reviewed this tour");
        return Number(status === 201) + Number(inserted);
      }),
    );
    expect(made.reduce((sum, count) => sum + count)).toBe(1);
    expect(await Review.countDocuments(pair)).toBe(1);
    expect(await Notification.countDocuments()).toBeLessThanOrEqual(1);
    expect(storedRatings(await Tour.findById(tour._id).lean()).reviewCount).toBeLessThanOrEqual(1);
  });

  test("50 explorers create, edit and delete on one tour: aggregates are exact", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const explorers = await User.insertMany(
      Array.from({ length: 50 }, (_, n) => ({ name: `E${n}`, email: `e${n}@races.test` })),
    );
    await Promise.all(explorers.map((explorer) => makeBooking(explorer, tour)));
    const tokens = await Promise.all(explorers.map((explorer) => tokenOf(explorer)));
    const tourId = tour._id.toString();

    const statuses = await Promise.all(
      tokens.map(async (token, n) => {
        const post = (rating: number) =>
          ask<{ review: { id: string } }>("POST", "/api/reviews", {
            token,
            body: { tourId, rating },
          });
        const created = await post((n % 5) + 1);
        expect(created.status, created.text).toBe(201);
        const path = `/api/reviews/${created.json?.review.id}`;
        const edited = await ask("PATCH", path, { token, body: { rating: ((n + 2) % 5) + 1 } });
        const seen = [created.status, edited.status];
        // A deletion would take with it an e-mail that was not sent yet.
        if (n % 3 === 0) await isSent(created.json!.review.id);
        if (n % 3 === 0) seen.push((await ask("DELETE", path, { token })).status);
        if (n % 6 === 0) seen.push((await post(5)).status);
        return seen;
      }),
    );
    expect(statuses).toEqual(
      statuses.map((_, n) => [
        201,
        200,
        ...(n % 3 === 0 ? [200] : []),
        ...(n % 6 === 0 ? [201] : []),
      ]),
    );
    const fresh = await freshRatings(tour._id);
    expect(fresh.reviewCount).toBe(50 - 17 + 9);
    const stored = (await Tour.findById(tour._id).lean())!;
    expect(storedRatings(stored)).toEqual(fresh);
    // One version per change, and none lost: 50 creates, 50 edits, 17 deletes, 9 creates.
    expect(stored.ratingsVersion).toBe(50 + 50 + 17 + 9);
    expect(await Notification.countDocuments()).toBe(59);
    expect(await checkRatings()).toEqual([]);
  });

  test("decisions against edits, deletions, posts, and each other: all or nothing, and an exact mean", async () => {
    const { tour, operator } = await makeCaseScene();
    const second = await makeUser({ name: "Otto Operator" });
    await Operator.create({ _id: second._id, since: new Date() });
    const cookies = [await sessionOf(operator), await sessionOf(second)];
    const ROUNDS = 12;
    const statuses = await Promise.all(
      Array.from({ length: ROUNDS }, async (_, n) => {
        const author = await makeBookedExplorer(tour);
        const token = await tokenOf(author);
        const review = await makeReview(author, tour, { rating: (n % 5) + 1, comment: "Words." });
        await report(addressOf(review));
        const found = await caseOf(review);
        const decide = (action: string, cookie: string) =>
          ask("POST", `/operator/cases/${found._id.toString()}`, {
            cookie,
            raw: new URLSearchParams({
              version: "1",
              tag: `${found.tag} `,
              reports: "1",
              appeals: "0",
              action,
              explanation: "By the rule.",
              reference: "",
              ground: action === "keep" ? "allowed" : "hateful",
            }),
          });
        const path = `/api/reviews/${review._id.toString()}`;
        const others = [
          () => ask("PATCH", path, { token, body: { rating: 3, comment: "Other." } }),
          () => ask("DELETE", path, { token }),
          () =>
            ask("POST", "/api/reviews", {
              token,
              body: { tourId: tour._id.toString(), rating: 5 },
            }),
        ];
        const answers = await Promise.all([
          decide(n % 2 ? "remove" : "redact", cookies[0]!),
          decide(n % 3 ? "keep" : "remove", cookies[1]!),
          others[n % 3]!(),
        ]);
        return { reviewId: review._id, author, statuses: answers.map(({ status }) => status) };
      }),
    );
    for (const {
      reviewId,
      author,
      statuses: [first, other, third],
    } of statuses) {
      // At most one operator has decided; the other one looks again. An edit may have come before both.
      expect([first, other].filter((status) => status === 302).length).toBeLessThanOrEqual(1);
      for (const status of [first, other]) expect([302, 400, 403, 412]).toContain(status);
      expect([200, 400, 404]).toContain(third);
      const there = [
        await Review.countDocuments({ _id: reviewId }),
        await RemovedReview.countDocuments({ _id: reviewId, review: { $ne: null } }),
      ];
      expect(there[0]! + there[1]!).toBeLessThanOrEqual(1);
      // Its author has one review or none, and none beside a removed one.
      const pair = { tourId: tour._id, userId: author._id };
      expect(
        (await Review.countDocuments(pair)) + (await RemovedReview.countDocuments(pair)),
      ).toBeLessThanOrEqual(1);
      const { decisions } = await caseOf({ _id: reviewId });
      expect(decisions).toHaveLength([first, other].filter((status) => status === 302).length);
      expect(await Decision.countDocuments({ reviewId })).toBe(decisions.length);
    }
    const stored = (await Tour.findById(tour._id).lean())!;
    expect(storedRatings(stored)).toEqual(await freshRatings(tour._id));
    expect(stored.removedReviews).toBe(await RemovedReview.countDocuments({ tourId: tour._id }));
    expect(await checkRatings()).toEqual([]);
  });

  test("appeals, second decisions, posts and deletions for good: one after another, and nobody is told less", async () => {
    const { guide, operator } = await makeCaseScene();
    const others = [await makeUser({ name: "Otto" }), await makeUser({ name: "Oda" })];
    await Operator.insertMany(others.map(({ _id }) => ({ _id, since: new Date() })));
    const cookies = await Promise.all(others.map(sessionOf));
    const BEGIN_MS = 40;
    const FIRST = ["remove", "keep", "redact", "remove"] as const;
    const scenes = await Promise.all(
      Array.from({ length: 2 * FIRST.length }, async (_, n) => {
        const tour = await makeTour({ createdById: guide._id });
        const author = await makeBookedExplorer(tour);
        await makeReview(await makeUser(), tour, { rating: 5 });
        const { _id } = await makeReview(author, tour, { rating: 1, comment: "Words." });
        const review = (await Review.findById(_id).lean())!;
        const emails = [`a${n}@races.test`, `b${n}@races.test`];
        const links = await Promise.all(
          emails.map((email) => report(addressOf(review), { email })),
        );
        const first = FIRST[n % FIRST.length]!;
        await decideAs(operator, await caseOf(review), { action: first });
        const { _id: caseId } = await caseOf(review);
        const { tag } = await getCase(as(operator), caseId.toString());
        const ofAuthor = statementToken(caseId);
        // In half of the cases an appeal waits already.
        const waits = n < FIRST.length;
        if (waits) await appeal(ofAuthor, { words: "No." }, `203.0.113.${n}`);
        const token = await tokenOf(author);
        return {
          n,
          tour,
          author,
          token,
          review,
          emails,
          links,
          ofAuthor,
          waits,
          first,
          caseId,
          tag,
        };
      }),
    );
    await continueCases();

    const race = async ({
      n,
      tour,
      token,
      links,
      ofAuthor,
      waits,
      first,
      caseId,
      tag,
    }: (typeof scenes)[number]) => {
      const send = async (path: string, fields: Record<string, string>, cookie?: string) => {
        const raw = new URLSearchParams(fields);
        const { status } = await ask("POST", path, { raw, ...(cookie && { cookie }) });
        return status;
      };
      const words = { intent: "appeal", words: "Think again." };
      // As they see it after one appeal: two reports, a decision and the appeal.
      const seen = { version: "3", tag, reports: "2", appeals: "1", reference: "" };
      const decide = (action: string, isDown: boolean, cookie: string) =>
        send(
          `/operator/cases/${caseId.toString()}`,
          { ...seen, action, ground: isDown ? "hateful" : "allowed", explanation: "By rule." },
          cookie,
        );
      const wasKept = first === "keep";
      // Some come before the decisions, some meanwhile, some after them.
      const later = () => delay(BEGIN_MS * (n % FIRST.length));
      const [byReporter, byAnother, reversed, kept, deleted, posted] = await Promise.all([
        later().then(() => send(casePath(links[0]!), words)),
        // The same once more, or the other party.
        waits
          ? later().then(() => send(casePath(links[0]!), words))
          : send(casePath(ofAuthor), words),
        delay(waits ? 0 : BEGIN_MS).then(() =>
          decide(wasKept ? "remove" : "restore", wasKept, cookies[0]!),
        ),
        delay(waits ? 0 : BEGIN_MS).then(() => decide("keep", !wasKept, cookies[1]!)),
        first === "remove" && n % 2
          ? send(casePath(ofAuthor), { intent: "delete", sure: "yes" })
          : 0,
        ask("POST", "/api/reviews", {
          token,
          body: { tourId: tour._id.toString(), rating: 5 },
        }),
      ]);
      expect(posted.status).toBe(400);
      for (const status of [reversed, kept]) expect([302, 400, 403, 412]).toContain(status);
      const done = (status: number) => (status === 302 ? 1 : 0);
      const both = done(byReporter) + done(byAnother);
      if (waits) expect(both).toBeLessThanOrEqual(1);
      return {
        reporters: waits ? both : done(byReporter),
        appeals: waits ? 1 + both : both,
        decisions: 1 + done(reversed) + done(kept),
        isDeleted: deleted === 302,
      };
    };
    const outcomes: Awaited<ReturnType<typeof race>>[] = [];
    // One after another: all at once, every decision would come last.
    for (const scene of scenes) outcomes.push(await race(scene));
    await continueCases();

    for (const [n, { reporters, isDeleted, ...numbers }] of outcomes.entries()) {
      const { tour, review, author, first, emails } = scenes[n]!;
      const { _id: caseId, ...found } = await caseOf(review);
      const { state, version, decisions, appeals } = found;
      expect({ appeals: appeals.length, decisions: decisions.length }).toEqual(numbers);
      // Each decision has taken its turn, and the first appeal.
      expect(version).toBeGreaterThanOrEqual(1 + decisions.length + Math.min(1, appeals.length));
      const last = decisions.at(-1)!;
      // The second one was made by somebody who had seen just one appeal; every other one waits.
      expect(state).toBe(appeals.length === decisions.length - 1 ? "decided" : "appealed");
      if (state === "decided") expect(appeals.filter(({ at }) => at > last.at)).toEqual([]);
      expect(found.endsAt !== undefined).toBe(state === "decided");
      const appealed = await Report.find({ caseId, appealedAt: { $exists: true } });
      expect(appealed).toHaveLength(reporters);
      const rows = await Decision.find({ caseId }).sort({ at: 1 }).lean();
      const inLog = rows.map(({ _id, action, onAppeal }) => ({ _id, action, onAppeal }));
      expect(decisions).toMatchObject(inLog);
      expect(decisions).toHaveLength(inLog.length);

      const shown = await Review.findById(review._id).lean();
      const removed = await RemovedReview.findById(review._id).lean();
      const isRemoved = last.action === "remove" || (first === "remove" && last.action === "keep");
      expect({ shown: shown !== null, removed: removed !== null }).toEqual({
        shown: !isRemoved,
        removed: isRemoved,
      });
      if (isDeleted) expect(removed).toMatchObject({ review: null });
      if (last.action === "restore") expect(shown).toEqual(review);

      const mailsTo = (owner: string) => Notification.countDocuments({ kind: "account", owner });
      const news = decisions.filter(({ action, onAppeal }) => onAppeal || action !== "keep");
      expect(await mailsTo(author._id.toString())).toBe(news.length);
      // The receipt, and each decision.
      for (const email of emails)
        expect(await mailsTo(ownerOfAddress(email))).toBe(1 + decisions.length);
      const stored = (await Tour.findById(tour._id).lean())!;
      expect(storedRatings(stored)).toEqual(await freshRatings(tour._id));
      expect(stored.removedReviews).toBe(isRemoved ? 1 : 0);
    }
    const changes = await Decision.countDocuments({ action: { $ne: "keep" } });
    expect(await Notification.countDocuments({ owner: guide._id.toString() })).toBe(changes);
    expect(await checkRatings()).toEqual([]);
  });
});
