import { chmod, lstat, mkdir, open, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The files of ours in the data folder. Some get another name first, with a process id at its end. */
const OURS = /^(database|database\.json|database\.log|demo-data|session-secret|\.part)(\.\d+)?$/;

/**
 * Makes the data folder or, if it exists, removes other users' permissions for our files in it. The folder itself is
 * closed to them only if it contains nothing else. Links are left as they are, and so are their targets. Calls `warn`
 * with what belongs to another user. Returns the folder's real path.
 */
export async function openDataFolder(
  dataDir: string,
  warn: (message: string) => void = () => {},
): Promise<string> {
  await makeFolder(dataDir);
  const folder = await realpath(dataDir);
  // Modes have no meaning on Windows.
  if (process.platform === "win32") return folder;
  const names = await readdir(folder);
  const own = names.filter((name) => OURS.test(name)).map((name) => join(folder, name));
  const stored = await readdir(join(folder, "database")).catch(() => []);
  const files = stored.map((name) => join(folder, "database", name));
  try {
    if (own.length === names.length) await closeToOthers(folder);
    for (const path of [...own, ...files]) await closeToOthers(path);
  } catch (error) {
    warn(`Others may read what is in ${dataDir}: ${(error as Error).message}.`);
  }
  return folder;
}

/**
 * Makes a folder, and those above it that are missing. Node's own recursive `mkdir` never ends in a folder that
 * accepts no new names, such as `/proc`, and then no signal ends the process.
 */
async function makeFolder(path: string): Promise<void> {
  if (await stat(path).catch(() => null)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another command may have made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Makes sure that the new names in a folder reach the disk, too; Windows cannot do this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

async function closeToOthers(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  if (!entry || entry.isSymbolicLink() || (entry.mode & 0o077) === 0) return;
  await chmod(path, entry.mode & 0o700);
}
