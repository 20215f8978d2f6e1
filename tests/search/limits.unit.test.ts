import { describe, expect, it, test } from "vitest";
import { FactReader } from "~/search/fact-reader.server";
import { textWithout } from "~/search/fact-tokens.server";
import { languageRules } from "~/search/language.server";
import type { Limits } from "~/search/limits";

// Limits that the words of a search name (docs/rules/tours.md, Tours).

type Read = Partial<Limits> & { cheap?: true; rest: string };

const readerOf = (name: "english" | "german" | "french") => {
  const reader = new FactReader(name, languageRules(name));
  const texts = new Set(["italian", "thai", "cooking"]);
  return (text: string): Read => {
    const { limits, isCheap, typed } = reader.read(text, {
      hasWord: (word) => texts.has(word),
      isSpoken: (code) => ["de", "it", "en"].includes(code),
    });
    return { ...limits, ...(isCheap && { cheap: true }), rest: textWithout(text, typed) };
  };
};

const read = readerOf("english");

test.each<[string, Read]>([
  ["German guide", { language: "de", rest: "" }],
  ["tour in German", { language: "de", rest: "tour" }],
  ["deutsch", { language: "de", rest: "" }],
  ["German", { language: "de", rest: "" }],
  ["german-speaking guide for the caves", { language: "de", rest: "for the caves" }],
  ["a guide who speaks German", { language: "de", rest: "a guide who" }],
  ["German walking tour", { language: "de", rest: "walking tour" }],
  ["kayak en español", { language: "es", rest: "kayak en" }],
  ["Norwegian guide", { language: "nb", rest: "" }],
  ["Japanese tour", { language: "ja", rest: "" }],
  // A word of a tour's texts beside others is no language.
  ["Italian cooking", { rest: "Italian cooking" }],
  ["Thai cooking", { rest: "Thai cooking" }],
  ["Japanese garden", { rest: "Japanese garden" }],
  ["boats in Italian waters", { rest: "boats in Italian waters" }],
  ['"German guide"', { rest: '"German guide"' }],
  ["under 30 euros", { price: 30, rest: "" }],
  ["boat under €30", { price: 30, rest: "boat" }],
  ["30 € boat", { price: 30, rest: "boat" }],
  ["max 27,50 eur", { price: 27.5, rest: "" }],
  ["less than 1,000 yen", { price: 1_000, rest: "" }],
  ["<50", { price: 50, rest: "" }],
  ["cheap boat", { cheap: true, rest: "boat" }],
  ["cheap, under 20", { price: 20, rest: "," }],
  ["more than 30 euros", { rest: "more than 30 euros" }],
  ["up to 8 people", { rest: "up to 8 people" }],
  ["kids under 12", { rest: "kids under 12" }],
  ["30 steps", { rest: "30 steps" }],
  ["for my 8-year-old", { age: 8, rest: "for my" }],
  ["for my eight year old daughter", { age: 8, rest: "for my" }],
  ["boat with kids aged 6", { age: 6, rest: "boat with kids" }],
  ["for 9 and 6 year olds", { age: 6, rest: "for" }],
  ["500-year-old castle", { rest: "500-year-old castle" }],
  ["two hours", { hours: 2, rest: "" }],
  ["2-hour walk", { hours: 2, rest: "walk" }],
  ["under 3h", { hours: 3, rest: "" }],
  ["90 minutes by boat", { hours: 1.5, rest: "by boat" }],
  ["half an hour", { hours: 0.5, rest: "" }],
  ["more than three hours", { rest: "more than three hours" }],
  ["١٢ year old", { age: 12, rest: "" }],
  [
    "German guide under 50 for my 8-year-old, two hours",
    { language: "de", price: 50, age: 8, hours: 2, rest: "for my ," },
  ],
])("“%s” is a limit where it names one", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

describe("in the language of the tours", () => {
  it.each<["german" | "french", string, Read]>([
    [
      "german",
      "Führung auf Englisch unter 30 Euro",
      { language: "en", price: 30, rest: "Führung" },
    ],
    ["german", "deutschsprachige Führung", { language: "de", rest: "" }],
    ["german", "für meinen 8-jährigen", { age: 8, rest: "für meinen" }],
    ["german", "günstig, zwei Stunden", { cheap: true, hours: 2, rest: "," }],
    ["german", "German guide", { language: "de", rest: "" }],
    [
      "french",
      "visite en allemand à moins de 40 €",
      { language: "de", price: 40, rest: "visite à" },
    ],
    ["french", "pas cher, enfant de 8 ans", { cheap: true, age: 8, rest: ", enfant de" }],
  ])("%s: “%s”", (name, text, expected) => {
    expect(readerOf(name)(text)).toEqual(expected);
  });
});
