import { beforeEach, describe, expect, it, test } from "vitest";
import { languageRules } from "~/search/language.server";
import { searchedWords } from "~/search/search-words.server";
import { type SearchedTexts, WordIndex } from "~/search/word-index.server";

const english = languageRules("english");

let index: WordIndex;
let size: number;
beforeEach(() => {
  index = new WordIndex(english);
  size = 0;
});

function add(texts: Partial<SearchedTexts>): number {
  index.add({ title: "", location: "", guide: "", description: "", ...texts });
  return size++;
}

/** The numbers of the tours that have all words, the best match first. */
function found(text: string): number[] {
  const { asked, has, scores } = index.search(searchedWords(text, english.isStopWord)!);
  expect([has.length, scores.length]).toEqual([size, size]);
  const all = 2 ** asked.length - 1;
  const numbers = Array.from(has.keys()).filter((number) => all > 0 && has[number] === all);
  return numbers.sort((a, b) => scores[b]! - scores[a]!);
}

describe("a search", () => {
  it("ranks title, place, guide and description in this order", () => {
    const description = add({ description: "harbour" });
    const guide = add({ guide: "Harbour" });
    const location = add({ location: "Harbour" });
    const title = add({ title: "Harbour" });
    const last = add({ location: "Harbour", guide: "Harbour", description: "harbour" });
    expect(found("harbour")).toEqual([title, last, location, guide, description]);
  });

  it("ranks a whole word before its beginning, and adds up all words", () => {
    const beginning = add({ title: "Harbourside" });
    const whole = add({ title: "Harbour" });
    const both = add({ title: "Harbour", description: "by boat" });
    expect(found("harbour").indexOf(beginning)).toBe(2);
    expect(found("harbour boat")).toEqual([both]);
    const better = add({ title: "Harbour by boat" });
    expect(found("harbour boat")).toEqual([better, both]);
    expect(found("harbour")).not.toEqual([whole]);
  });
});

describe("one typing error", () => {
  test.each([
    ["lantarn", "another letter"],
    ["lantterms", "two errors", false],
    ["lantterns", "a letter too many, in another form"],
    ["lanntern", "a letter too many"],
    ["latnern", "two letters in each other's place"],
    ["kantern", "another first letter"],
  ])("%s: %s", (typed, _, isFound = true) => {
    const lantern = add({ title: "Lantern" });
    expect(found(typed)).toEqual(isFound ? [lantern] : []);
  });

  it("is considered only where no tour has the word as it was typed", () => {
    const similar = add({ title: "Walks" });
    expect(found("talks")).toEqual([similar]);
    const typed = add({ description: "talks" });
    expect(found("talks")).toEqual([typed]);
    // Its beginning counts as written, too.
    expect(found("talk")).toEqual([typed]);
  });

  it("makes no other number, and no other short word", () => {
    add({ title: "Tour 2025 in a bus" });
    expect(found("2026")).toEqual([]);
    expect(found("bud")).toEqual([]);
  });
});

describe("the nearest word", () => {
  it("is the word itself where tours have it, or a longer one", () => {
    add({ title: "Lanterns" });
    expect(index.nearest("lanterns")).toBe("lanterns");
    expect(index.nearest("lant")).toBe("lant");
  });

  it("is the one with the fewest errors, two at most, then the one that most tours have", () => {
    add({ title: "Lantern" });
    add({ title: "Harbour" });
    add({ title: "Harbour and lanterne" });
    add({ title: "Barbour" });
    expect(index.nearest("lanten")).toBe("lantern");
    expect(index.nearest("lntrn")).toBe("lantern");
    expect(index.nearest("latnern")).toBe("lantern");
    expect(index.nearest("garbour")).toBe("harbour");
    expect(index.nearest("submarine")).toBeNull();
  });

  it("does not exist for short words with two errors, numbers, and what nobody types by mistake", () => {
    add({ title: `Boat 2026 ${"x".repeat(21)}` });
    expect(index.nearest("boet")).toBe("boat");
    expect(index.nearest("buet")).toBeNull();
    expect(index.nearest("bot")).toBeNull();
    expect(index.nearest("2027")).toBeNull();
    expect(index.nearest(`${"x".repeat(20)}y`)).toBeNull();
  });
});
