import { verify } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";

import { DEMO_PASSWORD } from "~/services/accounts/demo-log-ins.server";
import { demoData, demoLogins, type ImportFile } from "../../../scripts/demo/index";
import { demoReplies, ownReplies } from "../../../scripts/demo/replies";
import { tours as demoTours } from "../../../scripts/demo/tours";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Moments with different seasons, weekdays and times of day. */
const moments = [
  "2026-11-21T12:07:31.000Z",
  "2026-07-04T23:59:59.999Z",
  "2028-02-29T00:00:00.000Z",
  "2027-01-01T05:30:00.000Z",
  "2027-04-17T08:15:00.000Z",
  "2027-09-13T18:45:00.000Z",
];

/** The data of a moment, made once. */
const made = new Map<string, ImportFile>();
function dataAt(moment: string): ImportFile {
  const data = made.get(moment) ?? demoData(new Date(moment));
  made.set(moment, data);
  return data;
}

const groupBy = <T>(items: T[], key: (item: T) => string) => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
};

const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** The share of words that two texts have in common. */
function overlap(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / (a.size + b.size - common || 1);
}

it("gives the same data for the same moment", () => {
  for (const moment of moments) {
    expect(JSON.stringify(demoData(new Date(moment)))).toBe(JSON.stringify(dataAt(moment)));
  }
});

it("keeps ids and texts when time goes on", () => {
  const still = ({ users, tours, reviews }: ImportFile) => ({
    users,
    tours: tours.map(({ id, slug, description }) => ({ id, slug, description })),
    reviews: reviews.map(({ id, rating, comment }) => `${id} ${rating} ${comment}`).sort(),
  });
  const [first, ...others] = moments.map((moment) => still(dataAt(moment)));
  for (const other of others) expect(other).toEqual(first);
});

describe("the guides' replies", () => {
  const repliesAt = (moment: string) => demoReplies(dataAt(moment), new Date(moment));
  const [first, ...others] = moments.map(repliesAt);

  it("are the same at the same moment, and of the same texts at another one", () => {
    expect(JSON.stringify(repliesAt(moments[0]!))).toBe(JSON.stringify(first));
    const texts = (replies: typeof first) => replies!.map(({ reviewId, text }) => reviewId + text);
    for (const other of others) expect(texts(other)).toEqual(texts(first));
  });

  it("are to some 15 % of the reviews, to each once, and differ on a tour", () => {
    const { reviews } = dataAt(moments[0]!);
    const share = first!.length / reviews.length;
    expect(share).toBeGreaterThan(0.13);
    expect(share).toBeLessThan(0.17);
    expect(new Set(first!.map(({ reviewId }) => reviewId)).size).toBe(first!.length);
    const onTours = first!.map(({ tourId, text }) => `${tourId} ${text}`);
    expect(new Set(onTours).size).toBe(first!.length);
    for (const same of groupBy(first!, ({ text }) => text).values())
      expect(same.length).toBeLessThanOrEqual(3);
    for (const { text } of first!) expect(text).toMatch(/^\S([^{}]*\S)?$/);
  });

  it("answer the comments that they were written for", () => {
    const { reviews } = dataAt(moments[0]!);
    for (const [comment, text] of ownReplies) {
      const { reviewId } = first!.find((reply) => reply.text === text) ?? {};
      expect(reviews.find(({ id }) => id === reviewId)?.comment, text).toContain(comment);
    }
  });

  it.each(moments)("are by the tour's guide, after the review and not after %s", (moment) => {
    const { tours, reviews } = dataAt(moment);
    const guides = new Map(tours.map(({ id, createdById }) => [id, createdById]));
    const written = new Map(reviews.map(({ id, createdAt }) => [id, createdAt]));
    for (const { reviewId, tourId, userId, createdAt, reviewedAt } of repliesAt(moment)) {
      expect(userId).toBe(guides.get(tourId));
      expect(reviewedAt).toBe(written.get(reviewId));
      expect(createdAt > reviewedAt && createdAt < moment, createdAt).toBe(true);
      const waited = new Date(createdAt).getTime() - new Date(reviewedAt).getTime();
      expect(waited).toBeLessThan(7 * DAY);
    }
  });

  it("leave some low ratings of the guide's log-in for whoever tries it", () => {
    const { users, tours, reviews } = dataAt(moments[0]!);
    const guide = users.find(({ email }) => email === demoLogins[2]!.email)!;
    const own = new Set(tours.filter((tour) => tour.createdById === guide.id).map(({ id }) => id));
    const answered = new Set(first!.map(({ reviewId }) => reviewId));
    const low = reviews.filter(({ tourId, rating }) => own.has(tourId) && rating < 3);
    expect(low.filter(({ id }) => !answered.has(id)).length).toBeGreaterThanOrEqual(2);
    expect(low.filter(({ id }) => answered.has(id)).length).toBeGreaterThanOrEqual(2);
  });
});

