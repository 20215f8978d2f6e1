/**
 * The demo data: tours, guides, explorers, their bookings and reviews. The same `now` always gives the same data,
 * byte for byte. Users, tours, and the authors of reviews do not depend on `now` at all.
 */
import { createHash } from "node:crypto";

import { clockTime, momentOf } from "../../app/infra/zones";
import { DEMO_PASSWORD_HASH } from "../../app/services/accounts/demo-log-ins.server";
import {
  generalComments,
  kindComments,
  ownComments,
  type Comment,
  type Language,
  type Stars,
} from "./comments";
import { explorers, guides, type Person } from "./people";
import { random, type Random } from "./random";
import { DEMO_ZONE, tours, type DemoTour, type GuideKey } from "./tours";

export interface ImportUser {
  id: string;
  name: string;
  email: string;
  image: string | null;
  passwordHash?: string;
}

export interface ImportTour {
  id: string;
  title: string;
  slug: string;
  createdById: string;
  description: string;
  date: string | null;
  timeZone: string;
  location: string;
  durationMinutes: number;
  image: null;
}

export type BookingStatus = "PENDING" | "CONFIRMED" | "COMPLETED" | "CANCELLED" | "NO_SHOW";

export interface ImportBooking {
  id: string;
  userId: string;
  tourId: string;
  status: BookingStatus;
  date: string;
}

export interface ImportReview {
  id: string;
  userId: string;
  tourId: string;
  rating: number;
  comment: string | null;
  createdAt: string;
}

export interface ImportFile {
  users: ImportUser[];
  tours: ImportTour[];
  bookings: ImportBooking[];
  reviews: ImportReview[];
}

const AMELIE = "amelie.norden@example.org";
const JONAS = "jonas.lindqvist@example.org";
const ILARIA = "ilaria.bonfante@example.org";

/** A demo log-in, and what there is to try as that user. */
export const demoLogins: { email: string; role: string; note: string }[] = [
  {
    email: AMELIE,
    role: "explorer",
    note: "came back from five tours that wait for a review; one more is booked, and at another a guide says she did not come",
  },
  {
    email: JONAS,
    role: "explorer",
    note: "wrote two reviews in the last 24 hours, which can still be edited, and some older ones",
  },
  {
    email: ILARIA,
    role: "guide",
    note: "five tours, many reviews, departures to mark as completed and departures to come",
  },
];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age of the oldest reviews. */
const HISTORY_DAYS = 912;

/** The share of reviews without a comment. */
const SILENT_SHARE = 0.185;

/** How many guests a departure has unless its tour says otherwise. */
const SEATS = 10;

/** How busy each month is, from January on. */
const MONTHS = [0.2, 0.2, 0.35, 0.55, 0.65, 0.8, 1, 1, 0.75, 0.5, 0.25, 0.25];

