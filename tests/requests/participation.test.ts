import { Types } from "mongoose";
import { beforeEach, describe, expect, it, test } from "vitest";
import { clearCaches } from "~/lib/cache.server";
import { participationInWords, participationOfTours } from "~/requests/participation.server";
import { getParticipatedTour } from "~/tours/participation.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { requestId, ReviewRequest } from "#models/review-request";
import type { TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { commandsOf } from "../support/explain";
import { as, makeTour, makeUser } from "../support/factories";
import { guideOverview } from "../support/services";

// docs/rules/review-requests.md, Participation

useDatabase();
beforeEach(clearCaches);

const DAY = 24 * 60 * 60 * 1_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);
const ids = (count: number) => Array.from({ length: count }, () => new Types.ObjectId());

/** Bookings, sent e-mails and reviews of these guests. */
async function take(
  { _id: tourId }: Pick<TourDocument, "_id">,
  {
    guests,
    asked = [],
    reviewed = [],
    date = ago(30),
    status = "COMPLETED",
  }: {
    guests: Types.ObjectId[];
    asked?: Types.ObjectId[];
    reviewed?: Types.ObjectId[];
    date?: Date | null;
    status?: string;
  },
) {
  await Booking.insertMany(guests.map((userId) => ({ userId, tourId, status, date })));
  await ReviewRequest.insertMany(
    asked.map((userId) => ({
      ...{ _id: requestId({ tourId, userId }), tourId, userId },
      ...{ departedAt: ago(30), sentAt: ago(29) },
    })),
  );
  await Review.insertMany(
    reviewed.map((userId) => ({ userId, tourId, rating: 4, createdAt: ago(1) })),
  );
}
const numbersOf = async (tour: TourDocument) =>
  (await participationOfTours([tour])).get(tour._id.toString());

it("counts each guest of the last twelve months once, and of them those who were asked and have reviewed", async () => {
  const tour = await makeTour({ date: ago(10) });
  const guests = ids(5);
  await take(tour, { guests, asked: guests.slice(0, 3), reviewed: guests.slice(0, 2) });
  await take(tour, { guests: guests.slice(0, 4), date: ago(60) });
  // Of the tour's own date.
  await take(tour, { guests: ids(1), date: null });
  // Too long ago, still to come, or never completed.
  const [former] = ids(1);
  await take(tour, { guests: [former!], asked: [former!], reviewed: [former!], date: ago(366) });
  await take(tour, { guests: ids(2), date: ago(-1) });
  await take(tour, { guests: ids(2), status: "CANCELLED" });
  // Not sent.
  const [waits] = ids(1);
  await take(tour, { guests: [waits!] });
  await ReviewRequest.create({
    ...{ _id: "waits", tourId: tour._id, userId: waits, departedAt: ago(1), dueAt: ago(-1) },
  });
  await take(await makeTour(), { guests: ids(3) });
  expect(await numbersOf(tour)).toEqual({ went: 7, asked: 3, reviewed: 2 });
  expect(await numbersOf(await makeTour())).toEqual({ went: 0, asked: 0, reviewed: 0 });
});

test.each([
  [{ went: 19, asked: 19, reviewed: 10 }, null],
  [
    { went: 20, asked: 10, reviewed: 7 },
    "In the last twelve months, 7 of about 20 guests have reviewed it.",
  ],
  [
    { went: 1_419, asked: 1_419, reviewed: 132 },
    "In the last twelve months, 132 of about 1,410 guests have reviewed it. Every guest was asked.",
  ],
  [
    { went: 1_419, asked: 1_418, reviewed: 132 },
    "In the last twelve months, 132 of about 1,410 guests have reviewed it.",
  ],
  [
    { went: 29, asked: 28, reviewed: 25 },
    "In the last twelve months, most guests have reviewed it.",
  ],
])("%j is said in words", (numbers, words) => {
  expect(participationInWords(numbers)).toBe(words);
});

describe("without SHOW_PARTICIPATION", () => {
  it("only the tour's guide and the platform learn the numbers", async () => {
    const tour = await makeTour();
    await take(tour, { guests: ids(2) });
    const read = async (caller: { id: string } | null, isService = false) =>
      (await getParticipatedTour(tour._id.toString(), { caller, isService })).participation;
    const numbers = { went: 2, asked: 0, reviewed: 0 };
    expect(await read(null)).toBeNull();
    expect(await read(as(await makeUser()))).toBeNull();
    expect(await read({ id: tour.createdById.toString() })).toEqual(numbers);
    expect(await read(null, true)).toEqual(numbers);
  });
});

it("is on the guide's page, by one command however many tours there are", async () => {
  const guide = await makeUser();
  const tours: TourDocument[] = [];
  for (let n = 0; n < 12; n++)
    tours.push(await makeTour({ createdById: guide._id, date: ago(5), title: `Tour ${n}` }));
  for (const tour of tours) await take(tour, { guests: ids(3) });
  const { tours: shown } = await guideOverview(as(guide));
  expect(shown.items.map(({ participation }) => participation.went)).toEqual(Array(12).fill(3));
  clearCaches();
  const sent = await commandsOf(async () => {
    for (let n = 0; n < 2; n++) await participationOfTours(tours);
  });
  expect(sent).toHaveLength(1);
});
