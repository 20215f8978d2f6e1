import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { importData } from "~/import/import.server";
import { getCheckpoint } from "~/reviews/checkpoints/checkpoint.server";
import { postReview } from "~/reviews/post.server";
import { checkRatings } from "~/reviews/ratings.server";
import { loader as pictureLoader } from "~/routes/pictures.$name";
import { Layout } from "#models/layout";
import { Picture, PICTURE_WIDTHS, PicturePart, type TourPicture } from "#models/picture";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User } from "#models/user";
import { acquireDatabase, type EmbeddedDatabase } from "../../scripts/database/index";
import { connected } from "../../scripts/lib/database-copy";
import { folder, outcome, run, until, useCommands } from "../support/commands";
import { connectTo, databaseUri } from "../support/database";
import { dropDatabase } from "../support/collections";
import { as, makeBookedExplorer, makeTour } from "../support/factories";

// npm run db:backup and db:restore, on a data folder of their own.

useCommands();

let dataDir: string;
let database: EmbeddedDatabase;
let backup: string;
let tour: TourDocument;
beforeAll(async () => {
  dataDir = join(folder, "data");
  backup = join(folder, "backup.tar");
  database = await acquireDatabase({ dataDir });
  await writeFile(join(dataDir, "session-secret"), "s".repeat(43), { mode: 0o600 });
  await connectTo(database.uri);
  await Layout.create({ _id: "layout", number: 0, leasedUntil: new Date(0) });
  tour = await makeTour();
  await keepPicture();
  for (let n = 0; n < 20; n++) await post();
  await backUp();
}, 120_000);
afterAll(async () => {
  await disconnectDatabase();
  await database.release();
});

const post = async () =>
  postReview(as(await makeBookedExplorer(tour)), { tourId: tour._id.toString(), rating: 4 });

const importTour = (images: string[]) => {
  const record = { id: tour._id.toString(), title: tour.title, slug: tour.slug };
  const tours = [{ ...record, createdById: tour.createdById.toString(), images }];
  return importData({ tours }, { images: folder });
};

/** Keeps a picture that takes several parts. */
async function keepPicture(): Promise<void> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const sea = sharp({
    create: { width: 1_600, height: 1_600, channels: 3, background: "blue", noise },
  });
  await sea.png().toFile(join(folder, "sea.png"));
  await importTour(["sea.png"]);
}

/** The hash of the bytes that an address of a picture answers with, or else the status. */
async function answerOf(address: string): Promise<string | number> {
  const request = new Request(`http://localhost${address}`);
  const params = { name: address.slice("/pictures/".length) };
  const answer = pictureLoader({ request, params, context: {} });
  const response = await answer.catch((refusal: unknown) => refusal as Response);
  if (!response.ok) return response.status;
  const bytes = Buffer.from(await response.arrayBuffer());
  return createHash("sha256").update(bytes).digest("hex");
}

/** The addresses of the tour's picture, one for each width, and what they answer. */
async function picturesShown(): Promise<Record<string, string | number>> {
  const { images } = await Tour.findById(tour._id).orFail().lean();
  const { url } = images[0] as TourPicture;
  const addresses = PICTURE_WIDTHS.map((width) => `${url}-${width}.webp`);
  const answers = await Promise.all(addresses.map(answerOf));
  return Object.fromEntries(addresses.map((address, n) => [address, answers[n]!]));
}

const backUp = (file = backup) => outcome(["db-backup", file], { DATA_DIR: dataDir });
const restore = (into: string, file = backup) =>
  outcome(["db-restore", file], { DATA_DIR: join(folder, into) });

/** Runs `work` with Mongoose connected to another database. */
async function connectedTo<Result>(uri: string, work: () => Promise<Result>): Promise<Result> {
  await disconnectDatabase();
  try {
    return await connected(uri, work, { indexes: false });
  } finally {
    await connectDatabase(database.uri, { indexes: false });
  }
}

/** The ids of all reviews, after checking that the tours' figures match them. */
async function reviewsThere(): Promise<string[]> {
  expect(await checkRatings()).toEqual([]);
  return (await Review.find().lean()).map(({ _id }) => _id.toString());
}

const parts = async (of: string) => (await readdir(of)).filter((name) => name.includes(".part"));

