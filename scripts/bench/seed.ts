import { randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { type Model, Types } from "mongoose";
import { toRatings } from "~/reviews/ratings.server";
import { Booking, COMPLETED } from "#models/booking";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { insertReviews } from "../../tests/support/factories";

interface Group {
  /** How many reviews each of so many tours has. */
  reviews: number;
  tours: number;
  /**
   * How many explorers may post to these tours, each to one; they are shared equally, and where several programs post,
   * among these, so that none meets the count of another's explorer.
   */
  explorers?: number;
  /** The rows that need these tours; all do without it. */
  rows?: readonly string[];
}

/** All tours of a run. Posts go in turn to those of one size, so that none grows much. */
const TOURS = {
  "100": { reviews: 100, tours: 10, explorers: 600 },
  "10000": { reviews: 10_000, tours: 1, explorers: 600, rows: ["post"] },
  page: { reviews: 20, tours: 1, rows: ["page", "huge", "kept", "home", "large-list"] },
  large: { reviews: 5_000, tours: 1, rows: ["page", "large-list"] },
  huge: { reviews: 50_000, tours: 1, rows: ["huge"] },
  one: { reviews: 0, tours: 1, explorers: 640, rows: ["writers"] },
  many: { reviews: 0, tours: 32, explorers: 640, rows: ["writers"] },
  /** All of the guide whose page is measured. */
  guided: { reviews: 2, tours: 500, rows: ["home"] },
  others: { reviews: 1, tours: 2_500, rows: ["home"] },
} satisfies Record<string, Group>;

export interface SeededTour {
  id: Types.ObjectId;
  slug: string;
}

const TEXT = "A wonderful afternoon with a guide who has a story for each stone of the old town.";

/** Fills an empty database with what these rows need. */
export async function seed(only: readonly string[]) {
  const groups = Object.entries<Group>(TOURS).filter(([, { rows = only }]) =>
    rows.some((row) => only.includes(row)),
  );
  const authors = people("author", Math.max(...groups.map(([, { reviews }]) => reviews)));
  const guides = people("guide", 100);
  const writers = people("writer", 640);

  const seeded = Object.fromEntries(Object.keys(TOURS).map((name) => [name, [] as SeededTour[]]));
  const toured: object[] = [];
  const booked: object[] = [];
  let review: Types.ObjectId | undefined;
  for (const [name, { reviews, tours, explorers = 0 }] of groups)
    for (let n = 0; n < tours; n++) {
      const id = new Types.ObjectId();
      const slug = `${name}-${n}`;
      seeded[name]!.push({ id, slug });
      const own = await insertReviews(id, reviews, (age) => ({
        userId: authors[age]!._id,
        comment: age % 4 ? TEXT : null,
        verified: true,
      }));
      toured.push({
        _id: id,
        slug,
        title: `Old town walk ${slug}`,
        createdById: guides[name === "guided" ? 0 : 1 + (n % 99)]!._id,
        description: TEXT.repeat(4),
        location: "Lisbon",
        durationMinutes: 120,
        ...toRatings(own.map(({ rating }) => ({ _id: rating, count: 1 }))),
        ratingsVersion: 1,
      });
      if (name === "page") review = own[0]!._id;
      const each = explorers / tours;
      for (const { _id: userId } of writers.slice(n * each, (n + 1) * each))
        booked.push({ userId, tourId: id, status: COMPLETED, date: new Date() });
    }
  await insertDocuments(User, [...authors, ...guides, ...writers]);
  await insertDocuments(Tour, toured);
  await insertDocuments(Booking, booked);
  const [guide, ...cookies] = await logIn([guides[0]!, ...writers]);
  return {
    tours: seeded as Record<keyof typeof TOURS, SeededTour[]>,
    guides,
    review,
    guide: guide!,
    cookies,
  };
}

/** Users with such names; guides want one e-mail a day, which no POST sends. */
const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    _id: new Types.ObjectId(),
    name: `${name} ${n}`,
    email: `${name}.${n}@bench.test`,
    image: n % 3 ? `https://img.example/${n}.jpg` : null,
    reviewMails: "daily",
  }));

/** By the driver, which takes less time than Mongoose. */
async function insertDocuments(
  { collection }: Pick<Model<unknown>, "collection">,
  documents: object[],
) {
  for (let at = 0; at < documents.length; at += 1_000)
    await collection.insertMany(documents.slice(at, at + 1_000));
}

/** A session for each of these users, stored as a log-in stores it; returns their cookies. */
async function logIn(users: { _id: Types.ObjectId }[]): Promise<string[]> {
  const cookie = createCookie("session", { secrets: [process.env.SESSION_SECRET!] });
  const expiresAt = new Date(Date.now() + 24 * 3_600_000);
  // The app notes the use of a session every few minutes: with this it does so in none of the rounds, not in some.
  const lastUsedAt = new Date(Date.now() + 3_600_000);
  return Promise.all(
    users.map(async ({ _id: userId }) => {
      const _id = randomBytes(32).toString("base64url");
      await Session.create({ _id, userId, data: {}, expiresAt, lastUsedAt });
      return (await cookie.serialize(_id)).split(";")[0]!;
    }),
  );
}
