import { createHash } from "node:crypto";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Picture, PICTURE_WIDTHS } from "#models/picture";
import { asHttpsAddress } from "#models/https-address";
import { Tour, type TourDocument } from "#models/tour";
import { HOUR_MS } from "~/lib/durations";
import { cursorBatches, BATCH } from "~/db/batches";
import { hasPicture, keepPicture, removePictures } from "~/db/pictures.server";
import { ImportError, type Issue, type Records } from "./records.server";

const MOST_BYTES = 20_000_000;
const MOST_PIXELS = 50_000_000;
/** Largest ratio of height to width. */
const MOST_HEIGHT = 2;
const QUALITY = 80;

/** Pictures of the last hour may be another import's, whose tours come after them. */
const SPARED_MS = HOUR_MS;

const NO_FILE = "must be an address with https, or a file in the folder of --images";
const NOT_READ = "must be a whole JPEG, PNG or WebP picture of at most 50 million pixels";

interface Checked {
  hash?: string;
  problem?: string;
}

/** The files in the folder of `--images` that the tours of an import name (docs/rules/import.md, Pictures). */
export class PictureFiles {
  readonly #checked = new Map<string, Promise<Checked>>();
  /** The paths of files that are not kept yet, by their hashes. */
  readonly #paths = new Map<string, string>();

  constructor(private readonly folder: string | undefined) {}

  /** Replaces the names of files in a tour's record by the addresses that they will have; returns what is wrong. */
  async name({ images }: Partial<Records["tours"]>): Promise<Issue[]> {
    const issues: Issue[] = [];
    for (const [n, image] of images?.entries() ?? []) {
      if (asHttpsAddress(image.url) !== undefined) continue;
      const checked = this.#checked.get(image.url) ?? this.#check(image.url);
      this.#checked.set(image.url, checked);
      const { hash, problem } = await checked;
      if (problem) issues.push({ field: `images.${n}.url`, message: problem });
      else image.url = `/pictures/${hash}`;
    }
    return issues;
  }

  /** Encodes and keeps them. Ends with an `AbortError` when `stopped` aborts. */
  async keep(onProgress: (done: number, total: number) => void, stopped?: AbortSignal) {
    let done = 0;
    for (const [hash, path] of this.#paths) {
      stopped?.throwIfAborted();
      const bytes = await readFile(path);
      if (pictureHash(bytes) !== hash)
        throw new ImportError(`${path} has changed since it was checked`);
      const sizes: Buffer[] = [];
      for (const width of PICTURE_WIDTHS) sizes.push(await encoded(bytes, width));
      await keepPicture(hash, sizes);
      onProgress(++done, this.#paths.size);
    }
  }

  async #check(name: string): Promise<Checked> {
    const path = this.folder && (await fileIn(this.folder, name));
    if (!path) return { problem: NO_FILE };
    if ((await stat(path)).size > MOST_BYTES) return { problem: "must have at most 20 MB" };
    const bytes = await readFile(path);
    const hash = pictureHash(bytes);
    if (await hasPicture(hash)) return { hash };
    const problem = await pictureProblem(bytes);
    if (problem) return { problem };
    this.#paths.set(hash, path);
    return { hash };
  }
}

/** The path of that file; null where it lies outside of the folder, also by a link, or is none. */
async function fileIn(folder: string, name: string): Promise<string | null> {
  try {
    const path = await realpath(await inAnyForm(folder, name));
    const isInside = path.startsWith((await realpath(folder)) + sep);
    return isInside && (await stat(path)).isFile() ? path : null;
  } catch {
    return null;
  }
}

/** The path of the file in the form of Unicode in which its folders and itself are named. */
async function inAnyForm(folder: string, name: string): Promise<string> {
  let path = folder;
  for (const part of name.split("/")) {
    const names = /^\.?\.?$/.test(part) ? [] : await readdir(path);
    const same = names.filter((one) => one.normalize() === part.normalize());
    path = join(path, same.includes(part) ? part : (same[0] ?? part));
  }
  return path;
}

const pictureHash = (bytes: Buffer) =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 32);

async function pictureProblem(bytes: Buffer): Promise<string | undefined> {
  try {
    const picture = await openImage(bytes);
    const { pages = 1 } = await picture.metadata();
    if (pages > 1) return "must be a picture that does not move";
    // Decodes the whole picture.
    await picture.resize(1, 1).toBuffer();
  } catch {
    return NOT_READ;
  }
}

/** Encodes a picture without the metadata of a camera, such as the place. */
async function encoded(bytes: Buffer, width: number): Promise<Buffer> {
  const fit = {
    width,
    height: MOST_HEIGHT * width,
    fit: "inside",
    withoutEnlargement: true,
  } as const;
  return (await openImage(bytes)).autoOrient().resize(fit).webp({ quality: QUALITY }).toBuffer();
}

/** Loaded only where there are pictures. Everything but these formats is never decoded. */
async function openImage(bytes: Buffer) {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["Jpeg", "Png", "Webp"].map((format) => `VipsForeignLoad${format}`),
  });
  return sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error" });
}

/** Removes pictures that no tour names any more. */
export async function removeUnnamedPictures(now: Date): Promise<void> {
  if (!(await Picture.exists({}))) return;
  const named = new Set<string>();
  const tours = Tour.find({}, "images").lean<TourDocument>().cursor({ batchSize: BATCH });
  for await (const batch of cursorBatches(tours, BATCH))
    for (const image of batch.flatMap(({ images }) => images))
      named.add(typeof image === "string" ? image : image.url);
  const kept = Picture.find({}, "uploadDate").lean().cursor({ batchSize: BATCH });
  const spared = now.getTime() - SPARED_MS;
  for await (const batch of cursorBatches(kept, BATCH)) {
    const unnamed = batch.filter(
      ({ _id, uploadDate }) =>
        uploadDate.getTime() < spared && !named.has(`/pictures/${_id.split("-")[0]}`),
    );
    if (unnamed.length > 0) await removePictures(unnamed.map(({ _id }) => _id));
  }
}
