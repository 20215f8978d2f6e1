import { createHash } from "node:crypto";
import { argumentsOf, say, UsageError } from "./lib/command";

const USAGE = "Usage: npm run verify -- URL";

/** Replays the ratings of all tours of the site at URL. Prints a line for each that cannot be; exit code 1 then. */
export default async function verify(args: string[]): Promise<number> {
  const { words } = argumentsOf(args, {}, USAGE);
  if (words.length !== 1 || !URL.canParse(words[0]!)) throw new UsageError(USAGE);
  const { tours, changes, rebuilt, faults } = await verifySite(words[0]!).catch((error: Error) => {
    throw new UsageError(`The site cannot be verified: ${error.message}`);
  });
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  say(`Replayed ${changes} changes of ${tours} tours; faults: ${faults.length}.`);
  if (rebuilt > 0) say(`Times that reviews had changed past the service: ${rebuilt}.`);
  return faults.length === 0 ? 0 : 1;
}

// From here on only Node.js is needed, and the rules of docs/rules/reviews.md, Changes.

interface Line {
  version: number;
  type: string;
  review: string | null;
  before: number | null;
  stars: number | null;
  ratings: [rating: number, count: number][] | null;
  count: number;
  mean: number;
  previous: string;
}

interface Tour {
  id: string;
  slug: string;
  avgRating: number;
  reviewCount: number;
}

/** Asks only the API of the site. Returns the first fault of each tour. */
export async function verifySite(site: string) {
  const result = { tours: 0, changes: 0, rebuilt: 0, faults: [] as string[] };
  for await (const { id, slug } of pages<Tour>(new URL("/api/tours?limit=100", site), "tours")) {
    const { changes, rebuilt, fault } = await verifyTour(site, id);
    result.tours++;
    result.changes += changes;
    result.rebuilt += rebuilt;
    if (fault) result.faults.push(`${id} ${slug}: ${fault}`);
  }
  return result;
}

/** Returns how many changes are right, how many of them are `rebuilt`, and the fault that follows them. */
export async function verifyTour(site: string, id: string) {
  const counts = new Map<number, number>();
  const add = (rating: number | null, reviews: number) =>
    rating === null || counts.set(rating, (counts.get(rating) ?? 0) + reviews);
  let [changes, rebuilt, hash, count, mean] = [0, 0, "0".repeat(64), 0, 0];
  const ended = (fault?: string) => ({ changes, rebuilt, fault });
  for (;;) {
    const known = changes;
    const list = new URL(`/api/tours/${id}/changes?after=${known}`, site);
    for await (const { review: _, ...line } of pages<Line>(list, "changes")) {
      const { version } = line;
      if (version !== changes + 1) return ended(`version ${changes + 1} is missing`);
      if (line.previous !== hash)
        return ended(`version ${version} does not follow version ${changes}: one was altered`);
      if (line.ratings) counts.clear();
      for (const [rating, reviews] of line.ratings ?? []) add(rating, reviews);
      add(line.before, -1);
      add(line.stars, 1);
      ({ count, mean } = figuresOf(counts));
      if (line.count !== count || line.mean !== mean)
        return ended(`version ${version} does not lead to its count and mean`);
      hash = createHash("sha256").update(JSON.stringify(line)).digest("hex");
      changes = version;
      if (line.type === "rebuilt") rebuilt++;
    }
    const { tour } = (await ask<{ tour: Tour }>(new URL(`/api/tours/${id}`, site))).body;
    if (tour.reviewCount === count && tour.avgRating === mean) return ended();
    // A change that came meanwhile is looked at, too.
    if (changes === known) return ended(`its ratings are not those after version ${changes}`);
  }
}

/** 0 stands for ratings that do not count. */
function figuresOf(counts: Map<number, number>): { count: number; mean: number } {
  let [count, rated, sum] = [0, 0, 0];
  for (const [rating, reviews] of [...counts].sort(([one], [other]) => one - other)) {
    count += reviews;
    if (rating > 0) [rated, sum] = [rated + reviews, sum + rating * reviews];
  }
  return { count, mean: rated && sum / rated };
}

/** The items of a list and of its next pages, of which `Link` has the query. */
async function* pages<Item>(first: URL, name: string): AsyncGenerator<Item> {
  for (let url: URL | undefined = first; url;) {
    const { body, next }: Page<Record<string, Item[]>> = await ask(url);
    yield* body[name]!;
    url = next === undefined ? undefined : new URL(next, url);
  }
}

interface Page<Body> {
  body: Body;
  next: string | undefined;
}

async function ask<Body>(url: URL): Promise<Page<Body>> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.href} answers ${answer.status}`);
  const next = /\?[^>]*/.exec(answer.headers.get("link") ?? "")?.[0];
  return { body: (await answer.json()) as Body, next };
}
