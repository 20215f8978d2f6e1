import { expect, test } from "vitest";
import { importData } from "~/import/import.server";
import { putRecord } from "~/import/put-record.server";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { booking, id, tour, useGuide, user } from "../support/import-records";

// Records as platforms have them.

useDatabase();
useGuide();

test("null is as absent where a field cannot be empty", async () => {
  const nulls = { description: null, password: null, passwordHash: null };
  await importData({
    users: [user(0, nulls)],
    tours: [tour(0, { description: "A walk." })],
  } as never);
  await importData({ tours: [tour(0, nulls)] } as never);
  expect(await Tour.findById(id("b", 0)).lean()).toMatchObject({ description: "A walk." });
  const { id: _, ...fields } = user(1, nulls);
  expect((await putRecord("users", id("a", 1), fields)).result).toBe("created");
  expect(await User.findById(id("a", 1)).lean()).toMatchObject({ passwordHash: null });
});

test("an address is one that a hand-over takes", async () => {
  for (const [n, email] of ['"ann@home"@example.test', "ann@@example.test", "é@x"].entries()) {
    const { id: _, ...fields } = user(n, { email });
    expect([email, (await putRecord("users", id("a", n), fields)).result]).toEqual([
      email,
      "created",
    ]);
  }
});

test.each([
  ["COMPLETED", undefined],
  ["CONFIRMED", undefined],
  ["completed", false],
  ["CANCELLED", false],
])("a booking with the status %s says whether that allows a review", async (status, allows) => {
  await importData({ users: [user(1)], tours: [tour(0)] });
  const { id: _, ...fields } = booking(0, { status });
  for (const result of ["created", "unchanged"])
    expect(await putRecord("bookings", id("c", 0), fields)).toEqual({
      result,
      tag: expect.any(String) as string,
      ...(allows === false && { allowsReview: false }),
    });
});
