import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ImportError } from "~/services/import/file.server";
import { readJsonFile } from "../../../scripts/lib/json-file";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tour-reviews-json-"));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, "platform.json");

async function read(content: string | Uint8Array): Promise<unknown> {
  await writeFile(file(), content);
  return readJsonFile(file());
}

/** The refusal of a file, without the name that it begins with. */
async function refusal(path = file()): Promise<string> {
  const error: unknown = await readJsonFile(path).catch((reason: unknown) => reason);
  if (!(error instanceof ImportError)) throw error;
  expect(error.message.startsWith(`${path} `)).toBe(true);
  return error.message.slice(path.length + 1);
}

async function refused(content: string | Uint8Array): Promise<string> {
  await writeFile(file(), content);
  return refusal();
}

test("is read in UTF-8, with a byte order mark or without", async () => {
  const data = { title: "Über die Brücke 🥾 \uFFFD" };
  expect(await read(JSON.stringify(data))).toEqual(data);
  expect(await read(`\uFEFF${JSON.stringify(data)}`)).toEqual(data);
});

test.each([
  ["Latin-1", Buffer.from('{"title": "Brücke"}', "latin1"), 13],
  ["Latin-1, behind a replacement character", Buffer.from([123, 0xef, 0xbf, 0xbd, 0xfc, 125]), 4],
  ["UTF-16 with a byte order mark", Buffer.from('\uFEFF{"title": "Way"}', "utf16le"), 0],
  ["UTF-16 without", Buffer.from('{"title": "Way"}', "utf16le"), 1],
  ["half a surrogate pair", Buffer.from([34, 0xed, 0xa0, 0x80, 34]), 1],
  ["text that is cut off", Buffer.from("{ü").subarray(0, 2), 1],
  ["a zero byte", Buffer.from('{"title": "a\0b"}'), 12],
])("is refused in other bytes: %s", async (_, bytes, offset) => {
  expect(await refused(bytes)).toBe(`is not text in UTF-8: see byte ${offset}`);
});

test.each([
  ['{"users": [],\n "tours": [],\n "users": []}', '"users" twice in one object, in line 3'],
  ['{"users": [{"id": 1, "name": "\\\\", "i\\u0064": 2}]}', '"id" twice in one object, in line 1'],
  ['[{"a": {"a": 1}}, {"b": 1, "b"  \n : 2}]', '"b" twice in one object, in line 1'],
  ['{"__proto__": 1, "__proto__": 2}', '"__proto__" twice in one object, in line 1'],
])("is refused where a key stands twice: %s", async (text, line) => {
  expect(await refused(text)).toBe(`names ${line}`);
});

test("may have the same key in several objects, and texts that look like keys", async () => {
  const data = { a: { a: [{ a: 1 }, { a: '"a": {' }] }, b: ["a", "a", '\\"'], c: "}{][" };
  expect(await read(JSON.stringify(data, null, 2))).toEqual(data);
});

test("may have a text of any length", async () => {
  const data = { long: '\\"'.repeat(5_000_000), other: "x".repeat(20_000_000) };
  expect(Object.keys((await read(JSON.stringify(data))) as object)).toEqual(["long", "other"]);
});

test("that holds nothing, or no JSON, is refused in one line", async () => {
  for (const nothing of ["", " \n", "\uFEFF"]) expect(await refused(nothing)).toBe("is empty");
  expect(await refused('{"users": [\n\u001b}')).toMatch(/^is not valid JSON: [^\n\u001b]+$/);
});

test("that is absent, a folder or too large is refused in one line", async () => {
  expect(await refusal()).toMatch(/^cannot be read: ENOENT.*$/);
  await mkdir(join(folder, "folder"));
  expect(await refusal(join(folder, "folder"))).toMatch(/^cannot be read: EISDIR.*$/);
  for (const size of [500_000_001, 3_000_000_000]) {
    const handle = await open(file(), "w");
    await handle.truncate(size);
    await handle.close();
    expect(await refusal()).toBe("is larger than 500 MB: import it in parts");
  }
});
