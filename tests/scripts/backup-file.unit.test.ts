import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Header } from "tar";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackBackup, unpackDatabase } from "../../scripts/lib/backup-file";

// A backup that somebody has made up writes nothing outside of its folder, and not without end.

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "tour-reviews-tar-"))));
afterAll(() => rm(folder, { recursive: true }));

interface Entry {
  path: string;
  type?: "File" | "SymbolicLink" | "Link" | "Directory" | "FIFO";
  linkpath?: string;
  content?: string | Buffer;
}

function tarOf(entries: Entry[]): Buffer {
  const parts = entries.flatMap(({ path, type = "File", linkpath, content = "" }) => {
    const bytes = Buffer.from(content);
    const odd = { mode: 0o4777, uid: 4_711 };
    const header = new Header({ path, type, linkpath, size: bytes.length, ...odd });
    header.encode();
    return [header.block!, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1_024)]);
}

const sum = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

function manifestOf(files: Record<string, string | Buffer>): Entry {
  const sums = Object.entries(files).map(([name, content]) => [name, sum(content)]);
  const manifest = { format: 1, version: "1", createdAt: "2026-01-01T00:00:00Z", documents: {} };
  return {
    path: "manifest.json",
    content: JSON.stringify({ ...manifest, files: Object.fromEntries(sums) as object }),
  };
}

/** Writes a file beside an empty folder and one that is not its business. */
async function scene(make: (outside: string) => Buffer) {
  const place = await mkdtemp(join(folder, "case-"));
  const [file, into, outside] = ["file", "into", "outside"].map((name) => join(place, name));
  await writeFile(file!, make(outside!));
  await mkdir(into!);
  await mkdir(outside!);
  await writeFile(join(outside!, "kept"), "mine");
  return { file: file!, into: into!, outside: outside! };
}

const ODD: [string, (outside: string) => Entry[]][] = [
  ["a step back", () => [{ path: "../outside/kept", content: "theirs" }]],
  ["an absolute path", (outside) => [{ path: `${outside}/kept`, content: "theirs" }]],
  [
    "a link to a folder, and a file through it",
    (outside) => [
      { path: "way", type: "SymbolicLink", linkpath: outside },
      { path: "way/kept", content: "theirs" },
    ],
  ],
  [
    "a link in the place of a file of the engine",
    (outside) => [{ path: "WiredTiger.wt", type: "SymbolicLink", linkpath: `${outside}/kept` }],
  ],
  [
    "a hard link",
    (outside) => [{ path: "WiredTiger.wt", type: "Link", linkpath: `${outside}/kept` }],
  ],
  ["a pipe", () => [{ path: "WiredTiger.wt", type: "FIFO" }]],
  ["a folder", () => [{ path: "more", type: "Directory" }]],
];

test.each(ODD)("the engine's archive with %s is refused", async (_, entries) => {
  const good = { path: "WiredTiger", content: "x" };
  const { file, into, outside } = await scene((beside) =>
    gzipSync(tarOf([good, ...entries(beside)])),
  );
  await expect(unpackDatabase(file, join(into, "database"))).rejects.toThrow();
  expect(await readFile(join(outside, "kept"), "utf8")).toBe("mine");
  expect(await readdir(outside)).toEqual(["kept"]);
  for (const name of await readdir(join(into, "database"), { withFileTypes: true }))
    expect([name.name, name.isFile()]).toEqual(["WiredTiger", true]);
});

test("the engine's archive with far more in it than its size is refused before all of it is written", async () => {
  // An amount that the library by itself does not refuse.
  const real = { path: "WiredTiger.wt", content: randomBytes(200_000) };
  const zeros = { path: "WiredTigerLog.1", content: Buffer.alloc(50_000_000) };
  const one = { ...zeros, path: "WiredTigerLog.2" };
  const last = { ...zeros, path: "WiredTigerLog.3" };
  const { file, into } = await scene(() => gzipSync(tarOf([real, zeros, one, last])));
  await expect(unpackDatabase(file, join(into, "database"))).rejects.toThrow(
    'database.tar.gz is no archive of the database: see "WiredTigerLog.3"',
  );
  expect(await readdir(join(into, "database"))).not.toContain("WiredTigerLog.3");
});

const SECRET = { path: "session-secret", content: "s".repeat(43) };
const ARCHIVE = { path: "database.tar.gz", content: gzipSync(tarOf([])) };
const FILES = { "session-secret": SECRET.content, "database.tar.gz": ARCHIVE.content };

test("a backup is unpacked without what does not belong to it", async () => {
  const { file, into, outside } = await scene((beside) =>
    tarOf([
      manifestOf(FILES),
      SECRET,
      ARCHIVE,
      ...ODD.flatMap(([, entries]) => entries(beside)),
      { path: ".env", content: "x" },
    ]),
  );
  await unpackBackup(file, into).catch(() => {});
  expect(await readFile(join(outside, "kept"), "utf8")).toBe("mine");
  const allowed = ["database.tar.gz", "manifest.json", "session-secret"];
  expect((await readdir(into)).filter((name) => !allowed.includes(name))).toEqual([]);
});

test("a backup with a link for its secret, or a secret of some megabytes, is refused", async () => {
  const link: Omit<Entry, "content"> = { path: "session-secret", type: "SymbolicLink" };
  const large = { path: "session-secret", content: Buffer.alloc(2_000_000) };
  for (const [secret, content] of [
    [link, "mine"],
    [large, large.content],
  ] as const) {
    const { file, into } = await scene((outside) => {
      const entry = secret === link ? { ...link, linkpath: `${outside}/kept` } : secret;
      return gzipSync(tarOf([manifestOf({ ...FILES, "session-secret": content }), entry, ARCHIVE]));
    });
    await expect(unpackBackup(file, into)).rejects.toThrow(/is damaged|is no backup/);
    for (const entry of await readdir(into, { withFileTypes: true }))
      expect([entry.name, entry.isFile()]).toEqual([entry.name, true]);
  }
});

test.each<[string, (whole: Buffer) => Buffer]>([
  ["cut off", (whole) => whole.subarray(0, whole.length / 2)],
  ["no tar file", () => Buffer.from("hello")],
  [
    "of another byte",
    (whole) => {
      whole[whole.indexOf(ARCHIVE.content) + 8]! ^= 1;
      return whole;
    },
  ],
])("a backup that is %s is refused", async (_, changed) => {
  const { file, into } = await scene(() => changed(tarOf([manifestOf(FILES), SECRET, ARCHIVE])));
  await expect(unpackBackup(file, into)).rejects.toThrow(/ is damaged/);
});
