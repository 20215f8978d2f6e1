import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RatingChart } from "~/guides/chart/rating-chart";
import type { RatingTrend } from "~/guides/chart/rating-trend.server";

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
) =>
  renderToStaticMarkup(
    <RatingChart tour={{ id: "1", title: "Walk", reviewCount: 5, months, recent }} />,
  );
const description = (html: string) => /<desc[^>]*>(.*?)<\/desc>/.exec(html)?.[1];

test("each month with reviews has a bar as high as they are many, its mean above and their number below", () => {
  const html = chart([month(1, 5, 4.64), month(2, 0), month(3, 10, 3)]);
  const heights = [...html.matchAll(/<rect[^>]*height="([^"]*)"/g)].map(([, height]) =>
    Number(height),
  );
  expect(heights).toHaveLength(2);
  expect(heights[1]! / heights[0]!).toBeCloseTo(2, 1);
  const labels = (name: string) =>
    [...html.matchAll(new RegExp(`class="chart-${name}"[^>]*>(.*?)</text>`, "g"))].map(
      ([, text]) => text,
    );
  expect(labels("mean")).toEqual(["4.6", "3.0"]);
  expect(labels("count")).toEqual(["5", "10"]);
});

test("the table has the rating at the ends of months, also of months without reviews", () => {
  const html = chart([month(1, 1), month(2, 1, 5, 4.5), month(3, 0, 0, 4.5), month(4, 2, 1, 3)]);
  const cells = [...html.matchAll(/<td>(.*?)<\/td>/g)].map(([, text]) => text);
  const atEnds = ["none", "4.5 out of 5", "4.5 out of 5", "3.0 out of 5"];
  expect(cells.filter((_, n) => n % 3 === 2)).toEqual(atEnds);
});

test("its text says how many reviews, and names the first and the last month with any", () => {
  expect(description(chart([month(1, 2, 1), month(2, 5, 3), month(3, 6)]))).toBe(
    "13 reviews: 1.0 out of 5 in Jan 2026, 4.0 in Mar 2026",
  );
  expect(description(chart([month(1, 0), month(2, 40, 4.975)]))).toBe(
    "40 reviews: 4.9 out of 5 in Feb 2026",
  );
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
