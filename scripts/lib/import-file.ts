import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { pipeline } from "node:stream";
import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import {
  type Entry,
  ImportError,
  KINDS,
  NO_OBJECT,
  notAList,
  unknownList,
} from "~/import/records.server";

/** The longest record, in bytes, as in MongoDB: no more of a file is in memory at a time. */
const LONGEST_RECORD = 16_000_000;

/** How deep lists and objects may be nested: the parser's time grows with the depth. */
const DEEPEST = 100;

/**
 * Reads the records of an import file (docs/rules/import.md, Import): JSON or NDJSON, recognised by the first line, or
 * either of them as gzip, recognised by the first bytes; `-` is the standard input. `onProgress` is told how many
 * bytes of a file's are read. Throws `ImportError`, with one line, unless the file is one of these, in UTF-8.
 */
export async function* readImportFile(
  file: string,
  onProgress: (done: number, total: number) => void = () => {},
): AsyncGenerator<Entry[]> {
  const refuse = (reason: string) =>
    new ImportError(`${file === "-" ? "The standard input" : file} ${reason}`);
  const unreadable = (error: Error) => {
    throw error instanceof ImportError ? error : refuse(`cannot be read: ${error.message}`);
  };
  const size = file === "-" ? 0 : (await stat(file).catch(unreadable)).size;
  let done = 0;
  async function* bytes(): AsyncGenerator<Buffer> {
    const input = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 });
    for await (const chunk of input as AsyncIterable<Buffer>) {
      done += chunk.length;
      if (size > 0) onProgress(Math.min(done, size - 1), size);
      yield chunk;
    }
  }
  let reader: RecordReader | undefined;
  const head: Buffer[] = [];
  let headBytes = 0;
  try {
    for await (const chunk of wholeCharacters(unzipped(bytes()), refuse)) {
      if (reader) {
        yield reader.read(chunk);
        continue;
      }
      head.push(chunk);
      headBytes += chunk.length;
      if (!chunk.includes("\n") && headBytes < LONGEST_RECORD) continue;
      reader = new RecordReader(isRecord(Buffer.concat(head)), refuse);
      for (const part of head) yield reader.read(part);
    }
  } catch (error) {
    unreadable(error as Error);
  }
  reader ??= new RecordReader(isRecord(Buffer.concat(head)), refuse);
  if (headBytes > 0 && !reader.begun) for (const part of head) yield reader.read(part);
  yield reader.end();
  if (size > 0) onProgress(size, size);
}

/** Whether the first line is a complete record, with its type, and not the beginning of one object of lists. */
function isRecord(head: Buffer): boolean {
  const [line = ""] = head.toString("utf8").trimStart().split("\n", 1);
  try {
    const record = JSON.parse(line) as { type?: unknown } | null;
    return typeof record?.type === "string";
  } catch {
    return false;
  }
}

/** The unpacked content of gzip; other bytes unchanged. */
async function* unzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await chunks.next();
  if (first.done) return;
  async function* all() {
    yield first.value as Buffer;
    yield* chunks;
  }
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isGzip) return yield* all();
  // The loop that reads this gets its errors.
  yield* pipeline(all(), createGunzip(), () => {}) as unknown as AsyncIterable<Buffer>;
}

/** The chunks, cut between two characters and without a byte order mark. Throws for bytes that are not UTF-8. */
async function* wholeCharacters(
  chunks: AsyncIterable<Buffer>,
  refuse: (reason: string) => ImportError,
): AsyncGenerator<Buffer> {
  let offset = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.subarray(0, bytes.length - bytesOfCutCharacter(bytes));
    const bad = firstBadByte(whole);
    if (bad !== undefined) throw refuse(`is not text in UTF-8: see byte ${offset + bad}`);
    rest = bytes.subarray(whole.length);
    const hasMark = offset === 0 && whole.indexOf("\uFEFF") === 0;
    offset += whole.length;
    yield hasMark ? whole.subarray(3) : whole;
  }
  if (rest.length > 0) throw refuse(`is not text in UTF-8: see byte ${offset}`);
}

/** How many bytes at the end are the beginning of a UTF-8 character that continues in the next chunk. */
function bytesOfCutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/**
 * The offset of the first byte that no text in UTF-8 or no JSON can contain: a text in UTF-16 may look like UTF-8,
 * but every second byte of it is zero.
 */
function firstBadByte(bytes: Buffer): number | undefined {
  const zero = bytes.indexOf(0);
  const readable = zero < 0 ? bytes : bytes.subarray(0, zero);
  if (isUtf8(readable)) return zero < 0 ? undefined : zero;
  // The decoder puts this character in the place of bad bytes; a text may also contain it rightly.
  const replacement = Buffer.from("\uFFFD");
  let offset = 0;
  for (const part of readable.toString("utf8").split("\uFFFD")) {
    offset += Buffer.byteLength(part);
    if (!replacement.equals(readable.subarray(offset, offset + replacement.length))) break;
    offset += replacement.length;
  }
  return offset;
}

