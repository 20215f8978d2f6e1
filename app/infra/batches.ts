/**
 * Values in one `$in`: the embedded database compares each document with all of them
 * (docs/decisions/005-embedded-database.md).
 */
export const LOOKUP = 100;

/** The list in parts of that size. Throws an `AbortError` instead of the next one when `stopped` aborts. */
export function* batches<Item>(
  list: Item[],
  size: number,
  stopped?: AbortSignal,
): Generator<Item[]> {
  for (let offset = 0; offset < list.length; offset += size) {
    stopped?.throwIfAborted();
    yield list.slice(offset, offset + size);
  }
}
