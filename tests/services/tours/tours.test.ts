import mongoose from "mongoose";
import { describe, expect, it, test } from "vitest";
import { reviewEligibility } from "~/services/reviews/eligibility.server";
import { leadsTours } from "~/services/tours/tours.server";
import { searchTours, TOURS_PER_PAGE } from "~/services/tours/search.server";
import { Tour } from "../../../models/tour";
import { useDatabase } from "../../support/database";
import {
  as,
  makeBooking,
  makeGuest,
  makeReview,
  makeTour,
  makeUser,
} from "../../support/factories";

useDatabase();

const titles = async (...search: Parameters<typeof searchTours>) =>
  (await searchTours(...search)).tours.map(({ title }) => title);

describe("search", () => {
  it("finds the tours that have every word somewhere", async () => {
    const guide = await makeUser({ name: "Zoë Ångström" });
    await makeTour({ title: "Old Town Walk", location: "Kraków", createdById: guide._id });
    await makeTour({ title: "New Town Walk", description: "Through the OLD gate." });
    await makeTour({ title: "Harbour" });
    expect(await titles("town", "newest", 1)).toHaveLength(2);
    expect(await titles("old TOWN", "newest", 1)).toHaveLength(2);
    expect(await titles("krakow zoe", "newest", 1)).toEqual(["Old Town Walk"]);
    expect(await titles("ANGSTROM old", "newest", 1)).toEqual(["Old Town Walk"]);
    expect(await titles("town harbour", "newest", 1)).toEqual([]);
    expect(await titles("  ", "newest", 1)).toHaveLength(3);
  });

  it.each([".*", "(", "[a-", "\\", "$where", "^", "a{1,99999}", "%00", "'\""])(
    "takes %s for what it says",
    async (words) => {
      await makeTour({ title: "Harbour" });
      await makeTour({ title: `Tour ${words} end` });
      expect(await titles(words, "newest", 1)).toEqual([`Tour ${words} end`]);
    },
  );

  it("takes control characters for spaces, which the database would refuse", async () => {
    await makeTour({ title: "Harbour" });
    await makeTour({ title: "Town" });
    expect(await titles("\0", "newest", 1)).toHaveLength(2);
    expect(await titles("har\0\x1f", "newest", 1)).toEqual(["Harbour"]);
    expect(await titles("har\0town", "newest", 1)).toEqual([]);
  });

  it("finds what is composed in another way (NFC, NFD), and half an emoji in nothing", async () => {
    const [composed, decomposed] = ["Café Ω".normalize("NFC"), "Café Ω".normalize("NFD")];
    await makeTour({ title: composed });
    await makeTour({ title: decomposed });
    for (const words of [composed, decomposed, "cafe"])
      expect(await titles(words, "newest", 1)).toEqual([decomposed, composed]);
    expect(await titles("x".repeat(39) + "😀", "newest", 1)).toEqual([]);
    await makeTour({ title: "x".repeat(39) + "😀" });
    expect(await titles("x".repeat(39) + "😀", "newest", 1)).toHaveLength(1);
  });

  it("gives pages, and the last one for any number past it", async () => {
    for (let index = 0; index < TOURS_PER_PAGE + 2; index++) await makeTour({ title: `T${index}` });
    const first = await searchTours("", "newest", 1);
    const second = await searchTours("", "newest", 2);
    expect(first).toMatchObject({ page: 1, pages: 2, total: TOURS_PER_PAGE + 2 });
    expect(second.tours).toHaveLength(2);
    expect(new Set([...first.tours, ...second.tours].map(({ id }) => id)).size).toBe(first.total);
    expect(await searchTours("", "newest", 999)).toEqual(second);
    expect(await searchTours("nothing", "best", 3)).toMatchObject({ page: 1, pages: 1, total: 0 });
  });
});

describe("best rated", () => {
  const make = (title: string, avgRating: number, reviewCount: number) =>
    makeTour({ title, avgRating, reviewCount });

  it("puts many good reviews before one perfect one, and bad ones behind none", async () => {
    await make("One of 5", 5, 1);
    await make("Hundred of 4.8", 4.8, 100);
    await make("Thirty of 4.9", 4.9, 30);
    await make("Fifty of 2", 2, 50);
    await make("None", 0, 0);
    expect(await titles("", "best", 1)).toEqual([
      "Hundred of 4.8",
      "Thirty of 4.9",
      "One of 5",
      "None",
      "Fifty of 2",
    ]);
    expect((await titles("", "reviewed", 1)).slice(0, 2)).toEqual(["Hundred of 4.8", "Fifty of 2"]);
  });

  it("works on a platform's tours without aggregates, and on no tours", async () => {
    expect(await titles("", "best", 1)).toEqual([]);
    const { _id } = await makeTour({ title: "Theirs" });
    await mongoose.connection
      .collection("tours")
      .updateOne({ _id }, { $unset: { avgRating: 1, reviewCount: 1, ratingCounts: 1 } });
    expect(await Tour.countDocuments()).toBe(1);
    expect(await titles("", "best", 1)).toEqual(["Theirs"]);
  });
});

test("a guide is who has a tour", async () => {
  const { createdById } = await makeTour();
  expect(await leadsTours(createdById.toString())).toBe(true);
  expect(await leadsTours((await makeUser())._id.toString())).toBe(false);
});

describe("who may review", () => {
  const standing = async (
    user: { _id: mongoose.Types.ObjectId } | null,
    tour: { _id: mongoose.Types.ObjectId; createdById: mongoose.Types.ObjectId },
  ) =>
    reviewEligibility(user && as(user), {
      id: tour._id.toString(),
      createdById: tour.createdById.toString(),
    });

  it("is decided in the order of the rules", async () => {
    const tour = await makeTour();
    expect(await standing(null, tour)).toEqual({ kind: "loggedOut" });
    const guide = { _id: tour.createdById };
    await makeBooking(guide, tour);
    expect(await standing(guide, tour)).toMatchObject({
      kind: "ownTour",
      text: "You cannot review your own tour",
    });
    const user = await makeUser();
    expect(await standing(user, tour)).toMatchObject({ kind: "notCompleted" });
    await makeBooking(user, tour, { status: "CONFIRMED" });
    expect(await standing(user, tour)).toMatchObject({ kind: "notCompleted" });
    const guest = await makeGuest(tour);
    expect(await standing(guest, tour)).toEqual({ kind: "eligible" });
    const { _id } = await makeReview(guest, tour);
    expect(await standing(guest, tour)).toMatchObject({
      kind: "alreadyReviewed",
      text: "You have already reviewed this tour",
      reviewId: _id.toString(),
    });
  });
});
