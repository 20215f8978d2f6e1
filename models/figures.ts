import { Schema } from "mongoose";
import { define } from "./define";

/** The public figures of reports and decisions: one document, counted anew when it is a day old. */
export interface FiguresDocument {
  _id: "figures";
  countedAt: Date;
  /** Version of the figures, which are counted anew when the code has another one. */
  form: number;
  figures: unknown;
}

const schema = new Schema<FiguresDocument>({
  _id: { type: String, required: true },
  countedAt: { type: Date, required: true },
  form: { type: Number, required: true },
  figures: { type: Schema.Types.Mixed, required: true },
});

export const StoredFigures = define("Figures", "tourReviews.figures", schema);
