import { describe, expect, it, test } from "vitest";
import { hasOnlyStopWords, searchedWords, wordsOf } from "~/store/tour-index/search-words.server";

describe("the words of a text", () => {
  test.each([
    ["Old-Town Walk, 2026!", ["old", "town", "walk", "2026"]],
    ["John's d'Orsay", ["john", "s", "d", "orsay"]],
    ["a\0b\u001fc", ["a", "b", "c"]],
    ["(.*) [x+y] $where {", ["x", "y", "where"]],
    ["🧭 ✨", []],
    ["", []],
  ])("%j are its runs of letters and digits", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ["Kraków", "krakow"],
    ["ÅNGSTRÖM", "angstrom"],
    ["Łódź", "lodz"],
    ["Fluß", "fluss"],
    ["FLUẞ", "fluss"],
    ["İstanbul", "istanbul"],
    ["Æbleø", "aebleo"],
    ["Ελλάδα", "ελλαδα"],
    ["Ёлка", "елка"],
    ["Ｔｏｋｙｏ", "tokyo"],
    ["ﬁn", "fin"],
  ])("%s are without accents and forms: %s", (text, word) => {
    expect(wordsOf(text.normalize("NFC"))).toEqual([word]);
    expect(wordsOf(text.normalize("NFD"))).toEqual([word]);
  });

  it("are found by a dictionary where a script has no spaces", () => {
    expect(wordsOf("東京タワー見学 with Yuki").slice(-3)).toEqual(["見学", "with", "yuki"]);
    expect(wordsOf("한국어 투어")).toEqual(["한국어", "투어"]);
    expect(wordsOf("ताजमहल")).toEqual(["ताजमहल"]);
  });

  it("have 40 characters at most, whole ones", () => {
    expect(wordsOf("x".repeat(50))).toEqual(["x".repeat(40)]);
    expect(wordsOf("𝒳".repeat(50))).toEqual(["x".repeat(40)]);
    expect(wordsOf("𐐨".repeat(50))).toEqual(["𐐨".repeat(40)]);
  });
});

describe("a search", () => {
  it.each(["", "  ", "\0", "\t\n\u0007 "])("%j is none", (text) => {
    expect(searchedWords(text)).toBeNull();
  });

  it.each(["?!", ".*", "🧭"])("%s looks for nothing that there is", (text) => {
    expect(searchedWords(text)).toEqual([]);
  });

  it("leaves stop words out, and looks for nothing when there are no others", () => {
    expect(searchedWords("The walk to THE sea")).toEqual(["walk", "sea"]);
    for (const text of ["the", "To the!"]) {
      expect(searchedWords(text)).toEqual([]);
      expect(hasOnlyStopWords(text)).toBe(true);
    }
    for (const text of ["", " ", "?!", "the sea"]) expect(hasOnlyStopWords(text)).toBe(false);
  });

  it("looks for each word once, and for eight at most", () => {
    expect(searchedWords("sea Sea SÉA")).toEqual(["sea"]);
    expect(searchedWords("the b1 b2 b3 b4 b5 b6 b7 b8 b9")).toEqual(
      Array.from({ length: 8 }, (_, n) => `b${n + 1}`),
    );
    expect(searchedWords(`${" ?".repeat(500)} late`)).toEqual([]);
  });
});
