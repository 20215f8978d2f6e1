import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readArguments, say, UsageError } from "./lib/command";

const USAGE = "Usage: npm run verify -- URL [--checkpoint FILE] [--receipt FILE [--words FILE]]";

/**
 * Replays the ratings of all tours of the site at URL, and compares them with the site's signed checkpoint and with one
 * that was kept, in FILE. With a receipt it looks only for the review that this is for. Prints a line for each fault;
 * exit code 1 then.
 */
export default async function verify(args: string[]): Promise<number> {
  const option = { type: "string" } as const;
  const options = { checkpoint: option, receipt: option, words: option };
  const { values, words } = readArguments(args, options, USAGE);
  const [site, ...more] = words;
  const isMixed = values.receipt ? values.checkpoint : values.words;
  if (!site || !URL.canParse(site) || more.length > 0 || isMixed !== undefined)
    throw new UsageError(USAGE);
  const [kept, receipt, comment] = await Promise.all(
    [values.checkpoint, values.receipt, values.words].map(readText),
  );
  const work = receipt ? verifyReceipt(site, receipt, comment) : verifySite(site, kept);
  const { faults, said } = await work.catch((error: Error) => {
    throw new UsageError(`The site cannot be verified: ${error.message}`);
  });
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  said.forEach(say);
  return faults.length === 0 ? 0 : 1;
}

async function readText(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
}

// From here on only Node.js is needed, and the rules of docs/rules/reviews.md, Changes.

