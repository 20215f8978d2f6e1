import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { env, setSessionSecret } from "~/config/env.server";
import { SESSION_SECRET_LENGTH } from "~/config/settings.server";
import { UsageError } from "./usage-error";
import { openDataFolder, syncFolder } from "./data-folder";

/** The name of the secret's file in the data folder. */
const NAME = "session-secret";

/**
 * The secret that signs session cookies, created once and stored in `dataDir`. If it is too short or contains zeros,
 * as after a crash of the machine or on a full disk, a new one is made.
 */
export async function storedSessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, NAME);
  try {
    await openDataFolder(dataDir);
    const stored = await readIfThere(file);
    if (stored.length >= SESSION_SECRET_LENGTH && !stored.includes("\0")) return stored;
    await writeWhole(file, randomBytes(32).toString("base64url"));
    // If another command has replaced it since, this is that command's secret.
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Makes the services in this process sign and hash as the site does. Returns whether the site's secret is known: none
 * is made for a database of `MONGODB_URI`, because it would differ from the site's.
 */
export async function useSessionSecret(): Promise<boolean> {
  const { sessionSecret, mongodbUri, dataDir } = env();
  if (sessionSecret) return true;
  if (mongodbUri && !existsSync(join(dataDir, NAME))) return false;
  setSessionSecret(await storedSessionSecret(dataDir));
  return true;
}

async function readIfThere(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Writes a file that only its owner can read. A crash at any moment leaves the old content or the new. */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}