/** The log-ins' own reviews, at a fixed age; each takes one of its tour's ratings. */
const fixedReviews: {
  email: string;
  slug: string;
  rating: Stars;
  hoursAgo: number;
  comment: string | null;
}[] = [
  {
    email: JONAS,
    slug: "street-food-tornella-anchovies-and-lemon",
    rating: 4,
    hoursAgo: 2,
    comment:
      "Still full. I voted for the fig cake in Via dei Cordai and was booed by half of the group. Only the cone of small fish was a bit greasy for me.",
  },
  {
    email: JONAS,
    slug: "birds-of-the-boccatarna-salt-pans",
    rating: 5,
    hoursAgo: 22 + 2 / 3,
    comment:
      "Stilts on pink water, first light, nobody about. I borrowed the binoculars and gave them back with regret.\n\nI came with my eleven-year-old niece, who can now tell a stint from a sandpiper and corrects me.",
  },
  {
    email: JONAS,
    slug: "via-ferrata-to-the-lighthouse",
    rating: 5,
    hoursAgo: 78,
    comment: "Clip, clip, step, don't look down, look down after all, oh my. Tremendous.",
  },
  {
    email: JONAS,
    slug: "sunset-sail-to-isola-merla",
    rating: 4,
    hoursAgo: 96 * 24 + 5,
    comment:
      "A fine old boat, well kept by people who love her. We had more engine than sail on the way out, and more sail than engine on the way home.",
  },
  {
    email: JONAS,
    slug: "first-time-on-rock-at-falesia-bianca",
    rating: 5,
    hoursAgo: 231 * 24 + 9,
    comment: null,
  },
  {
    email: JONAS,
    slug: "porto-sarrava-by-lantern",
    rating: 5,
    hoursAgo: 412 * 24 + 3,
    comment:
      "I'm from a town with a harbour and a lot of stories myself, so I'm picky. This is how it's done.",
  },
  {
    email: AMELIE,
    slug: "porto-sarrava-by-lantern",
    rating: 5,
    hoursAgo: 128 * 24 + 7,
    comment:
      "My feet found the steps before my eyes did. Between ourselves, the fig syrup is better than the liqueur.",
  },
  {
    email: AMELIE,
    slug: "salt-mule-path-from-lumera",
    rating: 4,
    hoursAgo: 47 * 24 + 4,
    comment:
      "Long, stony and splendid. I took up the offer of the sticks and was thankful for them on the way down to the bus.",
  },
];

/** Tours that Amelie has been on but not reviewed, and how many days ago that was. */
const amelieToReview: [slug: string, daysAgo: number][] = [
  ["second-steps-on-rock", 2],
  ["sunset-sail-to-isola-merla", 6],
  ["first-time-on-rock-at-falesia-bianca", 13],
  ["market-morning-and-sarravan-lunch", 20],
  ["three-cellars-in-vallenga", 34],
];

/** Past departures of the guide's tours, and how many booked guests each still has. */
const ilariaToComplete: [slug: string, guests: number][] = [
  ["porto-sarrava-by-lantern", 8],
  ["market-morning-and-sarravan-lunch", 7],
  ["street-food-tornella-anchovies-and-lemon", 5],
];

function shuffled<T>(items: readonly T[], next: Random): T[] {
  return items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** 24 hex digits, the same for the same record on every run. */
function idOf(collection: string, key: string): string {
  return createHash("sha1").update(`${collection}:${key}`).digest("hex").slice(0, 24);
}

/** The letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Record<string, string> = {
  ø: "o",
  ł: "l",
  ß: "ss",
  ı: "i",
  þ: "th",
  æ: "ae",
  đ: "d",
};

function emailOf({ name, email }: Person): string {
  const local =
    email ??
    name
      .toLowerCase()
      .replace(/[øłßıþæđ]/g, (letter) => LETTERS[letter] ?? letter)
      .normalize("NFD")
      .replace(/[\u0300-\u036f'’]/g, "")
      .replace(/[^a-z0-9]+/g, ".");
  return `${local}@example.org`;
}

interface Member {
  id: string;
  name: string;
  email: string;
  lang?: Language;
  guide?: GuideKey;
  /** Whether it is a demo log-in; no random choice includes one. */
  login: boolean;
  /** How likely the user is to go on a tour. */
  weight: number;
}

/** All users, guides first. */
function makeMembers(): Member[] {
  const next = random("members");
  const member = (person: Person, more: Partial<Member>): Member => {
    const email = emailOf(person);
    return {
      id: idOf("users", email),
      name: person.name,
      email,
      lang: person.lang,
      login: false,
      weight: 0.25 + 4 * (person.keen ? 1 : next() ** 3),
      ...more,
    };
  };
  return [
    ...(Object.keys(guides) as GuideKey[]).map((guide) =>
      member({ name: guides[guide] }, { guide, weight: 0.25, login: guide === "ilaria" }),
    ),
    member({ name: "Amelie Norden" }, { login: true }),
    member({ name: "Jonas Lindqvist" }, { login: true }),
    ...explorers.map((person) => member(person, {})),
  ];
}

const clocksAt = (time: number) => clockTime(new Date(time), DEMO_ZONE);

