import { describe, expect, test } from "vitest";
import { DateReader } from "~/search/dates.server";

// The words of a search that name days (docs/rules/tours.md, Tours).

/** A Saturday. */
const TODAY = "2026-11-28";

const NONE = null;
type Row = [typed: string, from: string | null, to?: string, rest?: string];

/** Days of this year are written without it. */
const inFull = (day: string) => (day.length === 5 ? `2026-${day}` : day);

function expectRead(language: "english" | "german" | "french" | "spanish" | "none", rows: Row[]) {
  const reader = new DateReader(language);
  for (const [typed, from, to = from!, rest = ""] of rows)
    expect([typed, reader.read(typed, TODAY)]).toEqual([
      typed,
      from && { from: inFull(from), to: inFull(to), rest },
    ]);
}

describe("in English", () => {
  test("days by their names", () => {
    expectRead("english", [
      ["today", "11-28"],
      ["Tonight", "11-28"],
      ["TOMORROW", "11-29"],
      ["saturday", "11-28"],
      ["friday", "12-04"],
      ["next saturday", "12-05"],
      ["weekend", "11-28", "11-29"],
      ["next weekend", "12-05", "12-06"],
      ["boat on Friday in Kraków", "12-04", "12-04", "boat in Kraków"],
      ["friday and saturday", "11-28", "12-04", "and"],
    ]);
  });

  test("days of the calendar", () => {
    expectRead("english", [
      ["5 December", "12-05"],
      ["December 5th", "12-05"],
      ["the 5th of December 2027", "2027-12-05"],
      ["December 5, 2026 boat", "12-05", "12-05", "boat"],
      ["27 November", "2027-11-27"],
      ["29 February", "2028-02-29"],
      ["5.12.2026", "12-05"],
      ["2026-12-05", "12-05"],
      ["5 December to 8 December", "12-05", "12-08", "to"],
      ["December", "12-01", "12-31"],
      ["in November", "11-28", "11-30"],
      ["october", "2027-10-01", "2027-10-31"],
    ]);
  });

  test("and no days", () => {
    expectRead(
      "english",
      [
        ..."may|march|sun|sat|mon|dec|sun boat|sat nav|marching|mayflower|sundays|5|12/5/2026|5.12.|1.5".split(
          "|",
        ),
        ..."2026-02-30|30 February|31.11.2026|2026-12-05-7|192.168.1.2027|last Saturday|every friday".split(
          "|",
        ),
        ..."day after tomorrow|Good Friday|“Saturday” market|before December|".split("|"),
        "2 hours",
      ].map((typed): Row => [typed, NONE]),
    );
  });
});

test("in German", () => {
  expectRead("german", [
    ["morgen", "11-29"],
    ["Samstag", "11-28"],
    ["am Freitag Hafen", "12-04", "12-04", "Hafen"],
    ["nächsten Samstag", "12-05"],
    ["5. Dezember", "12-05"],
    ["Sa 5.12.", "12-05"],
    ["März", "2027-03-01", "2027-03-31"],
    ...["so", "mo", "am Morgen", "jeden Freitag", "Saturday", "übermorgen"].map((typed): Row => [
      typed,
      NONE,
    ]),
  ]);
});

test("in other languages, and in English where nothing is known of the language", () => {
  expectRead("french", [
    ["aujourd'hui", "11-28"],
    ["samedi prochain", "12-05"],
    ["1er décembre", "12-01"],
    ["mars", NONE],
  ]);
  expectRead("spanish", [
    ["mañana", "11-29"],
    ["por la mañana", NONE],
    ["Santo Domingo", NONE],
    ["5 de diciembre de 2026", "12-05"],
  ]);
  expectRead("none", [["next saturday", "12-05"]]);
});

test("a weekend is over after its Sunday", () => {
  const reader = new DateReader("english");
  expect(reader.read("weekend", "2026-11-29")).toMatchObject({
    from: "2026-11-29",
    to: "2026-11-29",
  });
  expect(reader.read("weekend", "2026-11-30")).toMatchObject({
    from: "2026-12-05",
    to: "2026-12-06",
  });
});