/** Reads JSON or NDJSON part by part, with one record at a time in memory. */
class RecordReader {
  readonly #tokenizer = new Tokenizer({ stringBufferSize: 1 << 16 });
  readonly #parser: TokenParser;
  #entries: Entry[] = [];
  /** The keys of each object that is open at this place, and null for each list. */
  readonly #open: (Set<string> | null)[] = [];
  #lastText = "";
  #isValueOfTop = false;
  begun = false;
  #chunk: Buffer = Buffer.alloc(0);
  /** The number of bytes before the chunk, and of those whose lines are counted already. */
  #before = 0;
  #counted = 0;
  #line = 1;
  /** Where the current record or list begins, in bytes. */
  #recordAt = 0;

  constructor(
    private readonly isNdjson: boolean,
    private readonly refuse: (reason: string) => ImportError,
  ) {
    this.#parser = isNdjson
      ? new TokenParser({ paths: ["$"], keepStack: false, separator: "" })
      : new TokenParser({ paths: KINDS.map((kind) => `$.${kind}.*`), keepStack: false });
    this.#parser.onValue = ({ key, value, stack }) => {
      if (isNdjson) this.#addRecord(value as { type?: unknown } | null);
      else if (typeof key === "number")
        this.#entries.push({ kind: KINDS.find((kind) => kind === stack[1]!.key)!, value });
    };
    this.#tokenizer.onToken = (token) => this.#onToken(token);
  }

  /** The entries that end in this part. */
  read(chunk: Buffer): Entry[] {
    this.begun = true;
    this.#chunk = chunk;
    this.#parse(() => this.#tokenizer.write(chunk));
    this.#lineAt(this.#before + chunk.length);
    this.#before += chunk.length;
    if (this.#before - this.#recordAt > LONGEST_RECORD)
      throw this.refuse(
        `has a record of more than ${LONGEST_RECORD / 1e6} MB, before line ${this.#line}`,
      );
    return this.#taken();
  }

  /** The entries that end with the file. */
  end(): Entry[] {
    this.#chunk = Buffer.alloc(0);
    this.#parse(() => {
      if (!this.#tokenizer.isEnded) this.#tokenizer.end();
    });
    if (!this.#seen) throw this.refuse("is empty");
    this.#parse(() => {
      if (!this.#parser.isEnded) this.#parser.end();
    });
    return this.#taken();
  }

  #seen = false;

  #taken(): Entry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  #parse(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof ImportError) throw error;
      // The parser's message quotes the file, including its line breaks.
      const reason = (error as Error).message.replace(/[\s\p{Cc}]+/gu, " ");
      throw this.refuse(`is not valid JSON: ${reason}`);
    }
  }

  #onToken(info: ParsedTokenInfo): void {
    const { token, value, offset } = info;
    const depth = this.#open.length;
    if (!this.isNdjson) this.#checkTop(info, depth);
    this.#seen = true;
    if (token === TokenType.LEFT_BRACE) this.#open.push(new Set());
    else if (token === TokenType.LEFT_BRACKET) this.#open.push(null);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#open.pop();
    else if (token === TokenType.STRING) this.#lastText = value as string;
    else if (token === TokenType.COLON) this.#addKey(offset);
    if (this.#open.length > DEEPEST)
      throw this.refuse(`is nested more than ${DEEPEST} deep, in line ${this.#lineAt(offset)}`);
    if (this.#open.length <= (this.isNdjson ? 0 : 2)) this.#recordAt = offset;
    if (this.isNdjson) this.#lineAt(offset);
    this.#parser.write(info);
  }

  /** Refuses a JSON object that is not a set of lists, or has a list of an unknown kind. */
  #checkTop({ token }: ParsedTokenInfo, depth: number): void {
    if (!this.#seen && token !== TokenType.LEFT_BRACE) this.#entries.push({ problem: NO_OBJECT });
    if (this.#isValueOfTop) {
      const kind = KINDS.find((known) => known === this.#lastText);
      if (!kind) this.#entries.push({ problem: unknownList(this.#lastText) });
      else if (token !== TokenType.LEFT_BRACKET) this.#entries.push({ problem: notAList(kind) });
    }
    this.#isValueOfTop = depth === 1 && token === TokenType.COLON;
  }

  #addKey(offset: number): void {
    const keys = this.#open.at(-1);
    if (keys?.has(this.#lastText))
      this.#entries.push({
        problem: `line ${this.#lineAt(offset)}: names ${JSON.stringify(this.#lastText.slice(0, 40))} twice in one object`,
      });
    keys?.add(this.#lastText);
  }

  #addRecord(value: { type?: unknown } | null): void {
    const kind = KINDS.find((known) => known === value?.type);
    const line = this.#line;
    if (kind) this.#entries.push({ kind, value, line });
    else this.#entries.push({ problem: `line ${line}: type: must be one of ${KINDS.join(", ")}` });
  }

  /** The line of a byte, which must not be before the last one that was asked for. */
  #lineAt(offset: number): number {
    let at = Math.max(0, this.#counted - this.#before);
    for (;;) {
      const newline = this.#chunk.indexOf(10, at);
      if (newline < 0 || this.#before + newline >= offset) break;
      this.#line++;
      at = newline + 1;
    }
    this.#counted = Math.max(this.#counted, this.#before + at);
    return this.#line;
  }
}
