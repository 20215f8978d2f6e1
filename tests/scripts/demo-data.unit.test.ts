import { describe, expect, it } from "vitest";
import { demoData, demoLogins } from "../../scripts/demo/index";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Moments with different seasons, weekdays, times of day and days of a changed clock. */
const MOMENTS = [
  "2026-11-21T12:07:31.000Z",
  "2027-03-28T00:30:00.000Z",
  "2027-10-31T01:30:00.000Z",
];

describe.each(MOMENTS)("demo data at %s", (moment) => {
  const now = new Date(moment);
  const { users, tours, bookings, reviews, replies } = demoData(now);
  const at = (iso: string) => new Date(iso).getTime();
  const idOf = (index: number) => users.find(({ email }) => email === demoLogins[index]!.email)!.id;

  it("has reviews after a completed booking, and replies after the review", () => {
    const lengths = new Map(tours.map((tour) => [tour.id, tour.durationMinutes * MINUTE]));
    for (const { userId, tourId, createdAt } of reviews) {
      const ends = bookings
        .filter((booking) => booking.userId === userId && booking.tourId === tourId)
        .filter(({ status }) => status === "COMPLETED")
        .map(({ date }) => at(date) + lengths.get(tourId)!);
      expect(Math.min(...ends)).toBeLessThan(at(createdAt));
    }
    const written = new Map(reviews.map(({ id, createdAt }) => [id, createdAt]));
    for (const { createdAt, reviewId } of replies)
      expect(createdAt > written.get(reviewId)!).toBe(true);
  });

  it("has no past in the future, and no next departure in the past", () => {
    for (const { createdAt } of [...reviews, ...replies]) expect(createdAt < moment).toBe(true);
    for (const { status, date } of bookings)
      if (status === "COMPLETED" || status === "NO_SHOW") expect(date < moment).toBe(true);
    for (const { date } of tours) if (date !== null) expect(date > moment).toBe(true);
  });

  it("has departures on each of the weekends to come", () => {
    const dates = tours.flatMap(({ dates = [] }) => dates);
    const first = new Date(at(moment) + 7 * 24 * HOUR - new Date(moment).getUTCDay() * 24 * HOUR);
    for (let week = 1; week < 5; week++)
      for (const weekday of [-1, 0]) {
        const day = new Date(first.getTime() + (7 * week + weekday) * 24 * HOUR);
        const on = dates.filter((date) => date.startsWith(day.toISOString().slice(0, 10)));
        expect([day, on.length > 10]).toEqual([day, true]);
      }
    for (const date of dates) expect(date > moment).toBe(true);
  });

  it("gives each log-in something to do", () => {
    const [explorer, author, guide] = [0, 1, 2].map(idOf) as [string, string, string];
    const done = new Set(
      reviews.filter(({ userId }) => userId === explorer).map(({ tourId }) => tourId),
    );
    const own = bookings.filter(({ userId }) => userId === explorer);
    const waiting = own.filter(({ status, tourId }) => status === "COMPLETED" && !done.has(tourId));
    expect(waiting).toHaveLength(5);
    expect(own.some(({ status, date }) => status === "CONFIRMED" && date > moment)).toBe(true);
    expect(own.some(({ status }) => status === "NO_SHOW")).toBe(true);

    const ages = reviews
      .filter(({ userId }) => userId === author)
      .map(({ createdAt }) => now.getTime() - at(createdAt));
    expect(ages.filter((age) => age < 23 * HOUR)).toHaveLength(2);
    expect(ages.filter((age) => age > 24 * HOUR).length).toBeGreaterThan(2);

    const led = new Set(tours.filter((tour) => tour.createdById === guide).map(({ id }) => id));
    const booked = bookings.filter(
      ({ tourId, status }) => led.has(tourId) && status === "CONFIRMED",
    );
    // Of those that began more than a day ago none is left to the guide; here the clocks may have changed meanwhile.
    const begun = booked.filter(({ date }) => date < moment);
    expect(new Set(begun.map(({ tourId }) => tourId)).size).toBe(3);
    for (const { date } of begun) expect(now.getTime() - at(date)).toBeLessThanOrEqual(25 * HOUR);
    expect(booked.some(({ date }) => date > moment)).toBe(true);
    const answered = new Set(replies.map(({ reviewId }) => reviewId));
    const low = reviews.filter(({ tourId, rating }) => led.has(tourId) && rating < 3);
    expect(low.some(({ id }) => !answered.has(id))).toBe(true);
  });
});
