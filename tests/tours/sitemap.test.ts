import { Types } from "mongoose";
import { expect, it } from "vitest";
import { sitemapPart, sitemapParts } from "~/tours/sitemap.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";

useDatabase();

const guide = new Types.ObjectId();

/** Tours 0 and up, of one guide, made one after the other. */
async function makeTours(count: number, fields: (n: number) => object = () => ({})) {
  await Tour.collection.insertMany(
    Array.from({ length: count }, (_, n) => ({
      _id: Types.ObjectId.createFromTime(1_700_000_000 + n),
      title: `Tour ${n}`,
      slug: `tour-${n}`,
      createdById: guide,
      ...fields(n),
    })),
  );
  await tourRefresh.renew();
  return Tour.find().sort({ _id: 1 }).lean();
}

it("has every tour once in its parts, the newest first, and each part's guides", async () => {
  await makeTours(5);
  expect(await sitemapParts(2)).toBe(3);
  const parts = [await sitemapPart(1, 2), await sitemapPart(2, 2), await sitemapPart(3, 2)];
  expect(parts.map((part) => [...part!.slugs].sort())).toEqual([
    ["tour-3", "tour-4"],
    ["tour-1", "tour-2"],
    ["tour-0"],
  ]);
  for (const part of parts) expect(part!.guides).toEqual([guide.toString()]);
  expect(await sitemapPart(4, 2)).toBeUndefined();
});

it("has malformed tours by their ids, and neither nobody nor an address that is too long", async () => {
  const odd = [
    { slug: 7 },
    { createdById: "auth0|x" },
    { slug: "x".repeat(3_000) },
    { slug: "海".repeat(800) },
  ];
  const tours = await makeTours(4, (n) => odd[n]!);
  const part = await sitemapPart(1);
  const [noText, , tooLong] = tours.map(({ _id }) => _id.toString());
  expect([...part!.slugs].sort()).toEqual([noText, tooLong, "tour-1"].sort());
  expect(part!.guides).toEqual([guide.toString()]);
});
