import { plainWords } from "~/search/search-words.server";
import { NEAR, SCENES, SUBJECTS } from "./cover-words.server";

const COVERS_PER_THEME = 4;

/** The themes of tours that have none of the words. */
const GENERAL = ["hike", "town", "peaks", "river", "forest"];

/** Characters of a text that are looked at. */
const LONGEST_TEXT = 200;

/** The themes in the order in which they count, with their words. */
const RULES = [SUBJECTS, SCENES].flatMap((rules) =>
  Object.entries(rules).map(([theme, words]) => ({ theme, words: words.split(" ") })),
);

/** The rank of the first of `RULES` that has a word, two words, or a word's beginning or ending. */
const ranks = new Map<string, number>();
for (const [rank, { words }] of RULES.entries())
  for (const word of words.map((word) => word.replace("_", " "))) {
    // The plural of most words in English, which other languages have, too.
    const forms = word.includes("*") ? [word] : [word, `${word}s`];
    for (const form of forms) if (!ranks.has(form)) ranks.set(form, rank);
  }

function* beginningsAndEndings(word: string): Generator<string> {
  for (let n = 0; n < word.length; n++) {
    yield `${word.slice(0, n + 1)}*`;
    yield `*${word.slice(n)}`;
  }
}

function themeIn(text: string): string | undefined {
  const words = plainWords(text.slice(0, LONGEST_TEXT));
  let rank = Infinity;
  const noteRank = (form: string) => {
    rank = Math.min(rank, ranks.get(form) ?? Infinity);
  };
  for (const [n, word] of words.entries()) noteRank(`${word} ${words[n + 1]}`);
  // Two words say more than one.
  if (rank === Infinity)
    for (const word of words) {
      noteRank(word);
      for (const part of beginningsAndEndings(word)) noteRank(part);
    }
  return RULES[rank]?.theme;
}

const coverNumber = (id: string) => Number.parseInt(id.slice(-6), 16);

interface CoveredTour {
  id: string;
  title: string;
  location: string | null;
}

/**
 * Returns the name of a drawing, as in `/covers/sail-3.svg`: the theme by the words of the title, else of the place.
 * The same in every process.
 */
export function chooseCover({ id, title, location }: CoveredTour): string {
  const number = coverNumber(id);
  const general = GENERAL[Math.floor(number / COVERS_PER_THEME) % GENERAL.length]!;
  return `${themeIn(title) ?? themeIn(location ?? "") ?? general}-${number % COVERS_PER_THEME}`;
}

/**
 * The tours of a page, in its order: no drawing stands there twice, and none beside another of its theme. Only a tour
 * for which that is not so gets another cover, of its theme or of one near to it. One with a picture of its own shows
 * no drawing.
 */
export function withDifferentCovers<Tour extends { cover: string; picture: object | null }>(
  tours: Tour[],
): Tour[] {
  const taken = new Set(tours.map(({ cover, picture }) => (picture ? "" : cover)));
  const shown = new Set<string>();
  let before = "";
  return tours.map((tour, n) => {
    if (tour.picture) return tour;
    const isLike = shown.has(tour.cover) || coverTheme(tour.cover) === coverTheme(before);
    const beside = { taken, before, next: tours[n + 1]?.cover ?? "" };
    const cover = isLike ? freeCover(tour.cover, beside) : tour.cover;
    shown.add(cover);
    taken.add(cover);
    before = cover;
    return { ...tour, cover };
  });
}

const coverTheme = (cover: string) => cover.slice(0, cover.indexOf("-"));

interface Beside {
  taken: ReadonlySet<string>;
  before: string;
  next: string;
}

/** Returns the free cover that is most like this one; itself where there are more tours than drawings. */
function freeCover(cover: string, { taken, before, next }: Beside): string {
  let second: string | undefined;
  for (const other of othersThan(cover)) {
    if (taken.has(other) || coverTheme(other) === coverTheme(before)) continue;
    if (coverTheme(other) !== coverTheme(next)) return other;
    second ??= other;
  }
  return second ?? cover;
}

/** Yields other covers, those that are most like it first. */
function* othersThan(cover: string): Generator<string> {
  const themes = new Set([coverTheme(cover)]);
  const number = Number(cover.split("-")[1]);
  for (const theme of themes) {
    for (let n = 0; n < COVERS_PER_THEME; n++) yield `${theme}-${(number + n) % COVERS_PER_THEME}`;
    // The set grows during the loop, by themes near to the near ones.
    for (const near of NEAR[theme]?.split(" ") ?? []) themes.add(near);
  }
}
