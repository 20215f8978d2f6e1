import { readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { mongo } from "mongoose";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { parseEnv } from "~/config/env.server";
import { Layout, type LayoutDocument } from "#models/layout";
import {
  ARCHIVE,
  BESIDE,
  makePartFolder,
  type Manifest,
  PART,
  unpackBackup,
  unpackDatabase,
} from "./lib/backup-file";
import { readFileArgument, say, UsageError } from "./lib/command";
import { openDataFolder, syncFolder } from "./lib/data-folder";
import {
  copyDocuments,
  countDocuments,
  findWrongRatings,
  isEmpty,
  withConnection,
  withEmbedded,
} from "./lib/database-copy";
import { refuseNewer } from "./migrations/index";

/**
 * Restores a backup into an empty data folder, or into the empty database of `MONGODB_URI`, after checking the sums
 * of its files. Then it compares the numbers of documents with those of the backup, and the ratings with the reviews.
 */
export default async function dbRestore(args: string[]): Promise<void> {
  const file = readFileArgument(args, "Usage: npm run db:restore -- FILE");
  const { mongodbUri, dataDir } = parseEnv(process.env);
  try {
    if (mongodbUri) await restoreInto(mongodbUri, file);
    else await restoreFolder(dataDir, file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== "string") throw error;
    throw new UsageError(`Nothing was restored: ${message}`);
  }
}

async function restoreFolder(dataDir: string, file: string): Promise<void> {
  await openDataFolder(dataDir);
  const names = await readdir(dataDir);
  // Left behind by a killed restore.
  const left = names.some((name) => name.startsWith(PART)) ? BESIDE : [];
  if (names.some((name) => !name.startsWith(PART) && !left.includes(name)))
    throw new UsageError(
      `${dataDir} is not empty, and db:restore replaces nothing: set DATA_DIR to another folder`,
    );
  const part = await makePartFolder(dataDir);
  const manifest = await unpack(file, part);
  await withEmbedded(part, async (db, uri) => {
    await refuseNewerLayout(db);
    await compareCounts(db, manifest);
    await beginAnew(db, manifest);
    await compareRatings(uri);
  });
  for (const name of BESIDE)
    if (manifest.files[name]) await rename(join(part, name), join(dataDir, name));
  // The restored data count from this rename on.
  await rename(join(part, "database"), join(dataDir, "database"));
  await syncFolder(dataDir);
  say(`Restored the backup of ${manifest.createdAt} into ${dataDir}.`);
}

async function restoreInto(mongodbUri: string, file: string): Promise<void> {
  if (!(await withConnection(mongodbUri, isEmpty)))
    throw new UsageError(
      "The database of MONGODB_URI has documents, and db:restore replaces none: name an empty one",
    );
  const part = await makePartFolder(tmpdir());
  const manifest = await unpack(file, part);
  await connectDatabase(mongodbUri);
  await disconnectDatabase();
  await withConnection(mongodbUri, async (to) => {
    await withEmbedded(part, async (from) => {
      await refuseNewerLayout(from);
      await copyDocuments(from, to);
    });
    await compareCounts(to, manifest);
    await beginAnew(to, manifest);
  });
  await compareRatings(mongodbUri);
  say(`Restored the backup of ${manifest.createdAt} into the database of MONGODB_URI.`);
}

/** Unpacks a backup and its database into `folder`, which then is a data folder. */
async function unpack(file: string, folder: string): Promise<Manifest> {
  say("Unpacking …");
  const manifest = await unpackBackup(file, folder);
  await unpackDatabase(join(folder, ARCHIVE), join(folder, "database"));
  await rm(join(folder, ARCHIVE));
  return manifest;
}

async function refuseNewerLayout(db: mongo.Db): Promise<void> {
  const layout = await db.collection(Layout.collection.collectionName).findOne<LayoutDocument>({});
  if (layout) refuseNewer(layout.number);
}

async function compareCounts(db: mongo.Db, { documents }: Manifest): Promise<void> {
  const restored = await countDocuments(db);
  for (const [name, count] of Object.entries(documents))
    if ((restored[name] ?? 0) !== count)
      throw new UsageError(
        `Nothing was restored: ${name} has ${restored[name] ?? 0} documents, and ${count} in the backup`,
      );
}

/** The signed last changes then say that later ones are missing (docs/rules/reviews.md, Changes). */
async function beginAnew(db: mongo.Db, { createdAt }: Manifest): Promise<void> {
  const restored = { at: new Date(), backupOf: new Date(createdAt) };
  const layouts = db.collection<LayoutDocument>(Layout.collection.collectionName);
  await layouts.updateOne({ _id: "layout" }, { $set: { restored } });
}

/** Says which tours' figures differ from their reviews; they already did in the backup. */
async function compareRatings(uri: string): Promise<void> {
  const wrong = await findWrongRatings(uri);
  if (wrong.length > 0)
    say(
      `The ratings of ${wrong.length} tours differ from their reviews: npm run ratings -- rebuild`,
    );
}
