import { expect, test } from "vitest";
import { reviewCursor, placeAfter } from "~/db/cursor.server";

const id = "f".repeat(24);
const [FIRST, LAST] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"].map(Date.parse);

test.each([FIRST, 0, LAST])("a cursor of %i names a place", (time) => {
  expect(placeAfter(`5_${time}_${id}`)).toEqual({ rating: 5, time, id });
  expect(placeAfter(`0_${time}_${id}`)).toEqual({ rating: null, time, id });
});

test.each([-8.64e15, FIRST! - 1, LAST! + 1, 999_999_999_999_999, 8.64e15, 9e15, NaN, "", "1e9"])(
  "a cursor of %s is that of the first page",
  (time) => {
    expect(placeAfter(`5_${time}_${id}`)).toBeNull();
  },
);

test.each([57.4123, 57.41, 56, -0.5])("keeps a place that is ordered by %s", (telling) => {
  const place = { rating: 4, time: 1_780_000_000_000, id: "0123456789abcdef01234567", telling };
  expect(placeAfter(reviewCursor(place))).toEqual(place);
});
