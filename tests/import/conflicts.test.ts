import { describe, expect, test } from "vitest";
import { importData } from "~/import/import.server";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { id, useGuide, user, tour, review, refusal } from "../support/import-records";

useDatabase();
useGuide();

test("Extended JSON is refused with the way to write plain JSON", async () => {
  const extended =
    "is MongoDB's Extended JSON: write ids and dates as plain text, as JSON.stringify does in mongosh";
  const $oid = id("a", 0);
  const { id: _, ...exported } = user(1, { _id: { $oid } });
  expect(
    await refusal({
      users: [user(0, { id: { $oid } }), exported],
      reviews: [review(0, { createdAt: { $date: "2026-05-01T09:30:00Z" }, rating: 9 })],
    }),
  ).toEqual(
    expect.arrayContaining([
      `users[0].id: ${extended}`,
      `users[1].id: ${extended}`,
      "reviews[0].rating: must be an integer from 1 to 5",
      `reviews[0].createdAt: ${extended}`,
    ]),
  );
});

describe("repeats in the file", () => {
  const good = { users: [user(0), user(1)], tours: [tour(0), tour(1)] };

  test("of an id, in any letters", async () => {
    expect(
      await refusal({ users: [user(0), user(1), user(2, { id: id("a", 0).toUpperCase() })] }),
    ).toEqual(["users[2].id: stands in the file twice"]);
    expect(await refusal({ ...good, reviews: [review(0), review(1, { id: id("d", 0) })] })).toEqual(
      ["reviews[1].id: stands in the file twice"],
    );
  });

  test("of an address, in any letters", async () => {
    expect(await refusal({ users: [user(0), user(1, { email: " USER0@Example.Test " })] })).toEqual(
      ["users[1].email: is taken by another user"],
    );
  });

  test("of an address do not include one that differs by an accent", async () => {
    const emails = ["jose@example.test", "josé@example.test", "josè@example.test"];
    await importData({ users: emails.map((email, index) => user(index, { email })) });
    expect(await User.countDocuments()).toBe(4);
  });

  test("of a slug", async () => {
    expect(await refusal({ ...good, tours: [tour(0), tour(1, { slug: "tour-0" })] })).toEqual([
      "tours[1].slug: is taken by another tour",
    ]);
    // The same letters, taken apart.
    const slugs = ["caf\u00e9", "cafe\u0301"];
    expect(
      await refusal({ ...good, tours: slugs.map((slug, number) => tour(number, { slug })) }),
    ).toEqual(["tours[1].slug: is taken by another tour"]);
    // Slugs are addresses of pages, where capitals differ.
    await importData({ ...good, tours: [tour(0), tour(1, { slug: "TOUR-0" })] });
  });

  test("of a pair of user and tour", async () => {
    expect(
      await refusal({ ...good, reviews: [review(0), review(1, { userId: id("a", 0) })] }),
    ).toEqual(["reviews[1].tourId: is reviewed by this user already"]);
    await importData({
      ...good,
      reviews: [review(0), review(1), review(2, { userId: id("a", 0), tourId: id("b", 1) })],
    });
  });
});

describe("what the database holds already", () => {
  test("a slug of another tour, in either form of Unicode", async () => {
    await makeTour({ slug: "caf\u00e9" });
    const decomposed = tour(0, { slug: "cafe\u0301" });
    expect(await refusal({ tours: [tour(1, { slug: "caf\u00e9" }), decomposed] })).toEqual(
      expect.arrayContaining([
        "tours[0].slug: is taken by another tour",
        "tours[1].slug: is taken by another tour",
      ]),
    );
    // A tour may change the form of its own.
    await Tour.updateOne({ slug: "caf\u00e9" }, { $set: { slug: "other" } });
    await importData({ tours: [decomposed] });
    await importData({ tours: [tour(0, { slug: "caf\u00e9" })] });
    // A platform that has both already can import each as it is.
    const twin = await makeTour({ slug: "cafe\u0301", title: "Twin" });
    await importData({ tours: [tour(0, { slug: "caf\u00e9", title: "New" })] });
    await importData({ tours: [tour(1, { id: twin._id.toString(), slug: twin.slug })] });
  });

  test("another review of the pair", async () => {
    const gwen = await makeUser();
    const walk = await makeTour();
    await makeReview(gwen, walk);
    const pair = { userId: gwen._id.toString(), tourId: walk._id.toString() };
    expect(await refusal({ reviews: [review(0, pair)] })).toEqual([
      "reviews[0].tourId: is reviewed by this user already",
    ]);
    // The user's and the tour's reviews of others do not matter.
    await importData({
      users: [user(0)],
      tours: [tour(0)],
      reviews: [
        review(0, { userId: pair.userId }),
        review(1, { userId: id("a", 0), tourId: pair.tourId }),
      ],
    });
  });
});
