import { describe, expect, test } from "vitest";
import { checkRatings, storedRatings } from "~/store/reviews/ratings.server";
import { Decision } from "../../models/decision";
import { Notification } from "../../models/notification";
import { Operator } from "../../models/operator";
import { RemovedReview } from "../../models/removed-review";
import { Reply } from "../../models/reply";
import { Review } from "../../models/review";
import { Tour } from "../../models/tour";
import { User } from "../../models/user";
import { call, sessionOf, tokenOf } from "../support/app";
import { addressOf, caseOf, makeCaseScene, report } from "../support/cases";
import {
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { freshRatings } from "../support/ratings";
import { useTwoApps } from "../support/two-apps";

const either = useTwoApps();

describe("two server processes", () => {
  test("12 posts of one pair at once make one review and one notification", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    const token = await tokenOf(ann);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        call(either(), "POST", "/api/reviews", {
          token,
          body: { tourId: tour._id.toString(), rating: 5 },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      answers.filter(
        ({ status, json }) =>
          status === 400 && json?.error === "You have already reviewed this tour",
      ),
    ).toHaveLength(11);
    expect(await Review.countDocuments()).toBe(1);
    expect(await Notification.countDocuments()).toBe(1);
    expect(storedRatings(await Tour.findById(tour._id).lean())).toEqual(
      await freshRatings(tour._id),
    );
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
          call<{ review: { id: string } }>(either(), "POST", "/api/reviews", {
            token,
            body: { tourId, rating },
          });
        const created = await post((n % 5) + 1);
        const path = `/api/reviews/${created.json?.review.id}`;
        const edited = await call(either(), "PATCH", path, {
          token,
          body: { rating: ((n + 2) % 5) + 1 },
        });
        const seen = [created.status, edited.status];
        if (n % 3 === 0) seen.push((await call(either(), "DELETE", path, { token })).status);
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

  test("replies against deletions of the review, and new posts: no reply without its review", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const guideToken = await tokenOf(guide);
    const tourId = tour._id.toString();
    const explorers = await Promise.all(
      Array.from({ length: 12 }, async () => tokenOf(await makeBookedExplorer(tour))),
    );
    const statuses = await Promise.all(
      explorers.map(async (token, n) => {
        const body = { tourId, rating: (n % 5) + 1 };
        const created = await call<{ review: { id: string } }>(either(), "POST", "/api/reviews", {
          ...{ token, body },
        });
        const path = `/api/reviews/${created.json!.review.id}`;
        const reply = (text: string) =>
          call(either(), "PUT", `${path}/reply`, { token: guideToken, body: { text } });
        const [first, deleted, second] = await Promise.all([
          reply("one"),
          n % 2 ? call(either(), "DELETE", path, { token }) : null,
          reply("two"),
        ]);
        return [first.status, second.status, deleted?.status];
      }),
    );
    for (const [n, [first, second, deleted]] of statuses.entries()) {
      expect(deleted).toBe(n % 2 ? 200 : undefined);
      for (const status of [first, second]) expect(n % 2 ? [200, 404] : [200]).toContain(status);
    }
    const left = await Review.distinct("_id");
    expect(left).toHaveLength(6);
    expect((await Reply.distinct("_id")).map(String).sort()).toEqual(left.map(String).sort());
    const stored = (await Tour.findById(tour._id).lean())!;
    expect(storedRatings(stored)).toEqual(await freshRatings(tour._id));
    // Each is told of once.
    const mails = await Notification.countDocuments({ kind: "account" });
    expect(mails).toBeGreaterThanOrEqual(6);
    expect(mails).toBeLessThanOrEqual(12);
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
          call(either(), "POST", `/operator/cases/${found._id.toString()}`, {
            cookie,
            raw: new URLSearchParams({
              ...{
                version: "1",
                tag: found.tag,
                action,
                explanation: "By the rule.",
                reference: "",
              },
              ground: action === "keep" ? "allowed" : "hateful",
            }),
          });
        const path = `/api/reviews/${review._id.toString()}`;
        const others = [
          () => call(either(), "PATCH", path, { token, body: { rating: 3, comment: "Other." } }),
          () => call(either(), "DELETE", path, { token }),
          () =>
            call(either(), "POST", "/api/reviews", {
              ...{ token, body: { tourId: tour._id.toString(), rating: 5 } },
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
});