interface Entry {
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

/** The hashes of entries that are known from elsewhere, by version. */
type Hashes = Map<number, string[]>;
/** By tour. */
type VerifiedTours = Map<string, Hashes>;

interface Verified {
  faults: string[];
  /** Further notes, in sentences. */
  said: string[];
}

/** Asks the site's API and its signed checkpoint. Finds the first fault of each tour. */
export async function verifySite(site: string, kept?: string): Promise<Verified> {
  const faults: string[] = [];
  const known: VerifiedTours = new Map();
  const present = readSigned(await fetchText(new URL("/changes/checkpoint", site)));
  const earlier = kept === undefined ? null : readSigned(kept);
  for (const [name, signed] of Object.entries({
    "the site's checkpoint": present,
    "the kept checkpoint": earlier,
  }))
    if (signed && !signed.isRight) faults.push(`${name} has a wrong signature`);
  if (earlier && earlier.key !== present.key)
    faults.push("the kept checkpoint is signed with another key than the site's");
  for (const signed of [earlier, present])
    for (const line of signed?.lines ?? []) addKnown(known, line);
  let tours = 0;
  let changes = 0;
  let rebuilt = 0;
  for await (const { id, slug } of pages<Tour>(new URL("/api/tours?limit=100", site), "tours")) {
    const found = await verifyTour(site, id, known.get(id));
    tours++;
    changes += found.changes;
    rebuilt += found.rebuilt;
    if (found.fault) faults.push(`${id} ${slug}: ${found.fault}`);
    known.delete(id);
  }
  const anew = present.lines.find((line) => line.startsWith("begins-anew "));
  const said = [
    `Replayed ${changes} changes of ${tours} tours; faults: ${faults.length}.`,
    ...(rebuilt > 0 ? [`Times that reviews had changed past the service: ${rebuilt}.`] : []),
    ...(known.size > 0
      ? [`Tours of the checkpoint that the site no longer lists: ${known.size}.`]
      : []),
    ...(anew ? [`The site says that it has restored a backup: ${anew}.`] : []),
    `The site signs with the key ${present.key}.`,
  ];
  return { faults, said };
}

function addKnown(known: VerifiedTours, line: string): void {
  const [, id, version, hash] = /^([0-9a-f]{24}) (\d+) ([0-9a-f]{64})$/.exec(line) ?? [];
  if (!id || !hash) return;
  const ofTour = known.get(id) ?? new Map<number, string[]>();
  known.set(id, ofTour.set(Number(version), [...(ofTour.get(Number(version)) ?? []), hash]));
}

/** Looks whether a site has signed a receipt and still has its entry, and whether a comment is that of the review. */
export async function verifyReceipt(
  site: string,
  text: string,
  comment?: string,
): Promise<Verified> {
  const receipt = readSigned(text);
  const present = readSigned(await fetchText(new URL("/changes/checkpoint", site)));
  const field = (name: string) =>
    receipt.lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
  const id = field("tour");
  const version = Number(field("version"));
  const { fault, changes } = await verifyTour(site, id, new Map([[version, [field("line")]]]));
  const isSigned = (words: string) =>
    createHash("sha256")
      .update(`${field("salt")}\n${words}`)
      .digest("hex") === field("words");
  // An editor ends a file with a line break.
  const spellings =
    comment === undefined ? [] : [comment, comment.replace(/\r?\n$/, ""), comment.trim()];
  const faults = [
    ...(receipt.isRight ? [] : ["the receipt has a wrong signature"]),
    ...(receipt.key === present.key
      ? []
      : ["the receipt is signed with another key than the site's"]),
    ...(fault ? [`${id}: ${fault}`] : []),
    ...(comment === undefined || spellings.some(isSigned)
      ? []
      : ["the words are not those of the receipt"]),
  ];
  const said = `A review of ${field("rating")} stars was there at version ${version} of ${changes}.`;
  return { faults, said: faults.length > 0 ? [] : [said] };
}

/** Reads lines, and after an empty one `ed25519 KEY SIGNATURE`. */
function readSigned(text: string) {
  const [, signed = "", key = "", signature = ""] =
    /^([^]*\n)\ned25519 ([\w-]{43}) ([\w-]{86})\n?$/.exec(text.replaceAll("\r\n", "\n")) ?? [];
  const jwk = { kty: "OKP", crv: "Ed25519", x: key };
  const isRight =
    key !== "" &&
    verifySignature(
      null,
      Buffer.from(signed),
      createPublicKey({ key: jwk, format: "jwk" }),
      Buffer.from(signature, "base64url"),
    );
  return { key, isRight, lines: signed.split("\n") };
}

/**
 * Returns how many changes are right, how many of them are `rebuilt` or `platform`, and the fault that follows them.
 * `known` are hashes of entries, by version.
 */
export async function verifyTour(site: string, id: string, known: Hashes = new Map()) {
  const counts = new Map<number, number>();
  const countReviews = (rating: number | null, reviews: number) =>
    rating === null || counts.set(rating, (counts.get(rating) ?? 0) + reviews);
  let changes = 0;
  let rebuilt = 0;
  let hash = "0".repeat(64);
  let count = 0;
  let mean = 0;
  let hasDiffered = false;
  const ended = (fault?: string) => ({ changes, rebuilt, fault });
  for (;;) {
    const seen = changes;
    const list = new URL(`/api/tours/${id}/changes?after=${seen}`, site);
    for await (const { review: _, ...entry } of pages<Entry>(list, "changes")) {
      const { version } = entry;
      if (version !== changes + 1) return ended(`version ${changes + 1} is missing`);
      if (entry.previous !== hash)
        return ended(`version ${version} does not follow version ${changes}: one was altered`);
      if (entry.ratings) counts.clear();
      for (const [rating, reviews] of entry.ratings ?? []) countReviews(rating, reviews);
      countReviews(entry.before, -1);
      countReviews(entry.stars, 1);
      ({ count, mean } = toFigures(counts));
      if (entry.count !== count || entry.mean !== mean)
        return ended(`version ${version} does not lead to its count and mean`);
      hash = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
      if (known.get(version)?.some((one) => one !== hash))
        return ended(`version ${version} is not the entry that was signed`);
      changes = version;
      if (["rebuilt", "platform"].includes(entry.type)) rebuilt++;
    }
    const { tour } = (await fetchPage<{ tour: Tour }>(new URL(`/api/tours/${id}`, site))).body;
    const signed = Math.max(...known.keys(), 0);
    if (signed > changes) return ended(`version ${signed} was signed and is missing`);
    if (tour.reviewCount === count && tour.avgRating === mean) return ended();
    // A change that came between the two answers has its entry in the next one.
    if (hasDiffered && changes === seen)
      return ended(`its ratings are not those after version ${changes}`);
    hasDiffered = true;
  }
}

/** 0 stands for ratings that do not count. */
function toFigures(counts: Map<number, number>): { count: number; mean: number } {
  let count = 0;
  let rated = 0;
  let sum = 0;
  for (const [rating, reviews] of [...counts].sort(([one], [other]) => one - other)) {
    count += reviews;
    if (rating > 0) [rated, sum] = [rated + reviews, sum + rating * reviews];
  }
  return { count, mean: rated && sum / rated };
}

/** The items of a list and of its next pages, of which `Link` has the query. */
async function* pages<Item>(first: URL, name: string): AsyncGenerator<Item> {
  for (let url: URL | undefined = first; url;) {
    const { body, next }: Page<Record<string, Item[]>> = await fetchPage(url);
    yield* body[name]!;
    url = next === undefined ? undefined : new URL(next, url);
  }
}

interface Page<Body> {
  body: Body;
  next: string | undefined;
}

async function fetchOk(url: URL): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.href} answers ${answer.status}`);
  return answer;
}

const fetchText = async (url: URL) => (await fetchOk(url)).text();

async function fetchPage<Body>(url: URL): Promise<Page<Body>> {
  const answer = await fetchOk(url);
  const next = /\?[^>]*/.exec(answer.headers.get("link") ?? "")?.[0];
  return { body: (await answer.json()) as Body, next };
}
