import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RatingChart } from "~/guides/rating-chart";
import type { RatingTrend } from "~/guides/rating-trend.server";

const month = (number: number, count: number, mean = 4, atEnd: number | null = null) => ({
  month: `2026-${String(number).padStart(2, "0")}`,
  count,
  mean: count === 0 ? null : mean,
  atEnd,
});
const NONE = { count: 0, mean: null };
const chart = (
  months: ReturnType<typeof month>[],
  recent: RatingTrend["recent"] = { last: NONE, before: NONE },
) => renderToStaticMarkup(<RatingChart tour={{ id: "1", title: "Walk", months, recent }} />);
const dots = (line: string) => line.trim().split(" ").length;
const linesOf = (html: string) =>
  [...html.matchAll(/<polyline [^>]*points="([^"]*)"/g)].map(([, points]) => dots(points!));
const description = (html: string) => /<desc[^>]*>(.*?)<\/desc>/.exec(html)?.[1];

test("a line joins months that follow one another and have five reviews or more", () => {
  const months = [5, 9, 4, 12, 0, 7, 5, 8, 1, 6].map((count, n) => month(n + 1, count));
  const html = chart(months);
  expect(linesOf(html)).toEqual([2, 3]);
  // Every month with reviews has its point.
  expect(html.match(/<circle/g)).toHaveLength(9);
});

test("the rating at the ends of months has a line of its own, also through months without reviews", () => {
  const html = chart([month(1, 1), month(2, 1, 5, 4.5), month(3, 0, 0, 4.5), month(4, 2, 1, 3)]);
  expect(linesOf(html)).toEqual([3]);
  const cells = [...html.matchAll(/<td>(.*?)<\/td>/g)].map(([, text]) => text);
  const atEnds = ["none", "4.5 out of 5", "4.5 out of 5", "3.0 out of 5"];
  expect(cells.filter((_, n) => n % 3 === 2)).toEqual(atEnds);
});

test("its text names the first and the last month of five reviews or more", () => {
  expect(description(chart([month(1, 2, 1), month(2, 5, 3), month(3, 6), month(4, 1, 5)]))).toBe(
    "3.0 out of 5 in Feb 2026, 4.0 in Mar 2026",
  );
  expect(description(chart([month(1, 4), month(2, 40, 4.975)]))).toBe("4.9 out of 5 in Feb 2026");
  expect(description(chart([month(1, 4), month(2, 1)]))).toBe("Fewer than five reviews a month");
});

test.each([
  [
    { mean: 4.64, count: 9 },
    { mean: 4.41, count: 5 },
    "4.6 out of 5, up 0.2 from the 90 days before",
  ],
  [{ mean: 3, count: 5 }, { mean: 4, count: 6 }, "3.0 out of 5, down 1.0 from the 90 days before"],
  [{ mean: 4.61, count: 5 }, { mean: 4.58, count: 6 }, "4.6 out of 5, as in the 90 days before"],
  [{ mean: 5, count: 4 }, { mean: 4, count: 60 }, null],
  [{ mean: 5, count: 60 }, { mean: 4, count: 4 }, null],
  [{ mean: null, count: 9 }, { mean: 4, count: 9 }, null],
])("the last 90 days with %j after %j: %s", (last, before, expected) => {
  const html = chart([month(1, 9)], { last, before });
  if (expected) expect(html).toContain(`Last 90 days: ${expected}.`);
  else expect(html).not.toContain("90 days");
});
