import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Entry, ImportError } from "~/import/records.server";
import { readImportFile } from "../../scripts/lib/import-file";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tour-reviews-import-file-"));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, "platform.json");

async function read(content: string | Uint8Array): Promise<Entry[]> {
  await writeFile(file(), content);
  return entries();
}

async function entries(path = file()): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const some of readImportFile(path)) found.push(...some);
  return found;
}

/** The refusal of a file, without the name that it begins with. */
async function refusal(path = file()): Promise<string> {
  const error: unknown = await entries(path).catch((reason: unknown) => reason);
  if (!(error instanceof ImportError)) throw error;
  expect(error.message.startsWith(`${path} `)).toBe(true);
  return error.message.slice(path.length + 1);
}

async function refused(content: string | Uint8Array): Promise<string> {
  await writeFile(file(), content);
  return refusal();
}

const RECORDS = [
  {
    kind: "users",
    value: { name: "Über die Brücke 🥾 \uFFFD", more: { a: [1, { a: '"a": {' }] } },
  },
  { kind: "users", value: { name: '}{][ \\"' } },
  { kind: "reviews", value: { rating: 5, comment: null } },
];
const ONE_OBJECT = {
  users: [RECORDS[0]!.value, RECORDS[1]!.value],
  tours: [],
  reviews: [RECORDS[2]!.value],
};
const LINES = RECORDS.map(({ kind, value }) => JSON.stringify({ type: kind, ...value }));

test("one JSON object is read; what is no object is refused", async () => {
  expect(await read(JSON.stringify(ONE_OBJECT))).toEqual(RECORDS);
  const problem = "file: must be an object with the lists users, tours, bookings, reviews";
  for (const content of ["[1]", "null"]) expect(await read(content)).toEqual([{ problem }]);
});

describe("NDJSON", () => {
  test.each([
    ["in lines", LINES.join("\n")],
    ["with an end of the last line, and as Windows has them", `${LINES.join("\r\n")}\r\n`],
    ["with a byte order mark", `\uFEFF${LINES.join("\n")}`],
    ["as gzip", gzipSync(LINES.join("\n"))],
  ])("%s", async (_, content) => {
    const expected = RECORDS.map(({ kind, value }, index) => ({
      kind,
      value: { type: kind, ...value },
      line: index + 1,
    }));
    expect(await read(content)).toEqual(expected);
  });

  test("with records of no kind", async () => {
    const problem = "type: must be one of users, tours, bookings, reviews";
    expect(await read(`${LINES[0]}\n\n{"type": "guides"}\n7`)).toEqual([
      expect.objectContaining({ kind: "users", line: 1 }),
      { problem: `line 3: ${problem}` },
      { problem: `line 4: ${problem}` },
    ]);
  });
});

test.each([
  ["Latin-1", Buffer.from('{"title": "Brücke"}', "latin1"), 13],
  ["half a surrogate pair", Buffer.from([34, 0xed, 0xa0, 0x80, 34]), 1],
  ["a zero byte", Buffer.from('{"title": "a\0b"}'), 12],
])("is refused in other bytes: %s", async (_, bytes, offset) => {
  expect(await refused(bytes)).toBe(`is not text in UTF-8: see byte ${offset}`);
});

test.each([
  ['{"users": [],\n "tours": [],\n "users": []}', 'line 3: names "users"'],
  ['{"users": [{"id": 1, "name": "\\\\", "i\\u0064": 2}]}', 'line 1: names "id"'],
  ['{"type": "users"}\n{"type": "users", "type": ""}', 'line 2: names "type"'],
])("is refused where a key stands twice: %s", async (text, problem) => {
  expect(await read(text)).toContainEqual({ problem: `${problem} twice in one object` });
});

test("is refused with a record that is too long or too deep", async () => {
  const long = JSON.stringify({ users: [{ name: "x".repeat(17_000_000) }] });
  expect(await refused(long)).toBe("has a record of more than 16 MB, before line 1");
  const many = JSON.stringify({ users: Array(200).fill({ name: "x".repeat(100_000) }) });
  expect(await read(many)).toHaveLength(200);
  const deep = `{"users": [{"a": ${"[".repeat(200)}`;
  expect(await refused(deep)).toBe("is nested more than 100 deep, in line 1");
});

test("that holds nothing, or no JSON, is refused in one line", async () => {
  for (const nothing of ["", " \n", "\uFEFF"]) expect(await refused(nothing)).toBe("is empty");
  for (const none of ['{"users": [\n\u001b}', "{} {}", '{"type": "users"}\n{"a'])
    expect(await refused(none)).toMatch(/^is not valid JSON: [^\n\u001b]+$/);
});

test("that is absent, a folder or cut off is refused in one line", async () => {
  expect(await refusal()).toMatch(/^cannot be read: ENOENT.*$/);
  await mkdir(join(folder, "folder"));
  expect(await refusal(join(folder, "folder"))).toMatch(/^cannot be read: EISDIR.*$/);
  const whole = gzipSync(JSON.stringify(ONE_OBJECT));
  expect(await refused(whole.subarray(0, whole.length - 12))).toMatch(/^cannot be read: \S.*$/);
});

describe("that unpacks to a thousand times its size", () => {
  const MB = 1_000_000;

  test.each([
    ["spaces", " ", /^has a record of more than 16 MB/],
    ["one text", `{"users": [{"_id": "${"a".repeat(100)}`, /^has a record of more than 16 MB/],
    ["lists in lists", "[", /^is nested more than 100 deep/],
    ["nothing", "\0", /^is not text in UTF-8/],
  ])("is refused soon: %s", async (_, begin, reason) => {
    const repeated = begin.at(-1)!.repeat(20 * MB);
    await writeFile(file(), gzipSync(begin + repeated));
    expect(await refusal()).toMatch(reason);
  });

  test("is read in parts, also where it has no line breaks", async () => {
    await writeFile(file(), gzipSync(`{"users": [${"{},".repeat(MB)}{}]}`));
    const sizes: number[] = [];
    for await (const some of readImportFile(file())) sizes.push(some.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(MB + 1);
    expect(Math.max(...sizes)).toBeLessThan(MB / 4);
  });
});
