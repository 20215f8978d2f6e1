import type SearchableMap from "minisearch/SearchableMap";

/** Returns the words one typing error away; each may occur twice. */
export function similarTo<Value>(words: SearchableMap<Value>, word: string): [string, Value][] {
  const similar = [...words.fuzzyGet(word, 1)].map(([other, [value]]): [string, Value] => [
    other,
    value,
  ]);
  // For the map, two swapped letters are two errors.
  for (let place = 1; place < word.length; place++) {
    const before = word.slice(0, place - 1);
    const first = word.charAt(place - 1);
    const second = word.charAt(place);
    const swapped = before + second + first + word.slice(place + 1);
    const value = words.get(swapped);
    if (value !== undefined) similar.push([swapped, value]);
  }
  return similar;
}

/** In shorter words, two other letters make another word: "cream" is not "cheap". */
const SHORTEST_WITH_OTHERS = 7;

/** The word with the fewest errors, and of several the one that most tours have. */
export function nearestTo(
  words: SearchableMap<{ length: number }>,
  word: string,
  errors: number,
): string | null {
  const [best] = [...words.fuzzyGet(word, errors)]
    .map(([other, [{ length }, distance]]) => ({ other, distance, tours: length }))
    .filter(({ other, distance }) => distance < 2 || isMistyped(word, other))
    .sort((a, b) => a.distance - b.distance || b.tours - a.tours || (a.other < b.other ? -1 : 1));
  return best?.other ?? null;
}

/** Nobody mistypes two letters of which one is the first; in a short word both are missing, or too many. */
function isMistyped(word: string, other: string): boolean {
  if (word[0] !== other[0]) return false;
  return word.length >= SHORTEST_WITH_OTHERS || Math.abs(word.length - other.length) === 2;
}
