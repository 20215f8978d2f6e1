import { describe, expect, test } from "vitest";
import { postReview } from "~/reviews/post.server";
import { checkRatings } from "~/reviews/ratings.server";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { useCrashing } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

type Operation = "create" | "update" | "delete";

const runUntil = useCrashing();

describe("a process killed before any write of a change leaves all of it or nothing", () => {
  test.each<Operation>(["create", "update", "delete"])("%s", async (operation) => {
    const outcomes: boolean[] = [];
    let ended: "killed" | "done" = "killed";
    for (let nth = 1; ended === "killed"; nth++) {
      // A tour of its own: a server may hold an abandoned transaction's claim for a while.
      const tour = await makeTour();
      await makeReview(await makeUser(), tour, { rating: 1 });
      const ann = await makeBookedExplorer(tour);
      const creates = operation === "create";
      const review = creates ? null : await makeReview(ann, tour, { rating: 5, comment: "old" });
      ended = await runUntil(
        operation,
        [ann._id.toString(), tour._id.toString(), review?._id.toString() ?? ""],
        nth,
      );

      expect(await checkRatings(), `${operation}, killed before write ${nth}`).toEqual([]);
      const mine = await Review.findOne({ tourId: tour._id, userId: ann._id }).lean();
      const happened = {
        create: mine !== null,
        update: mine?.rating === 2,
        delete: mine === null,
      }[operation];
      if (creates) {
        expect(await Notification.countDocuments({ "inputs.tourSlug": tour.slug })).toBe(
          happened ? 1 : 0,
        );
        expect(await IdempotencyKey.countDocuments({ userId: ann._id })).toBe(happened ? 1 : 0);
        const body = { tourId: tour._id.toString(), rating: 3, comment: "new" };
        const again = await postReview(as(ann), body, { key: "key" });
        // A machine under load may lose the answer to the second commit: that is a replay, too.
        if (happened) expect(again.replayed).toBe(true);
        expect(await Review.countDocuments({ tourId: tour._id, userId: ann._id })).toBe(1);
      }
      if (operation === "update") expect(mine!.comment).toBe(happened ? "new" : "old");
      outcomes.push(happened);
    }
    // It was killed at every place before its commit, and then ran through.
    expect(outcomes.length).toBeGreaterThan(3);
    expect(outcomes.indexOf(true)).toBe(outcomes.length - 1);
  });
});
