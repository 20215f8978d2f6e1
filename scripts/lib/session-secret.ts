import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { env, setSessionSecret } from "../../app/infra/env.server";
import { SESSION_SECRET_LENGTH } from "../../app/infra/settings.server";
import { UsageError } from "./command";
import { openDataFolder, syncFolder } from "./data-folder";

/** Its file in the data folder. */
const NAME = "session-secret";

/**
 * The secret that signs session cookies, created once and stored in `dataDir`. One that is too short
 * or zeros, as a crash of the machine or a full disk leaves it, is made anew.
 */
export async function storedSessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, NAME);
  try {
    await openDataFolder(dataDir);
    const stored = await readIfThere(file);
    if (stored.length >= SESSION_SECRET_LENGTH && !stored.includes("\0")) return stored;
    await writeWhole(file, randomBytes(32).toString("base64url"));
    // That of another command, if one has replaced it since.
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Has the services in this process sign and hash as the site does. Returns whether its secret is known: none is made
 * for a database of `MONGODB_URI`, because it would not be that of the site.
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

/** Writes a file for its owner alone, of which a crash at any moment leaves the old state or the new one. */
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
