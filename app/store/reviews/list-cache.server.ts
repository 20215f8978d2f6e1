import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { entityTag } from "../../infra/digest.server";

/** A list as a whole: its JSON, and the gzip of that once somebody has asked for it. */
export interface WholeList {
  etag: string;
  body: Buffer;
  gzip?: Buffer;
}

/** What an entry takes beside its bytes: key, tag and the cache's own fields. */
const ENTRY_BYTES = 500;

/** Below that many bytes an answer is one packet anyway, and is not compressed. */
const GZIP_FROM = 1_024;

const compress = promisify(gzip);

/** Returns the list that has these bytes, one part after the other, as its JSON. */
export function toWholeList(parts: Buffer[]): WholeList {
  const body = exactly(parts);
  return { body, etag: `W/"${entityTag(body)}"` };
}

/** The parts in memory of their own: small buffers are often a piece of a larger one, which they would keep. */
function exactly(parts: Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) end += part.copy(whole, end);
  return whole;
}

/** Keeps whole lists for `ttl` milliseconds, in `maxBytes` altogether; a larger one is not kept. */
export function listCache({ maxBytes, ttl }: { maxBytes: number; ttl: number }) {
  const kept = new LRUCache<string, WholeList>({
    ttl,
    maxSize: maxBytes,
    sizeCalculation: ({ body, gzip }) => ENTRY_BYTES + body.length + (gzip?.length ?? 0),
  });
  const underWay = new WeakMap<WholeList, Promise<Buffer>>();

  async function makeGzip(key: string, list: WholeList): Promise<Buffer> {
    const made = exactly([await compress(list.body)]);
    // As another object: the cache does not look again at the size of the one that it has.
    if (kept.peek(key) === list) kept.set(key, { ...list, gzip: made }, { noUpdateTTL: true });
    return made;
  }

  return {
    get: (key: string) => kept.get(key),
    set: (key: string, list: WholeList) => void kept.set(key, list),
    clear: () => kept.clear(),
    /** What is kept, in bytes. */
    bytes: () => kept.calculatedSize,
    /** The list's gzip, which is made once; null for a list that is too small for it. */
    async gzipOf(key: string, list: WholeList): Promise<Buffer | null> {
      if (list.gzip || list.body.length < GZIP_FROM) return list.gzip ?? null;
      const making = underWay.get(list) ?? makeGzip(key, list);
      underWay.set(list, making);
      return making;
    },
  };
}
