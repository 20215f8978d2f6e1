import type { CommandStartedEvent } from "mongodb";
import mongoose, { Types } from "mongoose";
import { expect, test } from "vitest";
import { BATCH, batches } from "~/db/batches";
import { importData } from "~/import/import.server";
import { loader } from "~/routes/_index";
import { tourRefresh } from "~/search/tour-refresh.server";
import { listToursInPages, ToursQuery } from "~/tours/search/api-list.server";
import { getTourPage, TOURS_PER_PAGE } from "~/tours/tours.server";
import { MOST_PICTURES, Picture } from "#models/picture";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { expectReads, rowsOfAnswers, sentBy } from "../support/explain";
import { tour, useGuide } from "../support/import-records";

// What is read and sent for 3,000 tours with 10,000 pictures and 100,000 departures: no more than for few, or for each
// batch.

useDatabase();
useGuide();

const TOURS = 3_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const FIRST = Date.UTC(2098, 0, 1);
/** On how many days they leave. */
const DAYS = 500;

const datesOf = (n: number) =>
  Array.from(
    { length: 33 + Number(n % 3 === 0) },
    (_, k) => new Date(FIRST + ((n * 7 + k * 15) % DAYS) * DAY_MS + (9 + (n % 9)) * 3_600_000),
  );
const picturesOf = (n: number) =>
  Array.from({ length: 3 + Number(n % 3 === 0) }, (_, k) => ({
    url: `https://img.example.test/${n}/${k}.jpg`,
    alt: `Picture ${k}`,
  }));
const numbers = Array.from({ length: TOURS }, (_, n) => n);

const home = (search: string) =>
  loader({ request: new Request(`http://localhost/${search}`), params: {}, context: {} });

test("the list of some days reads the tours that leave on them, by indexes", async () => {
  await Tour.collection.insertMany(
    numbers.map((n) => ({
      title: `Walk ${n}`,
      slug: `walk-${n}`,
      createdById: new Types.ObjectId(),
      dates: datesOf(n),
      images: picturesOf(n),
    })),
  );
  await tourRefresh.renew();
  const [from, until] = [100, 102].map((day) => FIRST + day * DAY_MS) as [number, number];
  const leaving = numbers.filter((n) =>
    datesOf(n).some((at) => at.getTime() >= from && at.getTime() < until),
  ).length;
  expect(leaving).toBeLessThan(TOURS / 5);
  const [first, last] = [from, until - 1].map((at) => new Date(at).toISOString().slice(0, 10));
  const search = `?from=${first}&to=${last}`;
  let total = 0;
  const ask = async () => void ({ total } = await home(search));
  const sent = await sentBy(ask);
  expect(total).toBe(leaving);
  expect(sent.length).toBeLessThanOrEqual(8);
  const ofTours = sent.filter(({ collection }) => collection === Tour.collection.name);
  await expectReads(ofTours, leaving);
  // The embedded database reads all tours for $elemMatch, and does not say so.
  const [aggregation] = ofTours.flatMap(({ command }) => command.pipeline ?? []) as object[];
  expect(aggregation).toEqual({
    $match: { dates: { $gte: new Date(from), $lt: new Date(until) } },
  });
  const rows = await rowsOfAnswers(Tour, ask);
  expect(rows.reduce((sum, count) => sum + count)).toBe(leaving + TOURS_PER_PAGE);

  expect((await sentBy(() => home(""))).length).toBeLessThanOrEqual(6);
  for (const query of [{ limit: "100" }, { q: "walk", sort: "newest", limit: "100" }]) {
    let after = "";
    for (const page of ["first", "second"]) {
      const list = async () => {
        const asked = ToursQuery.parse({ ...query, ...(after && { after }) });
        const { tours, next } = await listToursInPages(asked);
        expect([page, tours.length]).toEqual([page, 100]);
        after = next!;
      };
      const rows = await rowsOfAnswers(Tour, list);
      expect(rows.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(100);
    }
  }
  expect((await sentBy(() => getTourPage("walk-7"))).length).toBeLessThanOrEqual(12);
});

test("an import of them reads and writes in parts, and so removes unnamed pictures", async () => {
  const uploadDate = new Date(Date.now() - DAY_MS);
  const kept = Array.from({ length: 10_000 }, (_, n) => n.toString(16).padStart(32, "0"));
  const named = kept.slice(0, 9_000);
  await Picture.collection.insertMany(
    kept.map((hash) => ({ _id: `${hash}-480`, uploadDate })) as never[],
  );
  await Tour.collection.insertMany(
    [...batches(named, MOST_PICTURES)].map((hashes, n) => ({
      slug: `kept-${n}`,
      images: hashes.map((hash) => `/pictures/${hash}`),
    })),
  );
  const tours = numbers.map((n) =>
    tour(n, { dates: datesOf(n).map((at) => at.toISOString()), images: picturesOf(n) }),
  );
  const written: number[] = [];
  const record = ({ command }: CommandStartedEvent) => {
    const { documents, updates, deletes } = command as Record<string, unknown[] | undefined>;
    written.push(...[documents, updates, deletes].map((list) => list?.length ?? 0));
  };
  const client = mongoose.connection.getClient();
  client.on("commandStarted", record);
  let pictures: number[] = [];
  const rows = await rowsOfAnswers(Tour, async () => {
    pictures = await rowsOfAnswers(Picture, () => importData({ tours }));
  });
  client.off("commandStarted", record);
  expect(await Tour.countDocuments()).toBe(TOURS + named.length / MOST_PICTURES);
  expect(Math.max(...written)).toBe(1_000);
  expect(Math.max(...rows, ...pictures)).toBeLessThanOrEqual(BATCH);
  expect(await Picture.countDocuments()).toBe(named.length);
});
