import { randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { mongo } from "mongoose";
import { random } from "../../tests/support/factories";
import { figuresOf } from "./shared.mjs";

/** The secret that signs the session cookies of a run. */
export const SESSION_SECRET = "a secret for measuring only, thirty-two characters";

const LISTS = ["warm", "cold", "304", "post"];
const POSTS = { explorers: 200, rows: LISTS };

interface Group {
  /** How many reviews each of so many tours has. */
  reviews: number;
  tours: number;
  /** How many explorers may post to these tours, each to one; they are shared equally. */
  explorers?: number;
  guide?: number;
  /** The rows that need these tours; all of them without it. */
  rows?: string[];
}

/** All tours of a run. Posts go in turn to those of one size, so that none grows much. */
const TOURS = {
  "10": { reviews: 10, tours: 20, ...POSTS },
  "100": { reviews: 100, tours: 10, explorers: 200 },
  "1000": { reviews: 1_000, tours: 2, ...POSTS },
  "10000": { reviews: 10_000, tours: 1, ...POSTS },
  told: { reviews: 100, tours: 10, explorers: 200, guide: 1, rows: ["post"] },
  page: { reviews: 20, tours: 1, rows: ["page", "large-list"] },
  large: { reviews: 5_000, tours: 1, rows: ["page", "large-list"] },
  huge: { reviews: 50_000, tours: 1, rows: ["page"] },
  one: { reviews: 0, tours: 1, explorers: 640, rows: ["writers"] },
  many: { reviews: 0, tours: 32, explorers: 640, rows: ["writers"] },
  guided: { reviews: 2, tours: 500, explorers: 500, guide: 0, rows: ["home"] },
  others: { reviews: 1, tours: 2_500, rows: ["home"] },
} satisfies Record<string, Group>;

export interface Tour {
  id: mongo.ObjectId;
  slug: string;
}

/** Fills an empty database with what `rows` need, or with all. The embedded default cannot hold the greatest tour. */
export async function seed(db: mongo.Db, rows: string[] | undefined, { huge }: { huge: boolean }) {
  const draw = random(20_260);
  const insert = async (collection: string, documents: mongo.OptionalId<mongo.Document>[]) => {
    for (let at = 0; at < documents.length; at += 1_000)
      await db.collection(collection).insertMany(documents.slice(at, at + 1_000));
  };
  const people = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      _id: new mongo.ObjectId(),
      name: `${name} ${n}`,
      email: `${name}.${n}@bench.test`,
      image: n % 3 ? `https://img.example/${n}.jpg` : null,
      // The e-mail is written with the review and sent at another time, unless the guide wants one about each.
      reviewMails: name === "guide" && n === 1 ? "each" : "daily",
    }));
  const groups = Object.entries<Group>(TOURS).filter(
    ([name, group]) =>
      (name !== "huge" || huge) &&
      (!rows || !group.rows || group.rows.some((row) => rows.includes(row))),
  );
  const authors = people("author", Math.max(...groups.map(([, { reviews }]) => reviews)));
  const guides = people("guide", 100);
  const writers = people("writer", 640);
  await insert("users", [...authors, ...guides, ...writers]);

  const seeded = Object.fromEntries(Object.keys(TOURS).map((name) => [name, [] as Tour[]]));
  const toured: mongo.Document[] = [];
  const reviewed: mongo.Document[] = [];
  const booked: mongo.Document[] = [];
  let made = 0;
  for (const [name, { reviews, tours, explorers = 0, guide }] of groups)
    for (let n = 0; n < tours; n++, made++) {
      const tourId = new mongo.ObjectId();
      const slug = `tour-${made}`;
      const counts = [1, 2, 3, 4, 5].map((_id) => ({ _id, count: 0 }));
      for (const [age, { _id: userId }] of authors.slice(0, reviews).entries()) {
        const rating = 1 + Math.floor(draw() * 5);
        counts[rating - 1]!.count++;
        const comment = age % 4 ? COMMENTS[age % COMMENTS.length]! : null;
        const createdAt = new Date(Date.now() - age * 60_000);
        reviewed.push({ tourId, userId, rating, comment, createdAt, verified: true });
      }
      toured.push({
        _id: tourId,
        slug,
        title: `${WORDS[made % WORDS.length]} walk ${made}`,
        createdById: guides[guide ?? 2 + (made % 98)]!._id,
        description: `${COMMENTS[made % COMMENTS.length]} `.repeat(4).trim(),
        date: null,
        location: PLACES[made % PLACES.length],
        durationMinutes: 120,
        image: null,
        ...figuresOf(counts),
        ratingsVersion: 1,
      });
      const each = explorers / tours;
      for (const { _id: userId } of writers.slice(n * each, (n + 1) * each))
        booked.push({ userId, tourId, status: "COMPLETED", date: new Date() });
      seeded[name]!.push({ id: tourId, slug });
    }
  await insert("tours", toured);
  await insert("reviews", reviewed);
  await insert("bookings", booked);
  const [guide, ...cookies] = await logIn(db, [guides[0]!, ...writers]);
  return { tours: seeded as Record<keyof typeof TOURS, Tour[]>, guide: guide!, cookies };
}

/** A session for each of these users, stored as a log-in stores it. */
async function logIn(db: mongo.Db, users: { _id: mongo.ObjectId }[]): Promise<string[]> {
  const cookie = createCookie("session", { secrets: [SESSION_SECRET] });
  const expiresAt = new Date(Date.now() + 24 * 3_600_000);
  // The app notes the use of a session every few minutes: with this it does so in none of the rounds, not in some.
  const lastUsedAt = new Date(Date.now() + 3_600_000);
  const sessions = users.map(({ _id: userId }) => {
    const _id = randomBytes(32).toString("base64url");
    return { _id, userId, data: {}, expiresAt, lastUsedAt };
  });
  await db.collection<{ _id: string }>("tourReviews.sessions").insertMany(sessions);
  return Promise.all(sessions.map(async ({ _id }) => (await cookie.serialize(_id)).split(";")[0]!));
}

const WORDS = ["Harbour", "Old town", "Forest", "Market", "Castle", "Bridge", "Garden", "Night"];
const PLACES = ["Lisbon", "Gdańsk", "Córdoba", "Oslo", "Kyoto", "Quito"];
const COMMENTS = [
  "A wonderful afternoon with a guide who knows every stone and has a story for each of them.",
  "Good, but a little long for children. Bring water.",
  "We saw places that no book mentions, and the group was small enough to ask questions.",
  "Rain all day, and still the best walk of our journey: thank you!",
];
