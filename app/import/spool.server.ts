import { appendFileSync, closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type Kind, perKind, type Records } from "./records.server";

const WRITE_BYTES = 1_000_000;

/**
 * Keeps the records of a file in a temporary one, so that they can be written in another order than they came in, and
 * a million take little memory. Only its owner reads it and it has no name once it is open: it is gone however the
 * process ends.
 */
export class Spool {
  readonly #file = openUnnamed();
  /** Where each record ends, in bytes, in the order in which they came. */
  readonly #ends: number[] = [];
  readonly #lines: (number | undefined)[] = [];
  /** The places in that order of the records of each kind. */
  readonly #places = perKind((): number[] => []);
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  count(kind: Kind): number {
    return this.#places[kind].length;
  }

  /** Returns the record's number among those of its kind. */
  add<Name extends Kind>(kind: Name, record: Partial<Records[Name]>, line?: number): number {
    const bytes = serialize(record);
    const place = this.#ends.push((this.#ends.at(-1) ?? 0) + bytes.length) - 1;
    this.#lines.push(line);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= WRITE_BYTES) this.#write();
    return this.#places[kind].push(place) - 1;
  }

  read<Name extends Kind>(kind: Name, number: number): Records[Name] {
    this.#write();
    const place = this.#places[kind][number]!;
    const offset = this.#ends[place - 1] ?? 0;
    const bytes = Buffer.allocUnsafe(this.#ends[place]! - offset);
    for (let read = 0; read < bytes.length;)
      read += readSync(this.#file, bytes, read, bytes.length - read, offset + read);
    return deserialize(bytes) as Records[Name];
  }

  /** The line that the record ends in, in a file that has one record a line. */
  findLine(kind: Kind, number: number): number | undefined {
    return this.#lines[this.#places[kind][number]!];
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(): void {
    if (this.#waitingBytes === 0) return;
    appendFileSync(this.#file, Buffer.concat(this.#waiting));
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