/** The departure of a tour on the day of `time`, or so many days later. */
function departureOn(tour: DemoTour, time: number, later = 0): number {
  const [hour = 0, minute = 0] = tour.start.split(":").map(Number);
  const { year, month, day } = clocksAt(time);
  return momentOf({ year, month, day: day + later, hour, minute }, DEMO_ZONE).getTime();
}

const leavesOn = (tour: DemoTour, time: number) => tour.days.includes(clocksAt(time).weekday);

/** The last departure at or before a time. */
function lastDeparture(tour: DemoTour, time: number): number {
  let at = departureOn(tour, time);
  while (at > time || !leavesOn(tour, at)) at = departureOn(tour, at, -1);
  return at;
}

/** The departures after a time, within that many days. */
function departuresAfter(tour: DemoTour, time: number, days: number): number[] {
  const found: number[] = [];
  const end = time + days * DAY;
  for (let at = departureOn(tour, time); at <= end; at = departureOn(tour, at, 1)) {
    if (at > time && leavesOn(tour, at)) found.push(at);
  }
  return found;
}

/** A past departure: more of them in summer, and none outside the tour's season. */
function pastDeparture(tour: DemoTour, now: number, next: Random, full: (at: number) => boolean) {
  const reach = (tour.age ?? HISTORY_DAYS) * DAY;
  const newest = 1.5 * DAY;
  const [first, last] = tour.season ?? [1, 12];
  let at = 0;
  for (let tries = 0; tries < 400; tries += 1) {
    const age = newest + next() * (reach - newest);
    at = lastDeparture(tour, now - age);
    const { month } = clocksAt(at);
    const busy = (MONTHS[month - 1] ?? 0) * (1 - (0.4 * age) / (HISTORY_DAYS * DAY));
    const inSeason = month >= first && month <= last;
    if (next() < busy && inSeason && at > now - reach && !full(at)) return at;
  }
  return at;
}

/** When a review was written: hours, days or weeks after the tour, and hardly ever at night. */
function writtenAfter(end: number, now: number, next: Random): number {
  const kind = next();
  const part = next();
  const delay =
    kind < 0.35
      ? HOUR * (1 + 7 * part)
      : kind < 0.75
        ? HOUR * (8 + 88 * part)
        : DAY * (4 + 22 * part * part);
  const latest = now - 3 * HOUR;
  let at = end + delay;
  if (clocksAt(at).hour < 6) at += 7 * HOUR;
  if (at > latest) at = end + (latest - end) * (0.2 + 0.75 * part);
  return Math.floor(at);
}

/** When a review of a fixed age was written, and the departure before it. */
function fixedTime(tour: DemoTour, now: number, hoursAgo: number) {
  const createdAt = Math.floor(now - hoursAgo * HOUR);
  const end = createdAt - 20 * MINUTE;
  return { createdAt, departure: lastDeparture(tour, end - tour.durationMinutes * MINUTE) };
}

interface Slot {
  rating: Stars;
  comment?: string | null;
  lang?: Language;
  /** The name of the author, if one is given. */
  by?: string;
  user?: Member;
  hoursAgo?: number;
}

/** One slot for each review of a tour, with the tour's own comments and the log-ins' reviews filled in. */
function makeSlots(tour: DemoTour, byEmail: Map<string, Member>): Slot[] {
  const slots: Slot[] = [];
  const fixed = fixedReviews.filter(({ slug }) => slug === tour.slug);
  tour.ratings.forEach((count, index) => {
    const rating = (5 - index) as Stars;
    const ready: Slot[] = [
      ...fixed
        .filter((review) => review.rating === rating)
        .map(({ email, comment, hoursAgo }) => {
          return { rating, comment, hoursAgo, user: byEmail.get(email) };
        }),
      ...(ownComments[tour.slug]?.[rating] ?? []).map((comment) => {
        return typeof comment === "string"
          ? { rating, comment }
          : { rating, comment: comment.text, lang: comment.lang, by: comment.by };
      }),
    ];
    if (ready.length > count) {
      throw new Error(`${tour.slug} has ${ready.length} comments for ${count} × ${rating} stars`);
    }
    while (ready.length < count) ready.push({ rating });
    slots.push(...ready);
  });
  return slots;
}

