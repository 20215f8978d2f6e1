import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

// Documents and comments name only what exists: files, folders, sections and checks. Paths are relative
// to the repository's root, where tests run.

const ROOMS = ["app", "docs", "emails", "models", "scripts", "tests"];

const walk = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => walk(join(path, name)))
    : [path];
const FILES = ROOMS.flatMap(walk);
const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...FILES.filter((file) => file.endsWith(".md")),
];
const SOURCES = FILES.filter((file) => /\.(tsx?|mjs|py|css|in)$/.test(file));

/** A text to look at, and where it is from. */
interface Text {
  file: string;
  line: number;
  text: string;
}

/** The comments of a file, each as one text without line breaks. */
function commentsOf(file: string): Text[] {
  const source = readFileSync(file, "utf8");
  const pattern = /\.(py|in)$/.test(file)
    ? /"""[\s\S]*?"""|(?:^|\s)#.*(?:\n[ \t]*#.*)*/g
    : /\/\*[\s\S]*?\*\/|(?:^|[\s{])\/\/.*(?:\n[ \t]*\/\/.*)*/g;
  return [...source.matchAll(pattern)].map(({ 0: comment, index }) => ({
    file,
    line: source.slice(0, index).split("\n").length,
    text: comment.replace(/\s*\n\s*(\/\/|#|\*(?!\/))?\s*/g, " "),
  }));
}

const linesOf = (file: string): Text[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ file, line: index + 1, text }));

const LINES = DOCUMENTS.flatMap(linesOf);
/** The documents by paragraph, because a citation may go on in the next line. */
const PARAGRAPHS = DOCUMENTS.flatMap((file) => [
  { file, line: 1, text: readFileSync(file, "utf8").replace(/\n(?!\n)/g, " ") },
]);
const COMMENTS = SOURCES.flatMap(commentsOf);

/** The file or folder of that path, which may leave out its extension. */
const exists = (path: string) =>
  existsSync(path) ||
  (existsSync(dirname(path)) &&
    readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.`)));

/** Each match of `pattern` that `isWrong`, with its place. */
const mistakes = (
  texts: Text[],
  pattern: RegExp,
  isWrong: (match: RegExpExecArray, file: string) => boolean,
) =>
  texts.flatMap(({ file, line, text }) =>
    [...text.matchAll(pattern)]
      .filter((match) => isWrong(match, file))
      .map(([match]) => `${file}:${line}: ${match}`),
  );

/** The ids that GitHub gives to the headings of a document. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const heading of headingsOf(file)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

const headingsOf = (file: string) =>
  [
    ...readFileSync(file, "utf8")
      .replace(/^```[\s\S]*?^```/gm, "")
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading]) => heading!.trim());

/** The checks that the tables of each section of a page of the rules number, by the name of the page and of the section. */
function checksBySection(): Map<string, Set<string>> {
  return new Map(
    walk("docs/rules").flatMap((page) =>
      readFileSync(page, "utf8")
        .split(/^## /m)
        .slice(1)
        .map((section): [string, Set<string>] => [
          `${basename(page)}, ${section.slice(0, section.indexOf("\n")).trim()}`,
          new Set([...section.matchAll(/^\| (\d+a?) +\|/gm)].map(([, check]) => check!)),
        ]),
    ),
  );
}

it("links of documents lead to files and headings that exist", () => {
  const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g;
  const isWrong = ([, path = "", anchor]: RegExpExecArray, file: string) => {
    const target = path ? normalize(join(dirname(file), path)) : file;
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
  };
  expect(mistakes(LINES, LINK, isWrong)).toEqual([]);
});

it("paths that a document or a comment names exist", () => {
  const PATH = new RegExp(
    `(?<![\\w./:@~-])(?:${ROOMS.join("|")})/(?:[\\w.$/-]|\\[\\.\\])*[\\w$/]`,
    "g",
  );
  expect(COMMENTS.length).toBeGreaterThan(300);
  expect(mistakes([...LINES, ...COMMENTS], PATH, ([path]) => !exists(path))).toEqual([]);
});

it("commands that a document names exist, except in the changelog, which names former ones", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const lines = LINES.filter(({ file }) => file !== "docs/changelog.md");
  expect(
    mistakes(lines, /npm run (?:--silent )?([\w:-]+)/g, ([, name = ""]) => !(name in scripts)),
  ).toEqual([]);
});

it("no sentence of a document begins with What, Who, Whose or Of whom", () => {
  const opening = /(?:^|[-#>.:?!] )(?:What|Who|Whose|Of whom)\b/g;
  expect(mistakes(LINES, opening, () => true)).toEqual([]);
});

it("the changelog begins with what is unreleased, and then the present version", () => {
  const versionOf = (file: string) =>
    (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  const version = versionOf("package.json");
  const headings = headingsOf("docs/changelog.md")
    .slice(1)
    .filter((name) => /^(U|\d)/.test(name));
  expect(headings.slice(0, 2).map((name) => name.split(" - ")[0])).toEqual(["Unreleased", version]);
  expect(versionOf("package-lock.json")).toBe(version);
});

describe("citations of the rules", () => {
  const sections = checksBySection();
  const texts = [...COMMENTS, ...PARAGRAPHS];
  expect(sections.get("reviews.md, Posting")).toContain("3a");
  const isKnown = (section: string, checks = "") =>
    sections.has(section) &&
    (checks.match(/\d+a?/g) ?? []).every((check) => sections.get(section)!.has(check));

  it('name a section, and checks that it has: "docs/rules/reviews.md, Posting, checks 4 and 5"', () => {
    const isWrong = ([, cited = ""]: RegExpExecArray) => {
      const section = [...sections.keys()].find(
        (name) => cited.startsWith(name) && !/^[\w-]/.test(cited.slice(name.length)),
      );
      if (section === undefined) return true;
      const [, checks] = /^, checks? ([\da, andto]+)/.exec(cited.slice(section.length)) ?? [];
      return !isKnown(section, checks);
    };
    expect(mistakes(texts, /docs\/rules\/(\w+\.md, [^.;:)]*)/g, isWrong)).toEqual([]);
  });

  it('name a section, and checks that it has: "checks 4 and 5 of docs/rules/reviews.md (Posting)"', () => {
    const citation = /(?:checks? ([\da, andto]+) of )?docs\/rules\/(\w+\.md) \(([^)]*)\)/gi;
    const isWrong = ([, checks, page, name]: RegExpExecArray) =>
      !isKnown(`${page}, ${name}`, checks);
    expect(mistakes(texts, citation, isWrong)).toEqual([]);
  });
});
