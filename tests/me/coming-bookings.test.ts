import { Types } from "mongoose";
import { expect, it } from "vitest";
import { comingBookings } from "~/me/coming-bookings.server";
import { CONFIRMED } from "#models/booking";
import { useDatabase } from "../support/database";
import { as, makeBooking, makeTour, makeUser } from "../support/factories";
import { setTime } from "../support/time";

useDatabase();
const NOW = new Date("2026-05-20T12:00:00Z");
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 60 * 60 * 1_000);

it("bookings to come are confirmed, later than now, the soonest first and each once", async () => {
  const ann = await makeUser();
  const [late, soon, undated, over] = [
    await makeTour({ title: "Late", date: inHours(1) }),
    await makeTour({ title: "Soon", timeZone: "Asia/Tokyo" }),
    await makeTour({ title: "Undated", date: inHours(30) }),
    await makeTour({ title: "Over", date: inHours(-1) }),
  ];
  const book = (tour: { _id: Types.ObjectId }, date: Date | null, status = CONFIRMED) =>
    makeBooking(ann, tour, { date, status });
  await book(late, inHours(50));
  await book(soon, inHours(20));
  await book(soon, inHours(20));
  await book(undated, null);
  await book(over, null);
  await book(over, inHours(0));
  await book(late, inHours(5), "COMPLETED");
  await book(late, inHours(5), "CANCELLED");
  await book({ _id: new Types.ObjectId() }, inHours(5));
  await makeBooking(await makeUser(), soon, { date: inHours(3), status: CONFIRMED });
  setTime(NOW);
  expect(await comingBookings(as(ann))).toEqual([
    { title: "Soon", slug: soon.slug, date: inHours(20).toISOString(), timeZone: "Asia/Tokyo" },
    { title: "Undated", slug: undated.slug, date: inHours(30).toISOString(), timeZone: "UTC" },
    { title: "Late", slug: late.slug, date: inHours(50).toISOString(), timeZone: "UTC" },
  ]);
});
