import type SearchableMap from "minisearch/SearchableMap";

/** One typing error away; each may occur twice. */
export function similarTo<Value>(words: SearchableMap<Value>, word: string): [string, Value][] {
  const similar = [...words.fuzzyGet(word, 1)].map(([other, [value]]): [string, Value] => [
    other,
    value,
  ]);
  // For the map, two swapped letters are two errors.
  for (let place = 1; place < word.length; place++) {
    const [before, first, second] = [word.slice(0, place - 1), word[place - 1]!, word[place]!];
    const swapped = before + second + first + word.slice(place + 1);
    const value = words.get(swapped);
    if (value !== undefined) similar.push([swapped, value]);
  }
  return similar;
}
