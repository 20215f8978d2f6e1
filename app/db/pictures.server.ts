import { Readable } from "node:stream";
import type { mongo } from "mongoose";
import { Picture, PICTURE_WIDTHS, PicturePart } from "#models/picture";
import { type Cursor } from "./batches";
import { inTransaction } from "./transaction.server";

/** Bytes of a part, as GridFS has it. */
const PART_BYTES = 255 * 1_024;
const PARTS_AT_ONCE = 4;

const pictureName = (hash: string, width: number) => `${hash}-${width}`;

export const hasPicture = async (hash: string): Promise<boolean> =>
  (await Picture.exists({ _id: pictureName(hash, PICTURE_WIDTHS[0]) })) !== null;

/** Keeps a picture in each of the widths; one that is there already stays. */
export async function keepPicture(hash: string, sizes: Buffer[]): Promise<void> {
  await inTransaction(async (session) => {
    const first = { _id: pictureName(hash, PICTURE_WIDTHS[0]) };
    if (await Picture.exists(first).session(session)) return;
    for (const [n, width] of PICTURE_WIDTHS.entries()) {
      const name = pictureName(hash, width);
      const bytes = sizes[n];
      if (!bytes) continue;
      const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, part) => ({
        files_id: name,
        n: part,
        data: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      }));
      await PicturePart.insertMany(parts, { session });
      const file = { length: bytes.length, chunkSize: PART_BYTES, uploadDate: new Date() };
      await Picture.create([{ _id: name, filename: `${name}.webp`, ...file }], { session });
    }
  });
}

export async function removePictures(names: string[]): Promise<void> {
  await inTransaction(async (session) => {
    await Picture.deleteMany({ _id: { $in: names } }, { session });
    await PicturePart.deleteMany({ files_id: { $in: names } }, { session });
  });
}

interface PartData {
  data: mongo.Binary;
}

/** The bytes of a picture, by its hash and width; null when there is none. No more of it is read than is sent. */
export async function openPicture(name: string): Promise<Readable | null> {
  const parts = PicturePart.find({ files_id: name }, "data")
    .sort({ n: 1 })
    .lean<PartData[]>()
    .cursor({ batchSize: PARTS_AT_ONCE }) as Cursor<PartData> & {
    next(): Promise<PartData | null>;
  };
  const first = await parts.next();
  return first && Readable.from(pictureBytes(first, parts));
}

async function* pictureBytes(first: PartData, others: Cursor<PartData>) {
  try {
    yield first.data.value();
    for await (const { data } of others) yield data.value();
  } finally {
    await others.close();
  }
}
