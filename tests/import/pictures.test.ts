import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, it, test } from "vitest";
import { openPicture } from "~/db/pictures.server";
import { importData } from "~/import/import.server";
import { ImportError } from "~/import/records.server";
import { Picture, PicturePart } from "#models/picture";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { everything, id, stored, tour, useGuide } from "../support/import-records";

// Files that tours name as their pictures (docs/rules/import.md, Pictures).

useDatabase();
useGuide();

let folder: string;
const outside: string[] = [];
beforeEach(async () => {
  outside.push((folder = await mkdtemp(join(tmpdir(), "pictures-"))));
  await mkdir(join(folder, "sub"));
});
afterAll(() => Promise.all(outside.map((path) => rm(path, { recursive: true }))));

const made = (background: string, width = 1_800, height = 1_200) =>
  sharp({ create: { width, height, channels: 3, background } });
const write = (name: string, bytes: Buffer | string) => writeFile(join(folder, name), bytes);
const importTour = (images: unknown[], options: { dryRun?: boolean } = {}) =>
  importData({ tours: [tour(0, { images })] }, { images: folder, ...options });

async function addresses(): Promise<string[]> {
  const { images } = (await stored(Tour, id("b", 0))) as unknown as { images: { url: string }[] };
  return images.map(({ url }) => url);
}

async function bytesOf(name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of (await openPicture(name))!) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

it("finds a file in whatever form of Unicode its name and its folder are", async () => {
  const [composed, decomposed] = [
    (s: string) => s.normalize("NFC"),
    (s: string) => s.normalize("NFD"),
  ];
  await mkdir(join(folder, decomposed("é")));
  await write(
    `${decomposed("é")}/${composed("ü")}.png`,
    await made("red", 300, 200).png().toBuffer(),
  );
  for (const form of [composed, decomposed]) await importTour([form("é/ü.png")], { dryRun: true });
  await expect(importTour(["é/../../ü.png"])).rejects.toThrow(ImportError);
});

it("keeps JPEG, PNG and WebP files in three widths as WebP, without what the camera has added", async () => {
  const exif = { IFD0: { Copyright: "secret place" } };
  // Turned by its camera: it stands upright.
  await write(
    "a.jpg",
    await made("red").withMetadata({ orientation: 6 }).withExifMerge(exif).jpeg().toBuffer(),
  );
  await write("sub/b.png", await made("blue", 300, 200).png().toBuffer());
  await write("c.webp", await made("green", 1_600, 1_600).webp().toBuffer());
  await importTour(["a.jpg", { url: "sub/b.png", alt: "The sea" }, "c.webp"]);
  const kept = await addresses();
  expect(kept).toEqual(Array(3).fill(expect.stringMatching(/^\/pictures\/[0-9a-f]{32}$/)));
  expect(await Picture.countDocuments()).toBe(9);
  const sizesOf = (url: string) =>
    Promise.all(
      [480, 960, 1_600].map(async (width) => {
        const bytes = await bytesOf(`${url.slice("/pictures/".length)}-${width}`);
        expect(bytes.includes("secret")).toBe(false);
        const { format, width: w, height: h } = await sharp(bytes).metadata();
        return [format, w, h];
      }),
    );
  expect(await sizesOf(kept[0]!)).toEqual([
    ["webp", 480, 720],
    ["webp", 960, 1_440],
    ["webp", 1_200, 1_800],
  ]);
  expect(await sizesOf(kept[1]!)).toEqual(Array(3).fill(["webp", 300, 200]));
  expect(await sizesOf(kept[2]!)).toEqual([480, 960, 1_600].map((side) => ["webp", side, side]));
});

