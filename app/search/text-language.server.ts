import DataLoader from "dataloader";
import { firstProcess } from "~/lib/first-process.server";
import { detectLanguages } from "./language-detector.server";

/** Beginning of a text that is read, in UTF-16 units: more says nothing more about its language. */
const READ_UNITS = 300;

/** Most texts of one call, so that the first process is never busy with them for long. */
const MOST_TEXTS = 50;

const languages = new DataLoader<string, string | null>(
  // The first process alone holds the 80 MB that it takes to know them.
  (texts) => firstProcess?.detectLanguages(texts) ?? detectLanguages(texts),
  { cache: false, maxBatchSize: MOST_TEXTS },
);

/** Returns the language of a text as a BCP 47 tag, such as "de"; null when that is not certain. */
export const detectLanguage = (text: string): Promise<string | null> =>
  languages.load(text.slice(0, READ_UNITS));