describe("what no moment changes", () => {
  const { users, tours, reviews } = dataAt(moments[0]!);

  it("has believable ratings", () => {
    const share = (rating: number) =>
      reviews.filter((review) => review.rating === rating).length / reviews.length;
    const bounds = { 5: [0.5, 0.6], 4: [0.22, 0.32], 3: [0.07, 0.13], 2: [0.03, 0.07] } as const;
    for (const [rating, [low, high]] of Object.entries(bounds)) {
      expect(share(Number(rating))).toBeGreaterThan(low);
      expect(share(Number(rating))).toBeLessThan(high);
    }
    expect(share(1)).toBeGreaterThan(0.01);
    expect(share(1)).toBeLessThan(0.05);
    expect(new Set(reviews.map(({ rating }) => rating))).toEqual(new Set([1, 2, 3, 4, 5]));

    const counts = tours.map(({ id }) => reviews.filter(({ tourId }) => tourId === id).length);
    expect(Math.max(...counts)).toBeGreaterThan(80);
    expect(counts.filter((count) => count === 0)).toHaveLength(3);
    expect(counts.filter((count) => count === 1)).toHaveLength(1);
  });

  it("has comments that differ", () => {
    const silent = reviews.filter(({ comment }) => comment === null).length / reviews.length;
    expect(silent).toBeGreaterThan(0.14);
    expect(silent).toBeLessThan(0.22);
    const spoken = reviews.filter(({ comment }) => comment !== null);
    const odd = spoken.filter(
      ({ comment }) => !/^\S([^{}]*\S)?$/.test(comment!) || comment!.length > 5_000,
    );
    expect(odd).toEqual([]);
    for (const same of groupBy(spoken, ({ comment }) => comment ?? "").values()) {
      expect(same.length).toBeLessThanOrEqual(3);
    }
    for (const onTour of groupBy(spoken, ({ tourId }) => tourId).values()) {
      const texts = onTour.map(({ comment }) => comment ?? "");
      expect(new Set(texts).size).toBe(texts.length);
      const bags = texts.map(words).filter(({ size }) => size > 3);
      bags.forEach((bag, index) => {
        const most = Math.max(0, ...bags.slice(index + 1).map((other) => overlap(bag, other)));
        expect(most).toBeLessThan(0.5);
      });
    }
  });

  it("has logins that work", async () => {
    expect(demoLogins).toHaveLength(3);
    for (const login of demoLogins) {
      const { passwordHash } = users.find(({ email }) => email === login.email)!;
      expect(await verify(passwordHash!, DEMO_PASSWORD)).toBe(true);
    }
  });
});

