import { checkRatings, rebuildRatings, type Ratings } from "~/reviews/ratings.server";
import { progressBar } from "./lib/progress";
import { readArguments, say, UsageError } from "./lib/command";
import { withDatabase } from "./lib/with-database";

const USAGE = "Usage: npm run ratings -- check | rebuild";

/** `check` compares every tour's aggregates with its reviews (exit code 1 for a difference), `rebuild` recomputes them. */
export default async function ratings(args: string[]): Promise<number> {
  const { words } = readArguments(args, {}, USAGE);
  if (words.length === 1 && words[0] === "check") return withDatabase(checkAllRatings);
  if (words.length === 1 && words[0] === "rebuild") return withDatabase(rebuild);
  throw new UsageError(USAGE);
}

async function checkAllRatings(): Promise<number> {
  const bar = progressBar("Ratings");
  const mismatches = await checkRatings({
    onProgress: bar,
    onMismatch({ tourId, slug, stored, actual }) {
      bar.end();
      process.stdout.write(
        `${tourId} ${slug}: stored ${ratingsInWords(stored)}, reviews ${ratingsInWords(actual)}\n`,
      );
    },
  });
  if (mismatches.length === 0) say("Every tour's ratings match its reviews.");
  return mismatches.length === 0 ? 0 : 1;
}

async function rebuild(): Promise<number> {
  const count = await rebuildRatings({ onProgress: progressBar("Ratings") });
  say(`Recomputed the ratings of ${count} tours.`);
  return 0;
}

const ratingsInWords = ({ avgRating, reviewCount, ratingCounts }: Ratings) =>
  `mean ${avgRating} of ${reviewCount} (${Object.values(ratingCounts).join("/")})`;