/** The slots in the order of their reviews, newest first: those with the best texts come early. */
function newestFirst(slots: Slot[], own: Set<Slot>, next: Random): Slot[] {
  const later = (slot: Slot) =>
    (own.has(slot) ? 0 : slot.comment === null ? 0.3 : 0.2) + (slot.rating < 3 ? 0.15 : 0);
  return slots
    .map((slot) => ({ slot, key: next() + later(slot) }))
    .sort((a, b) => a.key - b.key)
    .map(({ slot }) => slot);
}

/** Assigns an author to every slot: first to slots whose comment names one, then at random by weight. */
function assignAuthors(slots: Slot[], tour: DemoTour, members: Member[], next: Random): void {
  const free = members
    .filter(({ login, guide }) => !login && guide !== tour.guide)
    .map((member) => ({ member, key: next() ** (1 / member.weight) }))
    .sort((a, b) => b.key - a.key)
    .map(({ member }) => member);
  const take = (fits: (member: Member) => boolean) => {
    const index = free.findIndex(fits);
    const [member] = free.splice(index, 1);
    if (index < 0 || !member) throw new Error(`Nobody left for ${tour.slug}`);
    return member;
  };
  for (const slot of slots) if (slot.by) slot.user ??= take(({ name }) => name === slot.by);
  for (const slot of slots) if (slot.lang) slot.user ??= take(({ lang }) => lang === slot.lang);
  for (const slot of slots) slot.user ??= take(() => true);
}

/** Hands out the shared comments: none twice on one tour or by one author, and each only a few times. */
class CommentPool {
  private readonly uses = new Map<string, number>();
  private readonly byAuthor = new Map<string, Set<string>>();
  private readonly next = random("pool");

  take(tour: DemoTour, rating: Stars, author: Member, onTour: Set<string>): string | null {
    const shared: Comment[] = [
      ...(tour.kind === "plain" ? [] : (kindComments[tour.kind][rating] ?? [])),
      ...(generalComments[rating] ?? []),
    ];
    const taken = this.byAuthor.get(author.id) ?? new Set<string>();
    const candidates = shared
      .map((comment) => (typeof comment === "string" ? comment : comment.text))
      .filter((text) => !onTour.has(text) && !taken.has(text))
      .filter((text) => !(tour.substitutes && text.includes("{guide}")))
      .filter((text) => this.used(text) < (text.length <= 40 ? 3 : 2));
    const least = Math.min(...candidates.map((text) => this.used(text)));
    const [text] = shuffled(
      candidates.filter((candidate) => this.used(candidate) === least),
      this.next,
    );
    if (text === undefined) return null;
    this.uses.set(text, this.used(text) + 1);
    this.byAuthor.set(author.id, taken.add(text));
    onTour.add(text);
    return text.replaceAll("{guide}", guides[tour.guide].split(" ")[0] ?? "");
  }

  private used(text: string): number {
    return this.uses.get(text) ?? 0;
  }
}

/** Fills the slots that are still open: some get no comment, the others one of the pool. */
function assignComments(slots: Slot[], tour: DemoTour, pool: CommentPool, next: Random): void {
  const open = shuffled(
    slots.filter(({ comment }) => comment === undefined),
    next,
  );
  const silent = Math.round(slots.length * SILENT_SHARE);
  const onTour = new Set<string>();
  open.forEach((slot, index) => {
    const speaks = index >= silent && slot.user;
    slot.comment = speaks ? pool.take(tour, slot.rating, speaks, onTour) : null;
  });
}

