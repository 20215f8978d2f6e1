import { expect, test } from "vitest";
import { BATCH, batches } from "~/db/batches";
import { importData } from "~/import/import.server";
import { MOST_PICTURES, Picture } from "#models/picture";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { rowsOfAnswers } from "../support/explain";
import { tour, useGuide } from "../support/import-records";

// What is read for 3,000 tours with 10,000 pictures and 100,000 departures: no more than for each batch.

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

test("an import of them reads in parts, and so removes unnamed pictures", async () => {
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
  let pictures: number[] = [];
  const rows = await rowsOfAnswers(Tour, async () => {
    pictures = await rowsOfAnswers(Picture, () => importData({ tours }));
  });
  expect(await Tour.countDocuments()).toBe(TOURS + named.length / MOST_PICTURES);
  expect(Math.max(...rows, ...pictures)).toBeLessThanOrEqual(BATCH);
  expect(await Picture.countDocuments()).toBe(named.length);
});