describe("a backup", () => {
  it("is one state of a database that is being written, with everything that was acknowledged before it", async () => {
    const before = await reviewsThere();
    let running = true;
    const writers = [1, 2, 3].map(async () => {
      while (running) await post();
    });
    const { code, errors } = await backUp();
    running = false;
    await Promise.all(writers);
    expect([code, errors]).toEqual([0, [expect.stringMatching(/^Backed up .* to .*backup.tar/)]]);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(await parts(folder)).toEqual([]);
    const after = await reviewsThere();
    expect(after.length).toBeGreaterThan(before.length);

    expect(await restore("restored")).toMatchObject({ code: 0 });
    const restored = join(folder, "restored");
    expect((await readdir(restored)).sort()).toEqual(["database", "session-secret"]);
    expect(await readFile(join(restored, "session-secret"), "utf8")).toBe("s".repeat(43));
    const copy = await acquireDatabase({ dataDir: restored });
    const { found, pictures, signed } = await connectedTo(copy.uri, async () => ({
      found: await reviewsThere(),
      pictures: await picturesShown(),
      signed: await getCheckpoint(),
    }));
    await copy.release();
    expect(signed).toMatch(/^begins-anew \S+ backup-of 20/m);
    expect(found).toEqual(expect.arrayContaining(before));
    expect(after).toEqual(expect.arrayContaining(found));
    expect(pictures).toEqual(await picturesShown());
    expect(Object.values(pictures)).not.toContain(404);
  });

  it("that is killed leaves the older backup as it was, and the next one removes what it left", async () => {
    const older = await readFile(backup);
    const cutOff = run(["db-backup", backup], { DATA_DIR: dataDir });
    await until(() => cutOff.stderr().includes("Opening"));
    cutOff.child.kill("SIGKILL");
    expect(await cutOff.ended).toBe("SIGKILL");
    expect(await readFile(backup)).toEqual(older);
    expect(await parts(folder)).toHaveLength(1);
    // The killed backup's engine still opens the copy until its keeper notices.
    await until(() => backUp().then(({ code }) => code === 0));
    expect(await parts(folder)).toEqual([]);
  });

  it("that is interrupted leaves nothing", async () => {
    const stopped = run(["db-backup", join(folder, "stopped.tar")], { DATA_DIR: dataDir });
    await until(() => stopped.stderr().includes("Opening"));
    stopped.child.kill("SIGTERM");
    expect(await stopped.ended).toBe(143);
    expect((await readdir(folder)).filter((name) => /part|stopped/.test(name))).toEqual([]);
  });
});

describe("a restore", () => {
  it("replaces nothing", async () => {
    await mkdir(join(folder, "used"));
    await writeFile(join(folder, "used", "notes.txt"), "mine");
    const refused = `${join(folder, "used")} is not empty, and db:restore replaces nothing: set DATA_DIR to another folder`;
    expect(await restore("used")).toMatchObject({ code: 1, errors: [refused] });
    expect(await readdir(join(folder, "used"))).toEqual(["notes.txt"]);
  });

  it("refuses a database of a newer release", async () => {
    await Layout.updateOne({}, { number: 1_000 });
    const newer = join(folder, "newer.tar");
    expect(await backUp(newer)).toMatchObject({ code: 0 });
    await Layout.updateOne({}, { number: 0 });
    const { code, errors } = await restore("older", newer);
    expect([code, errors]).toEqual([1, [expect.stringMatching(/^The database has layout 1000/)]]);
    expect(await readdir(join(folder, "older"))).toEqual([]);
  });

  it("succeeds after one that was killed", async () => {
    await mkdir(join(folder, "again", ".part.4194304"), { recursive: true });
    await copyFile(join(dataDir, "session-secret"), join(folder, "again", "session-secret"));
    expect(await restore("again")).toMatchObject({ code: 0 });
    expect((await readdir(join(folder, "again"))).sort()).toEqual(["database", "session-secret"]);
  });

  it("puts the same data into a MONGODB_URI without documents", async () => {
    const MONGODB_URI = databaseUri("restored_elsewhere");
    const settings = { MONGODB_URI, DATA_DIR: join(folder, "unused") };
    expect(await outcome(["db-restore", backup], settings)).toMatchObject({
      code: 0,
      errors: [expect.stringMatching(/^Restored the backup of .* MONGODB_URI/)],
    });
    const [user] = await User.find().limit(1).lean();
    const pictures = await picturesShown();
    await connectedTo(MONGODB_URI, async () => {
      expect((await reviewsThere()).length).toBeGreaterThanOrEqual(20);
      expect(await User.findById(user!._id).lean()).toEqual(user);
      expect(await getCheckpoint()).toMatch(/^begins-anew \S+ backup-of 20/m);
      expect(await Review.collection.indexes()).toContainEqual(
        expect.objectContaining({ unique: true }),
      );
      expect(await picturesShown()).toEqual(pictures);
      // An import removes them when no tour names them any more.
      await Picture.updateMany({}, { uploadDate: new Date(Date.now() - 2 * 60 * 60_000) });
      await importTour([]);
      for (const address of Object.keys(pictures)) expect(await answerOf(address)).toBe(404);
      expect([await Picture.countDocuments(), await PicturePart.countDocuments()]).toEqual([0, 0]);
    });
    expect(await outcome(["db-restore", backup], settings)).toMatchObject({
      code: 1,
      errors: [
        "The database of MONGODB_URI has documents, and db:restore replaces none: name an empty one",
      ],
    });
    const other = await mongoose.createConnection(MONGODB_URI).asPromise();
    await dropDatabase(other);
    await other.close();
  });
});