describe.each(moments)("demo data at %s", (moment) => {
  const time = new Date(moment).getTime();
  const { users, tours, bookings, reviews } = dataAt(moment);
  const at = (iso: string) => new Date(iso).getTime();
  /** The user of the nth demo log-in. */
  const login = (index: number) => users.find(({ email }) => email === demoLogins[index]!.email)!;

  it("has the expected size", () => {
    expect(tours).toHaveLength(36);
    expect(users.length).toBeGreaterThan(150);
    expect(reviews.length).toBeGreaterThan(600);
    expect(bookings.length).toBeGreaterThan(reviews.length + 200);
  });

  it("has unique ids of 24 hex digits, e-mail addresses and slugs", () => {
    for (const list of [users, tours, bookings, reviews]) {
      const ids = list.map(({ id }) => id);
      expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const emails = users.map(({ email }) => email);
    const odd = emails.filter((email) => !/^[a-z0-9]+(\.[a-z0-9]+)*@example\.org$/.test(email));
    expect(odd).toEqual([]);
    expect(new Set(emails).size).toBe(users.length);
    const slugs = tours.map(({ slug }) => slug);
    expect(slugs.filter((slug) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))).toEqual([]);
    expect(new Set(slugs).size).toBe(tours.length);
  });

  it("refers only to what is in it", () => {
    const userIds = new Set(users.map(({ id }) => id));
    const tourIds = new Set(tours.map(({ id }) => id));
    expect(tours.filter(({ createdById }) => !userIds.has(createdById))).toEqual([]);
    const lost = [...bookings, ...reviews].filter(
      ({ userId, tourId }) => !userIds.has(userId) || !tourIds.has(tourId),
    );
    expect(lost).toEqual([]);
  });

  it("has at most one review for each explorer and tour, and none of an own tour", () => {
    const pairs = reviews.map(({ userId, tourId }) => `${userId} ${tourId}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    const owned = new Set(tours.map(({ id, createdById }) => `${createdById} ${id}`));
    const own = [...bookings, ...reviews].filter(({ userId, tourId }) =>
      owned.has(`${userId} ${tourId}`),
    );
    expect(own).toEqual([]);
  });

  it("has a completed booking before every review", () => {
    const completed = groupBy(
      bookings.filter(({ status }) => status === "COMPLETED"),
      ({ userId, tourId }) => `${userId} ${tourId}`,
    );
    const duration = new Map(tours.map((tour) => [tour.id, tour.durationMinutes * 60_000]));
    const early = reviews.filter(({ userId, tourId, createdAt }) => {
      const dates = (completed.get(`${userId} ${tourId}`) ?? []).map(({ date }) => at(date));
      const end = Math.min(...dates) + (duration.get(tourId) ?? 0);
      return !(end < at(createdAt));
    });
    expect(early).toEqual([]);
  });

  it("leaves by the clocks of its coast, in summer and in winter", () => {
    expect(new Set(tours.map(({ timeZone }) => timeZone))).toEqual(new Set(["Europe/Rome"]));
    const format = new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: "Europe/Rome", hourCycle: "h23" },
      ...{ weekday: "short", hour: "2-digit", minute: "2-digit" },
    });
    const slugs = new Map(tours.map(({ id, slug }) => [id, slug]));
    const bySlug = new Map(demoTours.map((tour) => [tour.slug, tour]));
    const others = bookings.filter(({ tourId, date }) => {
      const [day, start] = format.format(new Date(date)).split(/,? /);
      const tour = bySlug.get(slugs.get(tourId)!)!;
      return tour.start !== start || !tour.days.some((n) => WEEKDAYS[n] === day);
    });
    expect(others).toEqual([]);
  });

  it("keeps to the last two and a half years and leaves nothing but dates ahead", () => {
    const posted = reviews.map(({ createdAt }) => at(createdAt));
    expect(Math.max(...posted)).toBeLessThan(time);
    expect(Math.min(...posted)).toBeGreaterThan(time - 913 * DAY);
    const latest = (booked: typeof bookings) => Math.max(...booked.map(({ date }) => at(date)));
    expect(latest(bookings.filter(({ status }) => status === "COMPLETED"))).toBeLessThan(time);
    expect(latest(bookings)).toBeLessThan(time + 57 * DAY);
    for (const { date } of tours) if (date !== null) expect(at(date)).toBeGreaterThan(time);
  });

  it("gives the first explorer tours to review and one to look forward to", () => {
    const { id } = login(0);
    const done = new Set(reviews.filter(({ userId }) => userId === id).map(({ tourId }) => tourId));
    const own = bookings.filter(({ userId }) => userId === id);
    const open = own.filter(({ status, tourId }) => status === "COMPLETED" && !done.has(tourId));
    expect(open.length).toBeGreaterThanOrEqual(4);
    expect(own.some(({ status, date }) => status === "CONFIRMED" && at(date) > time)).toBe(true);
  });

  it("gives the second explorer reviews inside and outside of the edit window", () => {
    const { id } = login(1);
    const hours = reviews
      .filter(({ userId }) => userId === id)
      .map(({ createdAt }) => (time - at(createdAt)) / HOUR)
      .sort((a, b) => a - b);
    expect(hours[0]).toBeCloseTo(2, 3);
    expect(hours[1]).toBeGreaterThan(22);
    expect(hours[1]).toBeLessThan(23.5);
    expect(hours[2]).toBeGreaterThan(24);
    expect(hours.length).toBeGreaterThan(4);
  });

  it("gives the guide departures to complete and departures to come", () => {
    const { id } = login(2);
    const own = tours.filter(({ createdById }) => createdById === id);
    expect(own).toHaveLength(5);
    const ownIds = new Set(own.map((tour) => tour.id));
    expect(reviews.filter(({ tourId }) => ownIds.has(tourId)).length).toBeGreaterThan(150);

    const confirmed = bookings.filter(
      ({ tourId, status }) => ownIds.has(tourId) && status === "CONFIRMED",
    );
    const departures = groupBy(confirmed, ({ tourId, date }) => `${tourId} ${date}`);
    const ages = [...departures.values()]
      .filter(({ length }) => length > 1)
      .map(([booking]) => (time - at(booking?.date ?? "")) / HOUR);
    const past = ages.filter((age) => age > 0);
    expect(past.length).toBe(3);
    expect(Math.max(...past)).toBeLessThan(36);
    expect(past.filter((age) => age < 24).length).toBeGreaterThanOrEqual(1);
    expect(ages.filter((age) => age < 0).length).toBeGreaterThanOrEqual(5);
  });
});
