import { existsSync } from "node:fs";
import { copyFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { mongo } from "mongoose";
import { parseEnv } from "~/config/env.server";
import packageFile from "../package.json";
import {
  ARCHIVE,
  BESIDE,
  makePartFolder,
  packBackup,
  bytesBelow,
  unpackDatabase,
} from "./lib/backup-file";
import { readFileArgument, say, UsageError } from "./lib/command";
import { syncFolder } from "./lib/data-folder";
import { countDocuments, withEmbedded } from "./lib/database-copy";
import { progressBar } from "./lib/progress";

/** How often the progress of the engine is looked at, in milliseconds. */
const LOOK_MS = 500;

/**
 * Writes one consistent state of the embedded database to a file while the site serves, with the secret that signs
 * sessions and links. It uses the engine's own online backup. The copy counts as a backup only after it was opened
 * once; only then does it replace an older file of that name.
 */
export default async function dbBackup(args: string[]): Promise<void> {
  const file = readFileArgument(args, "Usage: npm run db:backup -- FILE");
  const { mongodbUri, dataDir, sessionSecret } = parseEnv(process.env);
  if (mongodbUri)
    throw new UsageError("db:backup is for the embedded database: mongodump backs up MONGODB_URI");
  const database = join(dataDir, "database");
  if (!existsSync(database)) throw new UsageError(`There is no embedded database in ${dataDir}`);
  try {
    const target = resolve(file);
    const part = await makePartFolder(dirname(target));
    await withEmbedded(dataDir, (db) => archive(db, join(part, ARCHIVE), database));
    for (const name of BESIDE)
      if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(part, name));
    if (sessionSecret)
      await writeFile(join(part, "session-secret"), sessionSecret, { mode: 0o600 });
    say("Opening the copy …");
    await unpackDatabase(join(part, ARCHIVE), join(part, "opened", "database"));
    const documents = await withEmbedded(join(part, "opened"), countDocuments);
    await packBackup(part, "backup", { version: packageFile.version, documents });
    await rename(join(part, "backup"), target);
    await syncFolder(dirname(target));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== "string" && !(error instanceof Error && error.name === "MongoServerError"))
      throw error;
    throw new UsageError(`No backup was made: ${message}`);
  }
  const { size } = await stat(file);
  say(`Backed up ${dataDir} to ${file} (${(size / 1_000_000).toFixed(1)} MB).`);
}

/** Makes the engine archive its storage, which is in `folder`, to the file `to`. */
async function archive(db: mongo.Db, to: string, folder: string): Promise<void> {
  const onProgress = progressBar("Backup");
  const total = await bytesBelow(folder);
  // The archive is compressed, so it is complete before it reaches that size.
  const showProgress = async () => onProgress(Math.min(await bytesBelow(to), total - 1), total);
  const timer = setInterval(() => void showProgress().catch(() => {}), LOOK_MS);
  try {
    await db.admin().command({ "secantusAdmin.backupArchive": 1, outputPath: to });
  } finally {
    clearInterval(timer);
    onProgress.end();
  }
}
