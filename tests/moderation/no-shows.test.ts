import { expect, it } from "vitest";
import { noShowsByGuide } from "~/moderation/figures/no-shows.server";
import { MOST_BOOKINGS } from "~/moderation/labels";
import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { useDatabase } from "../support/database";
import { makeAbsence, makeBooking, makeTour, makeUser } from "../support/factories";

// docs/rules/bookings.md, No-shows: what operators see of them.

useDatabase();

const DAY = 24 * 60 * 60 * 1_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);

async function makeGuide(name: string) {
  const guide = await makeUser({ name });
  return {
    guide,
    tours: [
      await makeTour({ createdById: guide._id }),
      await makeTour({ createdById: guide._id }),
    ] as const,
  };
}

it("lists guides by objections, then by no-shows, with the bookings of twelve months", async () => {
  const [gwen, hugo, ivan] = [
    await makeGuide("Gwen"),
    await makeGuide("Hugo"),
    await makeGuide("Ivan"),
  ];
  const ann = await makeUser();
  for (const tour of gwen.tours) await makeAbsence(ann, tour);
  await makeAbsence(ann, hugo.tours[1], { objectedAt: ago(0) });
  // Can still be undone; is too long ago.
  await makeAbsence(ann, gwen.tours[0], { at: ago(0), tellAt: ago(-1) });
  await makeAbsence(ann, ivan.tours[0], { at: ago(400) });
  await makeBooking(ann, gwen.tours[0], { date: ago(30) });
  await makeBooking(ann, gwen.tours[1]);
  for (const other of [{ status: "CANCELLED" }, { status: "CONFIRMED" }, { date: ago(400) }])
    await makeBooking(ann, gwen.tours[0], { date: ago(30), ...other });
  const [first, second, ...others] = await noShowsByGuide();
  const guideId = hugo.guide._id.toString();
  expect(first).toEqual({ guideId, name: "Hugo", noShows: 1, objections: 1, bookings: 1 });
  // The booking that can still become confirmed again is one, too.
  expect(second).toMatchObject({ name: "Gwen", noShows: 2, objections: 0, bookings: 5 });
  expect(others).toEqual([]);
});

it("counts no guide whose account is gone, and not beyond what is shown", async () => {
  const { guide, tours } = await makeGuide("Gwen");
  const ann = await makeUser();
  await makeAbsence(ann, tours[0]);
  const gone = await makeAbsence(ann, await makeTour());
  await Absence.updateOne({ _id: gone._id }, { $unset: { guideId: true } });
  const booking = () => ({
    userId: ann._id,
    tourId: tours[1]._id,
    status: "COMPLETED",
    date: ago(1),
  });
  await Booking.insertMany(Array.from({ length: MOST_BOOKINGS + 5 }, booking));
  expect(await noShowsByGuide()).toMatchObject([
    { guideId: guide._id.toString(), noShows: 1, bookings: MOST_BOOKINGS },
  ]);
});