describe("files that are refused before anything is written", () => {
  const NO_FILE = "must be an address with https, or a file in the folder of --images";
  const NOT_READ = "must be a whole JPEG, PNG or WebP picture of at most 50 million pixels";
  const SVG =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>';
  const frames = () =>
    sharp(Buffer.from(Array.from({ length: 8 * 16 * 3 }, (_, n) => n % 251)), {
      raw: { width: 8, height: 16, channels: 3, pageHeight: 8 },
    });

  test("each by its name", async () => {
    const jpeg = await made("red").jpeg().toBuffer();
    const files: [name: string, bytes: Buffer | string, problem: string][] = [
      ["drawn.jpg", SVG, NOT_READ],
      ["moving.webp", await frames().webp().toBuffer(), "must be a picture that does not move"],
      ["cut.jpg", jpeg.subarray(0, jpeg.length / 2), NOT_READ],
      ["empty.png", "", NOT_READ],
      ["bomb.png", await made("red", 8_000, 8_000).png().toBuffer(), NOT_READ],
      ["large.jpg", Buffer.concat([jpeg, Buffer.alloc(20_000_000)]), "must have at most 20 MB"],
    ];
    for (const [name, bytes] of files) await write(name, bytes);
    await writeFile(`${folder}-outside.jpg`, jpeg);
    outside.push(`${folder}-outside.jpg`);
    await symlink(`${folder}-outside.jpg`, join(folder, "link.jpg"));
    const names = [`../${folder.split("/").at(-1)}-outside.jpg`, `${folder}-outside.jpg`];
    const absent = ["link.jpg", "none.jpg", "sub", ".", "a\nb", ...names];
    const before = await everything();
    const tours = [...files.map(([name]) => name), ...absent].map((name, n) =>
      tour(n, { images: [{ url: name }] }),
    );
    const refused = (await importData({ tours }, { images: folder }).catch(
      (error: unknown) => error,
    )) as Error;
    expect(refused).toBeInstanceOf(ImportError);
    expect(refused.message.split("\n")).toEqual([
      ...files.map(([, , problem], n) => `tours[${n}].images.0.url: ${problem}`),
      ...absent.map((_, n) => `tours[${files.length + n}].images.0.url: ${NO_FILE}`),
    ]);
    expect(await everything()).toEqual(before);
  });
});

it("writes nothing in a trial, nor a second time", async () => {
  await write("a.jpg", await made("red").jpeg().toBuffer());
  const before = await everything();
  expect(await importTour(["a.jpg"], { dryRun: true })).toMatchObject({ tours: { new: 1 } });
  expect(await everything()).toEqual(before);
  await importTour(["a.jpg"]);
  const after = await everything();
  expect(await importTour(["a.jpg"])).toMatchObject({ tours: { unchanged: 1 } });
  expect(await everything()).toEqual(after);
});

it("removes a replaced picture when nothing names it and no import can be under way that does", async () => {
  const [red, blue] = await Promise.all(
    ["red", "blue"].map((c) => made(c, 90, 60).png().toBuffer()),
  );
  await write("a.png", red!);
  await importTour(["a.png"]);
  const [first] = await addresses();
  await importData({ tours: [tour(1, { images: ["a.png"] })] }, { images: folder });
  await write("a.png", blue!);
  await importTour(["a.png"]);
  const [second] = await addresses();
  expect(second).not.toBe(first);
  const keptOf = (address: string) => openPicture(`${address.slice("/pictures/".length)}-480`);
  const age = () => Picture.updateMany({}, { uploadDate: new Date(Date.now() - 2 * 60 * 60_000) });
  await age();
  // Another tour names it.
  await importTour(["a.png"]);
  expect(await keptOf(first!)).not.toBeNull();
  await importData({ tours: [tour(1, { images: [] })] });
  expect(await keptOf(first!)).toBeNull();
  expect(await keptOf(second!)).not.toBeNull();
  expect([await Picture.countDocuments(), await PicturePart.countDocuments()]).toEqual([3, 3]);
  await Picture.updateMany({}, { uploadDate: new Date() });
  await importTour([]);
  expect(await Picture.countDocuments()).toBe(3);
});
