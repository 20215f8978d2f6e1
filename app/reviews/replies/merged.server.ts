import { batches, BATCH } from "~/db/batches";
import type { Place } from "~/db/cursor.server";

// Ordered lists that are read from several queries, no further than they are taken.

export type Source<Item> = AsyncIterator<Item> | Iterator<Item>;

/** So many sources at the same time. */
const AT_ONCE = 5;

/** Reads `size` rows at first and then a batch at a time. */
export async function* inTurn<Row>(
  read: (limit: number, after: Place | null) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
  { after, size }: { after: Place | null; size: number },
): AsyncGenerator<Row> {
  for (let place = after, limit = size; ; limit = BATCH) {
    const rows = await read(limit, place);
    yield* rows;
    if (rows.length < limit) return;
    place = placeOf(rows.at(-1)!);
  }
}

/** Reads one of each ordered source, and then of those whose item was taken. */
export async function* merged<Item>(
  sources: Source<Item>[],
  order: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  const heads: { item: Item; source: Source<Item> }[] = [];
  const advance = async (source: Source<Item>) => {
    const head = await source.next();
    if (!head.done) heads.push({ item: head.value, source });
  };
  for (const some of batches(sources, AT_ONCE)) await Promise.all(some.map(advance));
  while (heads.length > 0) {
    const first = heads.reduce((least, head) => (order(head.item, least.item) < 0 ? head : least));
    heads.splice(heads.indexOf(first), 1);
    yield first.item;
    await advance(first.source);
  }
}

/** `size` of them at first, and then a batch at a time. */
export async function* inLots<Item>(
  items: AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let lot: Item[] = [];
  let most = size;
  for await (const item of items) {
    if (lot.push(item) < most) continue;
    yield lot;
    lot = [];
    most = BATCH;
  }
  if (lot.length > 0) yield lot;
}
