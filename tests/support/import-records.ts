import { type Collection, Types } from "mongoose";
import { beforeEach, expect } from "vitest";
import { ImportError, type ImportFile } from "~/import/records.server";
import { importData } from "~/import/import.server";
import { User } from "#models/user";
import { contents } from "./database";

// Records of an import file, made from numbers, and what is stored of them.

/** The nth id of a kind, which makes expectations readable. */
export const id = (kind: "a" | "b" | "c" | "d" | "e", number: number) =>
  kind.repeat(4) + number.toString(16).padStart(20, "0");

export const oid = (value: string) => new Types.ObjectId(value);

/** The guide of the tours, who reviews none of them. */
const GUIDE = id("e", 0);

/** Stores the guide before each test of a file. */
export function useGuide(): void {
  beforeEach(async () => {
    await User.create({ _id: GUIDE, name: "Guide", email: "guide@example.test" });
  });
}

export const user = (number: number, fields: object = {}) => ({
  id: id("a", number),
  name: `User ${number}`,
  email: `user${number}@example.test`,
  ...fields,
});

export const tour = (number: number, fields: object = {}) => ({
  id: id("b", number),
  title: `Tour ${number}`,
  slug: `tour-${number}`,
  createdById: GUIDE,
  ...fields,
});

export const booking = (number: number, fields: object = {}) => ({
  id: id("c", number),
  userId: id("a", 1),
  tourId: id("b", 0),
  status: "COMPLETED",
  ...fields,
});

export const review = (number: number, fields: object = {}) => ({
  id: id("d", number),
  userId: id("a", number),
  tourId: id("b", 0),
  rating: 5,
  comment: `Comment ${number}`,
  createdAt: "2026-05-01T09:30:00.000Z",
  ...fields,
});

export { contents as everything } from "./database";

/** The lines of the refusal; checks that the file has changed nothing. */
export async function refusal(file: unknown): Promise<string[]> {
  const before = await contents();
  const error: unknown = await importData(file as ImportFile).then(
    () => new Error(`Imported: ${JSON.stringify(file)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ImportError)) throw error;
  expect(await contents()).toEqual(before);
  return error.message.split("\n");
}

export const stored = (model: { collection: Collection }, recordId: string) =>
  model.collection.findOne({ _id: oid(recordId) });

/** The file of a platform: a guide, an explorer who may review the tour, and one who already has. */
export const platform = () => ({
  users: [
    user(1, { name: "Gwen" }),
    user(2, { name: "Ann", image: null, password: "a password of the platform" }),
    user(3, { name: "Ben" }),
    user(4, { name: "Cleo" }),
  ],
  tours: [tour(0, { title: "Old Town Walk", slug: "old-town-walk", createdById: id("a", 1) })],
  bookings: [2, 3].map((n) => booking(n, { userId: id("a", n), date: "2026-05-01T09:00:00Z" })),
  reviews: [review(3, { rating: 3, comment: "Short" })],
});
