import type { Types } from "mongoose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { toCurrentUser } from "~/accounts/users.server";
import { importData } from "~/import/import.server";
import { deleteRemoved } from "~/moderation/case-page.server";
import { statementToken } from "~/moderation/links.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { changeTour } from "~/reviews/change-tour.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import { postReview } from "~/reviews/post.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { forgetReviews } from "~/reviews/record-changes.server";
import { putReply } from "~/reviews/replies/reply.server";
import { Case } from "#models/case";
import { Change } from "#models/change";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";
import { useDatabase } from "../support/database";
import { as, insertReviews, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { HOME } from "../support/services";
import { atTime } from "../support/time";
import { entriesOf, faultOf, shortEntries } from "../support/changes";

// docs/rules/reviews.md, Changes.

useDatabase();

let tour: TourDocument;
beforeEach(async () => {
  tour = await makeTour();
});

const guests = (count: number): Promise<UserDocument[]> =>
  Promise.all(Array.from({ length: count }, () => makeBookedExplorer(tour)));

const post = async (user: UserDocument, rating: number, of = tour) =>
  (await postReview(as(user), { tourId: of._id.toString(), rating })).review.id;

/** A review of an import. */
const record = (id: string, user: UserDocument, rating: number, of = tour) => ({
  id: id.repeat(24),
  userId: user._id.toString(),
  tourId: of._id.toString(),
  rating,
  createdAt: "2026-05-01T09:30:00.000Z",
});

/** Three reviews of the tour, of 5, 4 and 1 stars; the authors and the ids. */
async function three() {
  const authors = await guests(3);
  const ids: string[] = [];
  for (const [n, author] of authors.entries()) ids.push(await post(author, [5, 4, 1][n]!));
  return { authors, ids };
}

describe("each change is an entry", () => {
  it("of a post, an edit and a deletion", async () => {
    const { authors, ids } = await three();
    await editReview(as(authors[2]!), ids[2]!, { rating: 3 });
    await editReview(as(authors[1]!), ids[1]!, { comment: "Fine" });
    await deleteReview(as(authors[0]!), ids[0]!);
    expect(await shortEntries(tour)).toEqual([
      ["created", null, 5, 1, 5],
      ["created", null, 4, 2, 4.5],
      ["created", null, 1, 3, 10 / 3],
      ["edited", 1, 3, 3, 4],
      ["edited", 4, 4, 3, 4],
      ["deleted", 5, null, 2, 3.5],
    ]);
    const entries = await entriesOf(tour);
    expect(entries.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(entries[0]!.previous).toBe("0".repeat(64));
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("without words and persons", async () => {
    const { ids } = await three();
    const [entry] = await entriesOf(tour);
    const { _id, time, previous, state, ...rest } = entry!;
    expect(rest).toEqual({
      tourId: tour._id,
      version: 1,
      type: "created",
      review: expect.objectContaining({}) as Types.ObjectId,
      before: null,
      stars: 5,
      ratings: null,
      count: 1,
      mean: 5,
    });
    expect(String(rest.review)).toBe(ids[0]);
  });

  it("but an edit that changes nothing, a refused change and a reply are none", async () => {
    const { authors, ids } = await three();
    await editReview(as(authors[0]!), ids[0]!, { rating: 5 });
    await expect(post(authors[0]!, 4)).rejects.toThrow("already reviewed");
    await putReply(as({ _id: tour.createdById }), ids[0]!, { text: "Thank you." });
    expect(await entriesOf(tour)).toHaveLength(3);
  });

  it("also of changes that share a transaction, without a gap", async () => {
    const authors = await guests(20);
    await Promise.all(authors.map((author, n) => post(author, 1 + (n % 5))));
    const entries = await entriesOf(tour);
    expect(entries.map(({ version }) => version)).toEqual(authors.map((_, n) => n + 1));
    expect(entries.map(({ count }) => count)).toEqual(authors.map((_, n) => n + 1));
    expect(entries.at(-1)).toMatchObject({ mean: 3 });
    // Fewer transactions than changes.
    expect(entries.filter(({ state }) => state).length).toBeLessThan(20);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("of an operator's removal and redaction, and of what they restore", async () => {
    const { review, operator, tour } = await makeCaseScene();
    await report(addressOf(review));
    const found = await caseOf(review);
    for (const action of ["redact", "restore", "remove", "restore"]) {
      await decideAs(operator, found, { action });
      await Case.updateOne({ _id: found._id }, { state: "appealed" });
    }
    expect((await shortEntries(tour)).slice(-4)).toEqual([
      ["redacted", 1, 1, 3, 10 / 3],
      ["restored", 1, 1, 3, 10 / 3],
      ["removed", 1, null, 2, 4.5],
      ["restored", null, 1, 3, 10 / 3],
    ]);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("of an import, also in the tour that a review leaves", async () => {
    const [ann, bea] = await guests(2);
    const other = await makeTour();
    await importData({ reviews: [record("a", ann!, 5), record("b", bea!, 4)] });
    await importData({ reviews: [record("a", ann!, 2), record("b", bea!, 3, other)] });
    expect(await shortEntries(tour)).toEqual([
      ["imported", null, 5, 1, 5],
      ["imported", null, 4, 2, 4.5],
      ["imported", 5, 2, 2, 3],
      ["imported", 4, null, 1, 2],
    ]);
    expect(await shortEntries(other)).toEqual([["imported", null, 3, 1, 3]]);
    expect(await faultOf(tour)).toBeUndefined();
    expect(await faultOf(other)).toBeUndefined();
  });
});

describe("entries go on behind the last one after a platform", () => {
  const stored = async () => (await Tour.findById(tour._id).lean<TourDocument>())!;

  it.each(["put back an earlier state of the tour", "taken its last entry away"])(
    "has %s",
    async (what) => {
      await post((await guests(1))[0]!, 4);
      const { lastChange } = await stored();
      await three();
      await Tour.updateOne(
        { _id: tour._id },
        what.startsWith("put") ? { lastChange } : { $unset: { lastChange: true } },
      );
      const [late, later] = await guests(2);
      await Promise.all([post(late!, 5), post(later!, 1)]);
      expect((await entriesOf(tour)).map(({ version, type }) => [version, type])).toEqual(
        [1, 2, 3, 4, 5, 6].map((version) => [version, "created"]),
      );
      expect(await faultOf(tour)).toBeUndefined();
      expect((await stored()).lastChange).toMatchObject({ version: 6 });
    },
  );

  it("has stored something else there", async () => {
    await three();
    for (const lastChange of [
      "none",
      { version: "3" },
      { version: 2, hash: 1, state: 2, time: 3 },
    ]) {
      await Tour.collection.updateOne({ _id: tour._id }, { $set: { lastChange } });
      await post((await guests(1))[0]!, 2);
    }
    expect(await faultOf(tour)).toBeUndefined();
    expect(await entriesOf(tour)).toHaveLength(6);
  });

  it("has put back earlier states of tours that a review leaves and reaches by an import", async () => {
    const [ann] = await guests(1);
    const other = await makeTour();
    const move = (of: TourDocument, rating: number) =>
      importData({ reviews: [record("a", ann!, rating, of)] });
    await move(tour, 5);
    const { lastChange } = await stored();
    for (const [of, rating] of [
      [other, 4],
      [tour, 3],
    ] as const)
      await move(of, rating);
    for (const { _id } of [tour, other]) await Tour.updateOne({ _id }, { lastChange });
    await move(other, 2);
    expect((await shortEntries(tour)).at(-1)).toEqual(["imported", 3, null, 0, 0]);
    expect((await shortEntries(other)).at(-1)).toEqual(["imported", null, 2, 1, 2]);
    expect(await faultOf(tour)).toBeUndefined();
    expect(await faultOf(other)).toBeUndefined();
  });

  it("has put back an earlier state, by a rebuild", async () => {
    await post((await guests(1))[0]!, 4);
    const { lastChange } = await stored();
    await three();
    await Review.collection.deleteOne({ tourId: tour._id, rating: 1 });
    await Tour.updateOne({ _id: tour._id }, { lastChange });
    await rebuildRatings();
    expect((await shortEntries(tour)).at(-1)).toEqual(["rebuilt", null, null, 3, 13 / 3]);
    expect(await faultOf(tour)).toBeUndefined();
  });
});

it("the next entry shows that the last ones were taken away", async () => {
  await three();
  await Change.deleteMany({ tourId: tour._id, version: { $gt: 1 } });
  await post((await guests(1))[0]!, 5);
  expect(await faultOf(tour)).toBe("version 2 is missing");
});

it("no entry is earlier than the one before, whatever the clocks of two processes say", async () => {
  await three();
  const { lastChange } = (await Tour.findById(tour._id).lean<TourDocument>())!;
  const time = new Date(Date.now() + 60_000);
  await Tour.updateOne({ _id: tour._id }, { lastChange: { ...lastChange, time } });
  await post((await guests(1))[0]!, 5);
  expect((await entriesOf(tour)).at(-1)!.time).toEqual(time);
});

it("a tour that is gone has no new entries", async () => {
  const [ann] = await guests(1);
  const gone = await makeTour();
  const [review] = await insertReviews(gone._id, 1, () => ({ userId: ann!._id }));
  await Tour.deleteOne({ _id: gone._id });
  await editReview(as(ann!), review!._id.toString(), { rating: 3 });
  await importData({ reviews: [{ ...record("a", ann!, 5), id: review!._id.toString() }] });
  expect(await entriesOf(gone)).toEqual([]);
  expect(await shortEntries(tour)).toEqual([["imported", null, 5, 1, 5]]);
});

describe("reviews that this service has not written", () => {
  const ODD = [4.5, null, "five", 4, 4.5, 3.7];
  const odd = () => insertReviews(tour._id, ODD.length, (n) => ({ rating: ODD[n] }));

  it("are in a checkpoint before the first change", async () => {
    await odd();
    const [ann] = await guests(1);
    await post(ann!, 5);
    const [checkpoint, created] = await entriesOf(tour);
    expect(checkpoint).toMatchObject({
      version: 1,
      type: "checkpoint",
      ratings: [
        [0, 2],
        [3.7, 1],
        [4, 1],
        [4.5, 2],
      ],
      count: 6,
    });
    expect(created).toMatchObject({ version: 2, type: "created", ratings: null, count: 7 });
    expect((await Tour.findById(tour._id).lean())!.avgRating).toBe(created!.mean);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("are replayed when they are edited and deleted", async () => {
    const reviews = await odd();
    for (const n of [0, 1, 2]) {
      const { _id } = await makeUser();
      await Review.collection.updateOne({ _id: reviews[n]!._id }, { $set: { userId: _id } });
      const id = reviews[n]!._id.toString();
      if (n < 2) await editReview(as({ _id }), id, { rating: 2 });
      await deleteReview(as({ _id }), id);
    }
    expect(
      (await shortEntries(tour)).map(([type, before, stars]) => [type, before, stars]),
    ).toEqual([
      ["checkpoint", null, null],
      ["edited", 4.5, 2],
      ["deleted", 2, null],
      ["edited", 0, 2],
      ["deleted", 2, null],
      ["deleted", 0, null],
    ]);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("are an entry of their own before the next change, also where count and mean stay", async () => {
    await three();
    await Review.collection.updateOne({ tourId: tour._id, rating: 5 }, { $set: { rating: 2 } });
    await Review.collection.updateOne({ tourId: tour._id, rating: 1 }, { $set: { rating: 4 } });
    const [late] = await guests(1);
    await post(late!, 5);
    expect((await entriesOf(tour)).slice(-2)).toMatchObject([
      {
        version: 4,
        type: "platform",
        ratings: [
          [2, 1],
          [4, 2],
        ],
        count: 3,
        mean: 10 / 3,
      },
      { version: 5, type: "created", count: 4, mean: 15 / 4 },
    ]);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("are no entry where they name their tour by a text, and do not count", async () => {
    const ann = await makeUser();
    const [review] = await insertReviews(tour._id, 1, () => ({ userId: ann._id, rating: 3 }));
    const byText = { $set: { tourId: tour._id.toString() } };
    await Review.collection.updateOne({ _id: review!._id }, byText);
    await three();
    await editReview(as(ann), review!._id.toString(), { rating: 2 });
    expect((await shortEntries(tour)).map(([type]) => type)).toEqual(Array(3).fill("created"));
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("are an entry of a rebuild, and make the verifier fail until then", async () => {
    await three();
    await Review.collection.deleteOne({ tourId: tour._id, rating: 1 });
    await Tour.updateOne({ _id: tour._id }, { reviewCount: 2, avgRating: 4.5 });
    expect(await faultOf(tour)).toBe("its ratings are not those after version 3");
    await rebuildRatings();
    expect((await shortEntries(tour)).at(-1)).toEqual(["rebuilt", null, null, 2, 4.5]);
    expect(await faultOf(tour)).toBeUndefined();
    // Nothing has changed since.
    await rebuildRatings();
    expect(await entriesOf(tour)).toHaveLength(4);
  });
});

describe("the verifier names", () => {
  const entry = (version: number) => ({ tourId: tour._id, version });

  beforeEach(three);

  it("an entry that is missing", async () => {
    await Change.deleteOne(entry(2));
    expect(await faultOf(tour)).toBe("version 2 is missing");
  });

  it("a last entry that is missing", async () => {
    await Change.deleteOne(entry(3));
    expect(await faultOf(tour)).toBe("its ratings are not those after version 2");
  });

  it.each([{ stars: 5 }, { mean: 4 }])(
    "an entry with another rating or figure: %j",
    async (fields) => {
      await Change.updateOne(entry(2), { $set: fields });
      expect(await faultOf(tour)).toBe("version 2 does not lead to its count and mean");
    },
  );

  it.each([{ time: new Date(0) }, { type: "imported" }])(
    "an entry with another field: %j",
    async (fields) => {
      await Change.updateOne(entry(2), { $set: fields });
      expect(await faultOf(tour)).toBe("version 3 does not follow version 2: one was altered");
    },
  );

  it("nothing, when a change comes while it reads", async () => {
    const [late] = await guests(1);
    const find = Tour.findById.bind(Tour);
    let posted = false;
    const spy = vi.spyOn(Tour, "findById").mockImplementation(((...args: [unknown]) => {
      if (posted) return find(...args);
      posted = true;
      const later = async () => {
        await post(late!, 5);
        return find(...args).lean();
      };
      return { lean: later };
    }) as never);
    expect(await faultOf(tour)).toBeUndefined();
    spy.mockRestore();
    expect(posted).toBe(true);
  });
});

describe("after 30 days no entry has the id of a review", () => {
  const DAY_MS = 24 * 60 * 60 * 1_000;

  /** Expects so many entries of the review until then. */
  async function expectForgotten(review: Types.ObjectId | string, entries: number): Promise<void> {
    const others = () => Change.countDocuments({ review: { $exists: true, $ne: review } });
    const before = await others();
    await atTime(Date.now() + 29 * DAY_MS, forgetReviews);
    expect(await Change.countDocuments({ review })).toBe(entries);
    await atTime(Date.now() + 30 * DAY_MS, forgetReviews);
    expect(await Change.countDocuments({ review })).toBe(0);
    expect(await others()).toBe(before);
  }

  it("that its author has deleted", async () => {
    const { authors, ids } = await three();
    await editReview(as(authors[0]!), ids[0]!, { comment: "Fine" });
    const review = (await Review.findById(ids[0]).lean<ReviewDocument>())!;
    // The second and the third share a transaction.
    await Promise.all([
      changeTour(tour._id, () => Promise.resolve()),
      changeTour(tour._id, (tx) => tx.editReview(review, { rating: 2, editedAt: new Date() })),
      changeTour(tour._id, (tx) => tx.removeReview({ ...review, rating: 2 }, "deleted")),
    ]);
    const [edited, deleted] = (await entriesOf(tour)).slice(-2);
    expect([edited!.state, deleted!.time]).toEqual([undefined, edited!.time]);
    await expectForgotten(ids[0]!, 4);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("whose author has deleted the account, and the chain is whole", async () => {
    const { authors, ids } = await three();
    await deleteAccountOf(toCurrentUser(authors[0]!));
    await continueDeletions();
    expect(await User.exists({ _id: authors[0]!._id })).toBeNull();
    await expectForgotten(ids[0]!, 2);
    expect((await shortEntries(tour)).at(-1)).toEqual(["deleted", 5, null, 2, 2.5]);
    expect(await faultOf(tour)).toBeUndefined();
  });

  it("that was removed, once its author deletes it for good", async () => {
    const { review, operator } = await makeCaseScene();
    await report(addressOf(review));
    const found = await caseOf(review);
    await decideAs(operator, found, { action: "remove" });
    expect(await Change.countDocuments({ review: review._id })).toBe(1);
    await deleteRemoved(statementToken(found._id), HOME);
    await expectForgotten(review._id, 1);
  });

  it("that was removed, once its author has deleted the account", async () => {
    const { review, author, operator, tour } = await makeCaseScene();
    await report(addressOf(review));
    const found = await caseOf(review);
    await decideAs(operator, found, { action: "redact" });
    await Case.updateOne({ _id: found._id }, { state: "appealed" });
    await decideAs(operator, found, { action: "remove" });
    expect(await Change.countDocuments({ review: review._id })).toBe(2);
    await deleteAccountOf(toCurrentUser(author));
    await continueDeletions();
    await expectForgotten(review._id, 2);
    expect(await faultOf(tour)).toBeUndefined();
  });
});
