import { type mongo, Schema, type Types } from "mongoose";
import { define } from "./define";

/** The reviews of a tour as its search reads them, made in the background from one state of them. */
export interface ReviewIndexDocument {
  /** The tour's. */
  _id: Types.ObjectId;
  /** The tour's `ratingsVersion` when reading began. */
  version: number;
  readAt: Date;
  /** Names the lists of words that belong to it. */
  build: Types.ObjectId;
  /** How many lists its words are spread over. */
  lists: number;
  /** The reviews, newest first (app/reviews/words/rows.server.ts). */
  rows: mongo.Binary;
  /** The languages of its comments, as BCP 47 tags, the most frequent first. */
  languages: { tag: string; count: number }[];
  /** Words that its comments have far more often than others', with how many have them and their mean stars. */
  mentioned: { word: string; count: number; mean: number }[];
}

const schema = new Schema<ReviewIndexDocument>({
  _id: { type: Schema.Types.ObjectId, required: true },
  version: { type: Number, required: true },
  readAt: { type: Date, required: true },
  build: { type: Schema.Types.ObjectId, required: true },
  lists: { type: Number, required: true },
  rows: { type: Buffer, required: true },
  languages: { type: [{ _id: false, tag: String, count: Number }], required: true },
  mentioned: { type: [{ _id: false, word: String, count: Number, mean: Number }], required: true },
});

export const ReviewIndex = define("ReviewIndex", "tourReviews.reviewIndexes", schema);

/** Some of the words of a tour's reviews. */
export interface WordListDocument {
  /** Its build and its number: see `listName`. */
  _id: string;
  tourId: Types.ObjectId;
  build: Types.ObjectId;
  /** In which rows a word stands, by its language and stem, such as "en walk": numbers of four bytes. */
  places: Record<string, mongo.Binary>;
}

const listSchema = new Schema<WordListDocument>({
  _id: { type: String, required: true },
  tourId: { type: Schema.Types.ObjectId, required: true },
  build: { type: Schema.Types.ObjectId, required: true },
  places: { type: Schema.Types.Mixed, required: true },
});

// The lists of earlier builds: WordList.deleteMany({ tourId, build: { $ne: build } })
listSchema.index({ tourId: 1 });

export const listName = (build: Types.ObjectId, list: number) => `${build.toString()} ${list}`;

export const WordList = define("WordList", "tourReviews.reviewWords", listSchema);
