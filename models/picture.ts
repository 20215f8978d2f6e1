import { Schema } from "mongoose";
import { define } from "./define";
import { asHttpsAddress } from "./https-address";

/** A picture of a tour: at an address of the platform's, or kept here at `/pictures/` and its hash. */
export interface TourPicture {
  url: string;
  alt?: string | null;
}

export const MOST_PICTURES = 20;
const KEPT = /^\/pictures\/[0-9a-f]{32}$/;

export const isKept = (url: string) => KEPT.test(url);

type Pictures = (string | TourPicture)[];

/** Reads those of a list that can be shown. */
export function asPictures(value: unknown): Pictures | undefined {
  if (!Array.isArray(value)) return undefined;
  const good = value.slice(0, MOST_PICTURES).filter(isPictureEntry);
  return good.length === value.length ? (value as Pictures) : good;
}

function isPictureEntry(entry: unknown): entry is string | TourPicture {
  const url =
    typeof entry === "object" && entry !== null ? (entry as { url?: unknown }).url : entry;
  return typeof url === "string" && (isKept(url) || asHttpsAddress(url) !== undefined);
}

/** In pixels, of each picture that is kept. */
export const PICTURE_WIDTHS = [480, 960, 1_600] as const;

// Kept as GridFS keeps files: a document of each, and its bytes in parts.

export interface PictureDocument {
  /** The hash of the file that it was made from, and its width. */
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
}

const schema = new Schema<PictureDocument>({
  _id: String,
  length: Number,
  chunkSize: Number,
  uploadDate: Date,
  filename: String,
});

export const Picture = define("Picture", "tourReviews.pictures.files", schema);

export interface PicturePart {
  files_id: string;
  n: number;
  data: Buffer;
}

const partSchema = new Schema<PicturePart>({ files_id: String, n: Number, data: Buffer });

// A picture's bytes: PicturePart.find({ files_id }).sort({ n: 1 })
partSchema.index({ files_id: 1, n: 1 }, { unique: true });

export const PicturePart = define("PicturePart", "tourReviews.pictures.chunks", partSchema);