/** All demo data as one import file, with times relative to `now`. */
export function demoData(now: Date): ImportFile {
  const time = now.getTime();
  const members = makeMembers();
  const byEmail = new Map(members.map((member) => [member.email, member]));
  const guideIds = new Map(members.map(({ guide, id }) => [guide, id]));
  const tourBySlug = new Map(tours.map((tour) => [tour.slug, tour]));
  const iso = (at: number) => new Date(at).toISOString();

  const reviews: ImportReview[] = [];
  const reviewed = new Set<string>();
  const bookings = new Map<string, ImportBooking>();
  const bookingCounts = new Map<string, number>();
  const guests = new Map<string, number>();

  const named = (email: string): Member => {
    const member = byEmail.get(email);
    if (!member) throw new Error(`No user ${email}`);
    return member;
  };
  const tourNamed = (slug: string): DemoTour => {
    const tour = tourBySlug.get(slug);
    if (!tour) throw new Error(`No tour ${slug}`);
    return tour;
  };
  const full = (tour: DemoTour) => (at: number) =>
    (guests.get(`${tour.slug} ${at}`) ?? 0) >= (tour.seats ?? SEATS);

  /** Adds a booking unless the user already has one for the same departure. */
  const book = (user: Member, tour: DemoTour, status: BookingStatus, at: number): void => {
    // The date changes with `now`, so the id uses the number of the user's booking of this tour instead.
    const key = `${user.email} ${tour.slug}`;
    if (bookings.has(`${key} ${at}`)) return;
    const count = bookingCounts.get(key) ?? 0;
    bookingCounts.set(key, count + 1);
    bookings.set(`${key} ${at}`, {
      id: idOf("bookings", `${key} ${count}`),
      userId: user.id,
      tourId: idOf("tours", tour.slug),
      status,
      date: iso(at),
    });
    const departure = `${tour.slug} ${at}`;
    if (status !== "CANCELLED") guests.set(departure, (guests.get(departure) ?? 0) + 1);
  };

  /** Users who may go on a tour and have not reviewed it, in random order. */
  const newcomers = (tour: DemoTour, next: Random): Member[] =>
    shuffled(
      members.filter(
        ({ id, login, guide }) => !login && !guide && !reviewed.has(`${id} ${tour.slug}`),
      ),
      next,
    );

  // Reviews, and the completed booking behind each.
  const pool = new CommentPool();
  for (const tour of tours) {
    const next = random(`reviews of ${tour.slug}`);
    const slots = makeSlots(tour, byEmail);
    const own = new Set(slots.filter(({ comment }) => comment !== undefined));
    assignAuthors(slots, tour, members, next);
    assignComments(slots, tour, pool, next);

    const duration = tour.durationMinutes * MINUTE;
    const clock = random(`times of ${tour.slug}`);
    const times = slots
      .filter(({ hoursAgo }) => hoursAgo === undefined)
      .map(() => {
        const departure = pastDeparture(tour, time, clock, full(tour));
        return { departure, createdAt: writtenAfter(departure + duration, time, clock) };
      })
      .sort((a, b) => a.createdAt - b.createdAt);
    for (const { user, rating, comment = null, hoursAgo } of newestFirst(slots, own, next)) {
      const at = hoursAgo === undefined ? times.pop() : fixedTime(tour, time, hoursAgo);
      if (!user || !at) throw new Error(`A review of ${tour.slug} has no author or no time`);
      const key = `${user.email} ${tour.slug}`;
      book(user, tour, "COMPLETED", at.departure);
      reviewed.add(`${user.id} ${tour.slug}`);
      reviews.push({
        id: idOf("reviews", key),
        userId: user.id,
        tourId: idOf("tours", tour.slug),
        rating,
        comment,
        createdAt: iso(at.createdAt),
      });
    }
  }

  // The log-ins' other bookings.
  const amelie = named(AMELIE);
  const jonas = named(JONAS);
  for (const [slug, daysAgo] of amelieToReview) {
    const tour = tourNamed(slug);
    book(amelie, tour, "COMPLETED", lastDeparture(tour, time - daysAgo * DAY));
  }
  const ahead = (user: Member, slug: string, days: number, status: BookingStatus) => {
    const tour = tourNamed(slug);
    const [at] = departuresAfter(tour, time + days * DAY, 14);
    if (at !== undefined) book(user, tour, status, at);
  };
  ahead(amelie, "e-bikes-along-the-old-railway", 8, "CONFIRMED");
  ahead(amelie, "snorkelling-the-meadows-of-cala-spina", 15, "PENDING");
  ahead(amelie, "wild-caving-in-the-grotta-del-sospiro", 4, "CANCELLED");
  ahead(jonas, "three-cellars-in-vallenga", 3, "CONFIRMED");

  // Departures of the guide's tours that nobody has marked as completed yet.
  for (const [slug, count] of ilariaToComplete) {
    const tour = tourNamed(slug);
    const at = lastDeparture(tour, time - tour.durationMinutes * MINUTE - 30 * MINUTE);
    const group = newcomers(tour, random(`to complete ${slug}`));
    group.slice(0, count).forEach((user) => book(user, tour, "CONFIRMED", at));
    group.slice(count, count + 1).forEach((user) => book(user, tour, "CANCELLED", at));
  }

  for (const tour of tours) {
    const next = random(`bookings of ${tour.slug}`);
    const total = tour.ratings.reduce((sum, count) => sum + count, 0);

    // The past: some explorers who did not review, some who did not come.
    const silent = total > 0 ? Math.round(total * 0.3) + 1 : 0;
    const absent = Math.round(total * 0.09);
    newcomers(tour, next)
      .slice(0, silent + absent)
      .forEach((user, index) => {
        const clock = random(`absence of ${user.email} ${tour.slug}`);
        const at = pastDeparture(tour, time, clock, full(tour));
        book(user, tour, index < silent ? "COMPLETED" : "CANCELLED", at);
      });
    if (tour.slug === "second-steps-on-rock") {
      const at = lastDeparture(tour, time - 2 * DAY);
      newcomers(tour, next)
        .slice(0, 3)
        .forEach((user) => book(user, tour, "COMPLETED", at));
    }

    // The next eight weeks: the first departure, and more of them for a busier tour.
    if (tour.paused) continue;
    const [first, ...later] = departuresAfter(tour, time + 2 * HOUR, 56);
    const busy = tour.guide === "ilaria";
    const more = shuffled(later, next).slice(0, Math.round(Math.sqrt(total) / 2) + (busy ? 1 : 0));
    for (const at of first === undefined ? more : [first, ...more]) {
      const size = (busy ? 4 : 1) + Math.floor(next() * 5);
      for (const user of newcomers(tour, next).slice(0, size)) {
        const draw = next();
        const status = draw < 0.78 ? "CONFIRMED" : draw < 0.92 ? "PENDING" : "CANCELLED";
        if (!full(tour)(at)) book(user, tour, status, at);
      }
    }
  }

  // Last, so that it leaves all that is random as it is.
  const missed = tourNamed("street-food-tornella-anchovies-and-lemon");
  book(amelie, missed, "NO_SHOW", lastDeparture(missed, time - 3 * DAY));

  const oldestFirst = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    users: members.map(({ id, name, email, login }) => {
      const user = { id, name, email, image: null };
      return login ? { ...user, passwordHash: DEMO_PASSWORD_HASH } : user;
    }),
    tours: tours.map((tour) => {
      const [next] = tour.paused ? [] : departuresAfter(tour, time + 2 * HOUR, 56);
      return {
        id: idOf("tours", tour.slug),
        title: tour.title,
        slug: tour.slug,
        createdById: guideIds.get(tour.guide) ?? "",
        description: tour.paragraphs.join("\n\n"),
        date: next === undefined ? null : iso(next),
        timeZone: DEMO_ZONE,
        location: tour.location,
        durationMinutes: tour.durationMinutes,
        image: null,
      };
    }),
    bookings: [...bookings.values()].sort(
      (a, b) => oldestFirst(a.date, b.date) || oldestFirst(a.id, b.id),
    ),
    reviews: reviews.sort(
      (a, b) => oldestFirst(a.createdAt, b.createdAt) || oldestFirst(a.id, b.id),
    ),
  };
}
