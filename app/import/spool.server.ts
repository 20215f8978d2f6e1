import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Kind, Records } from "./records.server";

const WRITE_BYTES = 1_000_000;

/** Where the records of a list are in the file, in bytes; outside of the heap, which grows by more than it holds. */
class Places {
  count = 0;
  #offsets = new Float64Array(1_024);
  #lengths = new Uint32Array(1_024);

  add(offset: number, length: number): void {
    if (this.count === this.#offsets.length) {
      const [offsets, lengths] = [this.#offsets, this.#lengths];
      this.#offsets = new Float64Array(this.count * 2);
      this.#lengths = new Uint32Array(this.count * 2);
      this.#offsets.set(offsets);
      this.#lengths.set(lengths);
    }
    this.#offsets[this.count] = offset;
    this.#lengths[this.count++] = length;
  }

  at(index: number): [offset: number, length: number] {
    return [this.#offsets[index]!, this.#lengths[index]!];
  }
}

/**
 * A temporary file, so that records can be written in another order than they came in, and take 12 to 24 bytes of
 * memory each. Only its owner reads it and it has no name once it is open: it is gone however the process ends.
 */
export class Spool {
  readonly #file = openUnnamed();
  readonly #places: Record<Kind, Places> = {
    users: new Places(),
    tours: new Places(),
    bookings: new Places(),
    reviews: new Places(),
  };
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writtenBytes = 0;

  count(kind: Kind): number {
    return this.#places[kind].count;
  }

  add<Name extends Kind>(kind: Name, record: Partial<Records[Name]>): void {
    const bytes = serialize(record);
    this.#places[kind].add(this.#writtenBytes + this.#waitingBytes, bytes.length);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= WRITE_BYTES) this.#write();
  }

  read<Name extends Kind>(kind: Name, index: number): Records[Name] {
    if (this.#waitingBytes > 0) this.#write();
    const [offset, length] = this.#places[kind].at(index);
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < bytes.length;)
      read += readSync(this.#file, bytes, read, bytes.length - read, offset + read);
    return deserialize(bytes) as Records[Name];
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(): void {
    const bytes = Buffer.concat(this.#waiting);
    for (let written = 0; written < bytes.length;)
      written += writeSync(
        this.#file,
        bytes,
        written,
        bytes.length - written,
        this.#writtenBytes + written,
      );
    this.#writtenBytes += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

function openUnnamed(): number {
  const folder = mkdtempSync(join(tmpdir(), "tour-reviews-import-"));
  try {
    return openSync(join(folder, "records"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
