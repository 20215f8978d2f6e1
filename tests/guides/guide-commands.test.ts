import { Types } from "mongoose";
import { expect, it } from "vitest";
import { noteVisit } from "~/guides/guide-visits.server";
import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { Completion } from "#models/completion";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { commandsOf } from "../support/explain";
import { as, makeTour, makeUser } from "../support/factories";
import { guideOverview } from "../support/services";

// How often the page of a guide asks the database, whatever they lead.

useDatabase();

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(Date.now() - ms);
const id = () => new Types.ObjectId();
const times = <Item>(length: number, item: (n: number) => Item) =>
  Array.from({ length }, (_, n) => item(n));

interface Feedback {
  /** Whether the nth newest review of a tour has a comment. */
  isCommented?: (n: number) => boolean;
  /** How many of the newest reviews are answered. */
  answered?: number;
}

const twoOfThree = (n: number) => n % 3 !== 0;

/** A guide of so many tours, each with that many reviews and departures in each state. */
async function scene(
  tours: number,
  reviews: number,
  { isCommented = twoOfThree, answered = 5 }: Feedback = {},
) {
  const guide = await makeUser();
  const first = await makeTour({ createdById: guide._id, reviewCount: reviews });
  const { slug, ...like } = first;
  const others = times(tours - 1, (n) => ({ ...like, _id: id(), slug: `${slug}-${n}` }));
  if (others.length > 0) await Tour.collection.insertMany(others);
  const led = [first._id, ...others.map(({ _id }) => _id)];
  const rows = led.flatMap((tourId, t) =>
    times(reviews, (n) => ({
      ...{ _id: id(), tourId, userId: id(), rating: 1 + (n % 5) },
      ...{ comment: isCommented(n) ? "Fine." : null, createdAt: ago((t + n * 7) * HOUR) },
    })),
  );
  await Review.collection.insertMany(rows);
  const byTime = rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  await Reply.collection.insertMany(
    byTime.slice(0, answered).map(({ _id, tourId, createdAt }) => ({
      ...{ _id, tourId, userId: guide._id, text: "Thank you.", createdAt },
    })),
  );
  const dates = [ago(2 * HOUR), ago(-DAY), ago(3 * DAY)];
  const bookings = led.flatMap((tourId) =>
    dates.flatMap((date) =>
      times(3, () => ({
        ...{ _id: id(), tourId, userId: id(), date },
        status: date === dates[2] ? "COMPLETED" : "CONFIRMED",
      })),
    ),
  );
  await Booking.collection.insertMany(bookings);
  const said = { bookingId: id(), userId: id(), tourId: led[0], guideId: guide._id, at: ago(DAY) };
  await Absence.collection.insertMany(
    times(3, () => ({ ...said, _id: id(), bookingId: id(), objectedAt: ago(HOUR) })),
  );
  await Completion.create({
    ...{ tourId: led[0], date: ago(2 * HOUR), completed: [id()], absent: [] },
    completedAt: ago(1_000),
  });
  return as(guide);
}

it.each([
  [1, 3],
  [1, 800],
  [500, 3],
])(
  "of a guide of %i tours with %i reviews each takes twenty commands at most",
  async (tours, reviews) => {
    const guide = await scene(tours, reviews);
    const sent = await commandsOf(async () => {
      const { figures, reviews: page, departures, objections } = await guideOverview(guide);
      expect(figures).toMatchObject({
        open: tours,
        unanswered: tours * reviews - Math.min(5, tours * reviews),
      });
      expect(page.items).toHaveLength(Math.min(20, tours * reviews));
      expect(departures.open.items[0]!.bookings).toHaveLength(3);
      expect(objections).toHaveLength(3);
      await noteVisit(guide);
    });
    expect(sent.length, sent.join()).toBeLessThanOrEqual(20);
  },
);

it.each<[string, number, number, Feedback]>([
  ["the newest have no comment", 500, 3, { isCommented: (n) => n > 1 }],
  ["none has a comment", 500, 3, { isCommented: () => false }],
  ["600 of the newest are answered", 500, 3, { answered: 600 }],
  ["all are answered", 1, 600, { answered: 600 }],
])("takes twenty commands at most on a first page and the next when %s", async (...given) => {
  const [, tours, reviews, feedback] = given;
  const guide = await scene(tours, reviews, feedback);
  for (let after: string | undefined, page = 1; page <= 2; page++) {
    const sent = await commandsOf(async () => {
      after = (await guideOverview(guide, { after })).reviews.next!;
    });
    expect(after).toEqual(expect.any(String));
    expect(sent.length, sent.join()).toBeLessThanOrEqual(20);
  }
});

it("the ratings over time are read once for each state of the tours", async () => {
  const guide = await scene(2, 10);
  const ask = async () => (await commandsOf(() => guideOverview(guide))).length;
  const versions = (ratingsVersion: number) => Tour.updateMany({}, { ratingsVersion });
  await versions(1);
  const first = await ask();
  const second = await ask();
  expect(second).toBeLessThan(first);
  await versions(2);
  expect(await ask()).toBe(second + 1);
});
