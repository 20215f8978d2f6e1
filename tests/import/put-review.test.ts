import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteAccount } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { findUser } from "~/accounts/users.server";
import { putRecords, readBodyOfRecords } from "~/import/put-records.server";
import { listChanges } from "~/reviews/list-changes.server";
import { checkRatings } from "~/reviews/ratings.server";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import { makeBookedExplorer, makeReview, makeTour, makeUser, PASSWORD } from "../support/factories";

// Reviews among the records of POST /api/records.

useDatabase();

let tour: TourDocument;
let ann: UserDocument;
beforeEach(async () => {
  tour = await makeTour();
  ann = await makeUser();
});

const newId = () => new Types.ObjectId().toString();

const record = (fields: object = {}) => ({
  ...{ type: "reviews", id: newId(), userId: ann._id.toString(), tourId: tour._id.toString() },
  ...{ rating: 4, comment: "A fine walk.", createdAt: "2021-05-01T09:30:00.000Z" },
  ...fields,
});

async function put(...records: object[]) {
  const sent = readBodyOfRecords(JSON.stringify(records));
  await putRecords(sent);
  return sent.map(({ result }) => result.result ?? result.error);
}

describe("a review that was written elsewhere", () => {
  test("is stored with its time, counts, and stays where it is sent again", async () => {
    const guest = await makeBookedExplorer(tour);
    const [one, other] = [record(), record({ userId: guest._id.toString(), rating: 5 })];
    expect(await put(one, other, one)).toEqual(["created", "created", "unchanged"]);
    expect(await Review.findById(one.id).lean()).toMatchObject({
      ...{ rating: 4, comment: "A fine walk.", createdAt: new Date(one.createdAt) },
      ...{ userId: ann._id, tourId: tour._id },
    });
    expect(await Review.findById(other.id).lean()).toMatchObject({ verified: true });
    const rated = () => Tour.findById(tour._id).lean();
    expect(await rated()).toMatchObject({ avgRating: 4.5, reviewCount: 2 });
    expect(await put({ ...one, rating: 1, comment: null })).toEqual(["changed"]);
    expect(await rated()).toMatchObject({ avgRating: 3, reviewCount: 2 });
    expect(await checkRatings()).toEqual([]);
    const { changes } = await listChanges(tour._id.toString(), {});
    expect(changes.map(({ type, stars }) => [type, stars])).toEqual([
      ["imported", 4],
      ["imported", 5],
      ["imported", 1],
    ]);
  });

  test("moves to another tour, and both have their ratings", async () => {
    const other = await makeTour();
    const one = record();
    expect(await put(one, { ...one, tourId: other._id.toString() })).toEqual([
      "created",
      "changed",
    ]);
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ avgRating: 0, reviewCount: 0 });
    expect(await Tour.findById(other._id).lean()).toMatchObject({ avgRating: 4, reviewCount: 1 });
  });

  test("is refused in the words of an import", async () => {
    await makeReview(ann, tour);
    const unknown = newId();
    const later = new Date(Date.now() + 60_000).toJSON();
    const guide = tour.createdById.toString();
    const stranger = (await makeUser())._id.toString();
    for (const [fields, error] of [
      [{}, "tourId: is reviewed by this user already"],
      [{ userId: guide }, "userId: is the guide of this tour"],
      [{ userId: unknown }, `userId: there is no user ${unknown}`],
      [{ userId: stranger, tourId: unknown }, `tourId: there is no tour ${unknown}`],
      [{ userId: stranger, createdAt: later }, "createdAt: must not be in the future"],
      [{ userId: stranger, rating: 6 }, "rating: must be an integer from 1 to 5"],
    ] as const)
      expect(await put(record(fields))).toEqual([error]);
    expect(await Review.countDocuments()).toBe(1);
  });

  test("does not come back where it was removed, or its author's account deleted", async () => {
    await RemovedReview.collection.insertOne({
      _id: new Types.ObjectId(),
      tourId: tour._id,
      userId: ann._id,
    });
    expect(await put(record())).toEqual(["This review was removed here"]);
    const guest = await makeUser();
    const user = (await findUser(guest._id.toString()))!;
    await deleteAccount(user, { password: PASSWORD });
    await continueDeletions();
    expect(await put(record({ userId: user.id }))).toEqual(["This account was deleted here"]);
  });
});
