import { expect, test } from "vitest";
import { type Place, reviewCursor } from "~/db/cursor.server";
import { AllChangesQuery } from "~/reviews/list-changes.server";
import { ListReviewsQuery } from "~/reviews/list/api-page.server";
import { ToursQuery } from "~/tours/search/api-list.server";

const id = "f".repeat(24);
const [FIRST, LAST] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"].map(Date.parse);

test.each([FIRST, 0, LAST])("a cursor of %i names a place", (time) => {
  expect(reviewCursor.decode(`5_${time}_${id}`)).toEqual({ rating: 5, time, id });
  expect(reviewCursor.decode(`0_${time}_${id}`)).toEqual({ rating: null, time, id });
});

test.each([-8.64e15, FIRST! - 1, LAST! + 1, 999_999_999_999_999, 8.64e15, 9e15, NaN, "", "1e9"])(
  "a cursor of %s is that of the first page",
  (time) => {
    expect(reviewCursor.decode(`5_${time}_${id}`)).toBeNull();
  },
);

const place: Place = { rating: 4, time: 1_780_000_000_000, id: "0123456789abcdef01234567" };

test.each([place, { ...place, rating: null }, { ...place, rating: 4.25 }])("keeps %j", (one) => {
  expect(reviewCursor.decode(reviewCursor.encode(one))).toEqual(one);
});

test.each([57.4123, 57.41, 56, -0.5])("keeps a place that is ordered by %s", (telling) => {
  const ordered = { ...place, telling };
  expect(reviewCursor.decode(reviewCursor.encode(ordered))).toEqual(ordered);
});

const queries = { reviews: ListReviewsQuery, tours: ToursQuery, changes: AllChangesQuery };

test.each([
  ["reviews", `4_1780000000000_${id}`, true],
  ["reviews", `0_-62135596800000_${id}_57.4123`, true],
  ["reviews", `4_1780000000000_${id}_57.4123_1`, false],
  ["reviews", `1780000000000_${id}_3`, false],
  ["tours", `4.666666666666667_12_${id}_0`, true],
  ["tours", `4.666666666666667_12_${id}`, false],
  ["changes", `1780000000000_${id}_3`, true],
  ["changes", `1780000000000_${id}_`, false],
  ["changes", `4_1780000000000_${id}`, false],
] as const)("the list of %s takes the cursor %s: %s", (list, after, isTaken) => {
  expect(queries[list].safeParse({ tourId: id, after }).success).toBe(isTaken);
});
