import { randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import type mongoose from "mongoose";
import { mongo } from "mongoose";
import { random } from "../../tests/support/random";

/** The secret that signs the session cookies of a run. */
export const SESSION_SECRET = "a secret for measuring only, thirty-two characters";

/**
 * The sizes of tours by their number of reviews, and how many tours have each size: posts go to them in turn, so that
 * none grows much.
 */
const POSTED = { 10: 20, 100: 10, 1_000: 2, 10_000: 1 } as const;
export type Size = keyof typeof POSTED;
export const SIZES = Object.keys(POSTED).map(Number) as Size[];

/** How many different explorers may post to each tour of `POSTED`, and to the writers' tours. */
const POSTS = 200;
const WRITERS = 640;
export const WRITER_TOURS = 32;

const CATALOGUE = 3_000;
const GUIDED = 500;
const BATCH = 1_000;

export interface Explorer {
  cookie: string;
  userId: mongo.ObjectId;
}

export interface SeededTour {
  id: mongo.ObjectId;
  slug: string;
}

/** What `seed` fills a database with. */
export interface Content {
  huge: boolean;
  sizes: readonly Size[];
  posts: boolean;
  catalogue: boolean;
}

/** What a run needs from the database. */
export interface Seeded {
  /** The tours of `POSTED`, by their number of reviews. */
  tours: Record<Size, SeededTour[]>;
  /** Tours of 20, of 5,000 and, if the engine can hold it, of 50,000 reviews, whose pages are read. */
  page: SeededTour;
  large: SeededTour;
  huge: SeededTour | null;
  /** A tour without reviews that all writers post to, and 32 tours that share the writers equally. */
  oneTour: SeededTour;
  manyTours: SeededTour[];
  /** Like `tours[100]`, but of a guide who wants an e-mail about each review. */
  told: SeededTour[];
  explorers: Explorer[];
  /** The guide of `GUIDED` tours. */
  guide: Explorer;
}

/**
 * Fills an empty database that has the app's indexes: with a tour of 50,000 reviews if `huge`, with a tour of each of
 * these `sizes`, or as many as posts go to if `posts`, and, if `catalogue`, with a tour of 5,000 reviews and 3,000 tours.
 */
export async function seed(
  db: mongoose.mongo.Db,
  { huge, sizes, posts, catalogue }: Content,
): Promise<Seeded> {
  const draw = random(20_260);
  const now = Date.now();
  const insert = async (collection: string, documents: mongo.Document[]) => {
    for (let at = 0; at < documents.length; at += BATCH)
      await db
        .collection(collection)
        .insertMany(documents.slice(at, at + BATCH), { ordered: false });
  };

  const largest = huge ? 50_000 : Math.max(5_000, ...sizes);
  const authors = Array.from({ length: catalogue ? largest : Math.max(20, ...sizes) }, (_, n) => ({
    _id: new mongo.ObjectId(),
    name: `Explorer ${n}`,
    email: `explorer.${n}@bench.test`,
    image: n % 3 ? `https://img.example/${n}.jpg` : null,
  }));
  const guides = Array.from({ length: 100 }, (_, n) => ({
    _id: new mongo.ObjectId(),
    name: `Guide ${n}`,
    email: `guide.${n}@bench.test`,
    image: null,
    // They want a daily digest: the e-mail is written with the review and sent at another time.
    reviewMails: n === 1 ? "each" : "daily",
  }));
  const explorers = Array.from({ length: WRITERS }, (_, n) => ({
    _id: new mongo.ObjectId(),
    name: `Writer ${n}`,
    email: `writer.${n}@bench.test`,
    image: null,
  }));
  await insert("users", [...authors, ...guides, ...explorers]);

  const tours: mongo.Document[] = [];
  const reviews: mongo.Document[] = [];
  const bookings: mongo.Document[] = [];
  const makeTour = (count: number, guide = 2 + (tours.length % 98)): SeededTour => {
    const _id = new mongo.ObjectId();
    const slug = `tour-${tours.length}`;
    const ratingCounts: Record<string, number> = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
    let sum = 0;
    for (let n = 0; n < count; n++) {
      const rating = 1 + Math.floor(draw() * 5);
      ratingCounts[rating]!++;
      sum += rating;
      reviews.push({
        _id: new mongo.ObjectId(),
        tourId: _id,
        userId: authors[n]!._id,
        rating,
        comment: n % 4 ? COMMENTS[n % COMMENTS.length]! : null,
        createdAt: new Date(now - n * 60_000 - Math.floor(draw() * 60_000)),
        verified: true,
      });
    }
    tours.push({
      ...{ _id, slug, title: `${WORDS[tours.length % WORDS.length]} walk ${tours.length}` },
      createdById: guides[guide]!._id,
      description: `${COMMENTS[tours.length % COMMENTS.length]} `.repeat(4).trim(),
      date: null,
      location: PLACES[tours.length % PLACES.length],
      ...{ durationMinutes: 120, image: null },
      ...{ avgRating: count && sum / count, reviewCount: count, ratingCounts, ratingsVersion: 1 },
    });
    return { id: _id, slug };
  };
  const book = (tour: SeededTour, from: number, count: number) => {
    for (const { _id } of explorers.slice(from, from + count))
      bookings.push({ userId: _id, tourId: tour.id, status: "COMPLETED", date: new Date(now) });
  };
  const posted = (size: Size, guide?: number) =>
    Array.from({ length: sizes.includes(size) ? (posts ? POSTED[size] : 1) : 0 }, () => {
      const tour = makeTour(size, guide);
      book(tour, 0, POSTS / POSTED[size]);
      return tour;
    });

  const seeded: Seeded = {
    tours: {
      ...{ 10: posted(10), 100: posted(100), 1_000: posted(1_000), 10_000: posted(10_000) },
    },
    page: makeTour(20),
    large: makeTour(catalogue ? 5_000 : 20),
    huge: huge ? makeTour(50_000) : null,
    oneTour: makeTour(0),
    manyTours: Array.from({ length: WRITER_TOURS }, () => makeTour(0)),
    told: posts ? posted(100, 1) : [],
    explorers: await logIn(db, explorers),
    guide: (await logIn(db, guides.slice(0, 1)))[0]!,
  };
  book(seeded.oneTour, 0, WRITERS);
  const each = WRITERS / WRITER_TOURS;
  seeded.manyTours.forEach((tour, n) => book(tour, n * each, each));
  if (catalogue) {
    for (let n = 0; n < GUIDED; n++) book(makeTour(2, 0), n % WRITERS, 1);
    while (tours.length < CATALOGUE) makeTour(tours.length % 3);
  }
  await insert("tours", tours);
  await insert("reviews", reviews);
  await insert("bookings", bookings);
  return seeded;
}

/** A session for each of these users, stored as a log-in stores it. */
async function logIn(
  db: mongoose.mongo.Db,
  users: readonly { _id: mongo.ObjectId }[],
): Promise<Explorer[]> {
  const cookie = createCookie("session", { path: "/", secrets: [SESSION_SECRET] });
  const hour = 3_600_000;
  const sessions = users.map(({ _id }) => ({
    _id: randomBytes(32).toString("base64url"),
    userId: _id,
    data: {},
    expiresAt: new Date(Date.now() + 24 * hour),
    // The app notes the use of a session once every few minutes: with this it does so in none of the rounds, instead
    // of in some.
    lastUsedAt: new Date(Date.now() + hour),
  }));
  await db
    .collection<{ _id: string; userId: mongo.ObjectId }>("tourReviews.sessions")
    .insertMany(sessions);
  return Promise.all(
    sessions.map(async ({ _id, userId }) => ({
      userId,
      cookie: (await cookie.serialize(_id)).split(";")[0]!,
    })),
  );
}

const WORDS = ["Harbour", "Old town", "Forest", "Market", "Castle", "Bridge", "Garden", "Night"];
const PLACES = ["Lisbon", "Gdańsk", "Córdoba", "Oslo", "Kyoto", "Quito"];
const COMMENTS = [
  "A wonderful afternoon with a guide who knows every stone and has a story for each of them.",
  "Good, but a little long for children. Bring water.",
  "We saw places that no book mentions, and the group was small enough to ask questions.",
  "Rain all day, and still the best walk of our journey: thank you!",
  "Interesting. The meeting point was hard to find, so please come early.",
];
