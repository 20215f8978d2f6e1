import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { create, extract } from "tar";
import { z } from "zod";
import { UsageError } from "./command";
import { removeLeftovers, removeNow } from "./leftovers";

// A backup is a tar file of a manifest and of the data folder's files: the engine's own archive of the database, and
// the files next to it.

const MANIFEST = "manifest.json";

/** The engine's archive, a compressed tar file of its storage. */
export const ARCHIVE = "database.tar.gz";

/** The beginning of the name of a folder whose content is not complete yet. */
export const PART = ".part.";

/** The files of the data folder next to the database, each only if it exists. */
export const BESIDE = ["session-secret", "demo-data"];

/** How large the content of an archive may be: so many times its size, and the engine's log, which is mostly zeros. */
const MOST_TIMES = 100;
const LOG_BYTES = 100_000_000;

/** The largest file beside the archive, in bytes. */
const BESIDE_BYTES = 1_000_000;

const Manifest = z.object({
  format: z.literal(1),
  /** The release of Tour Reviews that made the backup. */
  version: z.string().max(100),
  createdAt: z.iso.datetime(),
  /** How many documents each collection has, except those that expire, because their number falls by itself. */
  documents: z.record(z.string(), z.int().min(0)),
  /** The SHA-256 sum of each file, in hex. */
  files: z.partialRecord(z.enum([ARCHIVE, ...BESIDE]), z.string()),
});
export type Manifest = z.output<typeof Manifest>;

/** Writes a backup of the files in `folder` to `file` there, readable only by its owner and safe on the disk. */
export async function packBackup(
  folder: string,
  file: string,
  manifest: Pick<Manifest, "version" | "documents">,
): Promise<void> {
  const present = new Set(await readdir(folder));
  const names = [ARCHIVE, ...BESIDE].filter((name) => present.has(name));
  const files = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await fileHash(join(folder, name))] as const),
    ),
  );
  const whole = { format: 1, ...manifest, createdAt: new Date().toISOString(), files };
  await writeFile(join(folder, MANIFEST), JSON.stringify(whole, null, 2), { mode: 0o600 });
  const path = join(folder, file);
  await create({ cwd: folder, file: path, portable: true }, [MANIFEST, ...names]);
  await chmod(path, 0o600);
  const handle = await open(path, "r+");
  await handle.sync();
  await handle.close();
}

/**
 * Unpacks a backup into the empty `folder`, compares its files with its manifest, and returns the manifest. Throws
 * `UsageError` if the file is no backup or is damaged, or if its format is newer than this release.
 */
export async function unpackBackup(file: string, folder: string): Promise<Manifest> {
  const refused = (why: string) => new UsageError(`${file} ${why}`);
  if (!(await stat(file).catch(() => null))?.isFile()) throw refused("is no file that can be read");
  const beside = [MANIFEST, ...BESIDE];
  try {
    await unpackFiles(
      file,
      folder,
      (path, size) => path === ARCHIVE || (beside.includes(path) && size <= BESIDE_BYTES),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === "write") throw error;
    throw refused("is no backup of Tour Reviews, or is damaged");
  }
  const manifest = await readManifest(folder).catch(() => {
    throw refused("is no backup of Tour Reviews, or one of a newer release");
  });
  for (const [name, sum] of Object.entries(manifest.files))
    if ((await fileHash(join(folder, name)).catch(() => null)) !== sum)
      throw refused(`is damaged: ${name} differs from its sum`);
  if (!manifest.files[ARCHIVE]) throw refused("is no backup of Tour Reviews");
  return manifest;
}

const readManifest = async (folder: string): Promise<Manifest> =>
  Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), "utf8")));

/**
 * Unpacks the engine's archive into a folder, from which the engine can start. Throws `UsageError` for an archive with
 * anything but files, or with too much.
 */
export async function unpackDatabase(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const left = await unpackFiles(archive, folder, (path) => !/[/\\]/.test(path));
  if (left !== undefined)
    throw new UsageError(`${ARCHIVE} is no archive of the database: see ${JSON.stringify(left)}`);
}

/**
 * Unpacks the files that are wanted, never a link, as long as they are no more than an archive of that size can have.
 * Returns the name of the first entry that it has left out.
 */
async function unpackFiles(
  file: string,
  folder: string,
  isWanted: (path: string, size: number) => boolean,
): Promise<string | undefined> {
  let room = (await stat(file)).size * MOST_TIMES + LOG_BYTES;
  let left: string | undefined;
  await extract({
    file,
    cwd: folder,
    strict: true,
    // As root it would give them to whichever user the archive names.
    preserveOwner: false,
    filter: (path, entry) => {
      const isFile = "type" in entry && entry.type === "File";
      if (isFile && isWanted(path, entry.size) && (room -= entry.size) >= 0) return true;
      left ??= path;
      return false;
    },
  });
  return left;
}

/**
 * Makes a folder in `folder` for incomplete content, and removes it when this process ends. Also removes what killed
 * processes have left there.
 */
export async function makePartFolder(folder: string): Promise<string> {
  await removeLeftovers(folder, /^\.part\.(\d+)$/);
  const part = join(folder, `${PART}${process.pid}`);
  await mkdir(part, { mode: 0o700 });
  process.once("exit", () => removeNow(part));
  return part;
}

/** The size in bytes of a file, or of the files in a folder; 0 if it does not exist. */
export async function bytesBelow(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) return found?.size ?? 0;
  const sizes = await Promise.all(
    (await readdir(path)).map((name) => bytesBelow(join(path, name))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The SHA-256 sum of a file, in hex. */
async function fileHash(path: string): Promise<string> {
  const sum = createHash("sha256");
  await pipeline(createReadStream(path), sum);
  return sum.digest("hex");
}
