import { describe, expect, it, test } from "vitest";
import { languageRules } from "~/search/language.server";
import {
  asTyped,
  hasOnlyStopWords,
  letterPairs,
  searchedWords,
  indexedWords,
} from "~/search/search-words.server";

const { isStopWord } = languageRules("english");

describe("the words of a text", () => {
  test.each([
    ["Old-Town Walk, 2026!", ["old", "town", "walk", "2026"]],
    ["John's d'Orsay", ["john", "s", "d", "orsay", "johns", "dorsay"]],
    ["(.*) [x+y] $where {", ["x", "y", "where"]],
    ["🧭 ✨", ["🧭", "✨"]],
    ["❤️", ["❤"]],
    ["1,000 to 2.500,50", ["1000", "to", "2500", "50"]],
    ["Wi-Fi", ["wi", "fi", "wifi"]],
    ["Köln", ["koln", "koeln"]],
    ["", []],
  ])("%j are its runs of letters and digits", (text, words) => {
    expect(indexedWords(text)).toEqual(words);
  });

  test.each([
    ["Kraków", "krakow"],
    ["Łódź", "lodz"],
    ["Fluß", "fluss"],
    ["İstanbul", "istanbul"],
    ["Ελλάδα", "ελλαδα"],
    ["Ｔｏｋｙｏ", "tokyo"],
  ])("%s are without accents and forms: %s", (text, word) => {
    expect(indexedWords(text.normalize("NFC"))).toEqual([word]);
    expect(indexedWords(text.normalize("NFD"))).toEqual([word]);
  });

  it("are found by a dictionary where a script has no spaces", () => {
    expect(indexedWords("ล่องเรือแม่น้ำ with Yuki")).toEqual(["ล่อง", "เรือ", "แม่น้ำ", "with", "yuki"]);
    expect(indexedWords("한국어 투어")).toEqual(["한국어", "투어"]);
    expect(indexedWords("ताजमहल")).toEqual(["ताजमहल"]);
  });

  it("are the pairs of letters in Chinese and Japanese, and the last letter", () => {
    expect(indexedWords("上海外滩2日")).toEqual(["上海", "海外", "外滩", "滩", "2", "日", "日"]);
    expect(indexedWords("タワー from Tokyo東京")).toEqual([
      "たわ",
      "わー",
      "ー",
      "from",
      "tokyo",
      "東京",
      "京",
    ]);
    expect(letterPairs("外")).toEqual(["外"]);
    expect(letterPairs("𠮷野家")).toEqual(["𠮷野", "野家"]);
  });

  test.each([
    ["הָעִיר הָעַתִּיקָה", "העיר העתיקה"],
    ["جَوْلَةٌ بَحْرِيَّة", "جولة بحرية"],
    ["جـــولة", "جولة"],
    ["الإسكندرية", "الاسكندرية"],
    ["Donau\u00ADdampf", "Donaudampf"],
  ])("%s are without what is not spoken or not seen: %s", (text, plain) => {
    expect(indexedWords(text)).toEqual(indexedWords(plain));
    expect(indexedWords(text).join("")).toMatch(/^[\p{L}]+$/u);
  });

  it("have 40 characters at most, whole ones", () => {
    expect(indexedWords("x".repeat(50))).toEqual(["x".repeat(40)]);
    expect(indexedWords("𝒳".repeat(50))).toEqual(["x".repeat(40)]);
    expect(indexedWords("𐐨".repeat(50))).toEqual(["𐐨".repeat(40)]);
  });
});

describe("a search", () => {
  it("leaves stop words out, and looks for nothing when there are no others", () => {
    expect(searchedWords("The walk to THE sea", isStopWord)).toEqual(["walk", "sea"]);
    for (const text of ["the", "To the!"]) {
      expect(searchedWords(text, isStopWord)).toEqual([]);
      expect(hasOnlyStopWords(text, isStopWord)).toBe(true);
    }
    for (const text of ["", " ", "?!", "the sea"])
      expect(hasOnlyStopWords(text, isStopWord)).toBe(false);
  });

  it("looks for each word once, and for eight at most", () => {
    expect(searchedWords("sea Sea SÉA", isStopWord)).toEqual(["sea"]);
    expect(searchedWords("the b1 b2 b3 b4 b5 b6 b7 b8 b9", isStopWord)).toEqual(
      Array.from({ length: 8 }, (_, n) => `b${n + 1}`),
    );
    expect(searchedWords(`${" ?".repeat(500)} late`, isStopWord)).toEqual([]);
  });

  it("takes Chinese and Japanese apart by a dictionary, but not what it does not know", () => {
    expect(searchedWords("上海夜景", isStopWord)).toEqual(["上海", "夜景"]);
    // Not 外 and 滩 anywhere.
    expect(searchedWords("外滩", isStopWord)).toEqual(["外滩"]);
    // Without particles, such as "of".
    expect(searchedWords("京都の寺院", isStopWord)).toEqual(["京都", "寺院"]);
    expect(searchedWords("の", isStopWord)).toEqual([]);
    expect(hasOnlyStopWords("の", isStopWord)).toBe(true);
  });

  test.each([
    ["Kraków, CRUISE!", "krakow", "Kraków"],
    ["Kraków, CRUISE!", "cruise", "CRUISE"],
    ["בָּעִיר", "בעיר", "בָּעִיר"],
    // It stands within a longer one.
    ["上海夜景", "夜景", "夜景"],
  ])("of %s shows %s as it was typed", (text, word, typed) => {
    expect(asTyped(text, word)).toBe(typed);
  });
});
