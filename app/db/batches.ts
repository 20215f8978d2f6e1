/** How many values of a list without a bound one command has in `$in` (docs/decisions/005-embedded-database.md). */
export const BATCH = 100;

/** Throws an `AbortError` instead of the next part when `stopped` aborts. */
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

export interface Cursor<Item> extends AsyncIterable<Item> {
  close(): Promise<void>;
}

/**
 * Reads the cursor in parts of that size, of which only one is in memory at a time. Also closes the cursor when the
 * loop ends early.
 */
export async function* cursorBatches<Item>(
  cursor: Cursor<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  try {
    for await (const item of cursor) {
      if (batch.push(item) < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    await cursor.close();
  }
}
