import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { ImportError } from "../../app/services/import/file.server";

/** The largest file that is read, in bytes: about the longest text that JavaScript has. */
const LARGEST = 500_000_000;

/** Reads a file of JSON. Throws `ImportError`, with one line, for what is no JSON in UTF-8 without repeated keys. */
export async function readJsonFile(file: string): Promise<unknown> {
  const refuse = (reason: string) => new ImportError(`${file} ${reason}`);
  const bytes = await readBytes(file).catch((error: Error) => {
    throw refuse(`cannot be read: ${error.message}`);
  });
  if (!bytes || bytes.length > LARGEST)
    throw refuse(`is larger than ${LARGEST / 1e6} MB: import it in parts`);
  const bad = firstBadByte(bytes);
  if (bad !== undefined) throw refuse(`is not text in UTF-8: see byte ${bad}`);
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") throw refuse("is empty");
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    // The message quotes the file, with its line breaks.
    const reason = (error as Error).message.replace(/[\s\p{Cc}]+/gu, " ");
    throw refuse(`is not valid JSON: ${reason}`);
  }
  const repeated = findRepeatedKey(text);
  if (repeated)
    throw refuse(
      `names ${JSON.stringify(repeated.key.slice(0, 40))} twice in one object, in line ${repeated.line}`,
    );
  return data;
}

/** The bytes of a file, or null for one that is too large. */
async function readBytes(file: string): Promise<Buffer | null> {
  return (await stat(file)).size > LARGEST ? null : readFile(file);
}

/**
 * The offset of the first byte that no text in UTF-8 has, or that no JSON has: of a text in UTF-16, which may
 * look like UTF-8, every second one is zero.
 */
function firstBadByte(bytes: Buffer): number | undefined {
  const zero = bytes.indexOf(0);
  const readable = zero < 0 ? bytes : bytes.subarray(0, zero);
  if (isUtf8(readable)) return zero < 0 ? undefined : zero;
  // What cannot be decoded becomes this character, which a text may also have.
  const replacement = Buffer.from("\uFFFD");
  let offset = 0;
  for (const part of readable.toString("utf8").split("\uFFFD")) {
    offset += Buffer.byteLength(part);
    if (!replacement.equals(readable.subarray(offset, offset + replacement.length))) break;
    offset += replacement.length;
  }
  return offset;
}

const JSON_BLANKS = " \t\r\n";

/** The first key that stands twice in one object of valid JSON, of which `JSON.parse` drops the first value. */
function findRepeatedKey(text: string): { key: string; line: number } | undefined {
  /** The keys of each object that is open at a place, and null for each list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    if (character !== '"') continue;
    const end = endOfString(text, at);
    let next = end;
    while (JSON_BLANKS.includes(text[next] ?? "none")) next++;
    if (text[next] === ":") {
      const keys = open.at(-1)!;
      const key = JSON.parse(text.slice(at, end)) as string;
      if (keys.has(key)) return { key, line: text.slice(0, at).split("\n").length };
      keys.add(key);
    }
    at = end - 1;
  }
  return undefined;
}

/** The place behind the string that begins at `start`. No regular expression, which a long text overcomes. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    let backslash = end;
    while (text[backslash - 1] === "\\") backslash--;
    if ((end - backslash) % 2 === 0) return end + 1;
  }
}
