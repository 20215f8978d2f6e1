import { describe, expect, test } from "vitest";
import { DateReader } from "~/search/dates.server";

// The words of a search that name days (docs/rules/tours.md, Tours).

/** A Saturday. */
const TODAY = "2026-11-28";

const NONE = null;
type Row = [typed: string, from: string | null, to?: string, rest?: string];

/** Days of this year are written without it. */
const inFull = (day: string) => (day.length === 5 ? `2026-${day}` : day);

type Language = ConstructorParameters<typeof DateReader>[0];

function expectRead(language: Language, rows: Row[]) {
  const reader = new DateReader(language);
  for (const [typed, from, to = from!, rest = ""] of rows)
    expect([typed, reader.read(typed, TODAY)]).toEqual([
      typed,
      from && { from: inFull(from), to: inFull(to), rest, blanked: expect.any(String) as string },
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
      ["tues", "12-01"],
      ["Thurs boat", "12-03", "12-03", "boat"],
      ["this month", "11-28", "11-30"],
      ["next month", "12-01", "12-31"],
      ["this week", "11-28", "11-29"],
      ["next week boat", "11-30", "12-06", "boat"],
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
      ["December", "12-01", "12-31"],
      ["in November", "11-28", "11-30"],
      ["october", "2027-10-01", "2027-10-31"],
    ]);
  });

  test("from one to another", () => {
    expectRead("english", [
      ...["5-7 December", "5 - 7 December", "5–7 December", "5 to 7 December", "Dec 5-7"].map(
        (typed): Row => [typed, "12-05", "12-07"],
      ),
      ...["December 5th to 7th", "5th until 7th of December", "Sat 5 to Mon 7 December"].map(
        (typed): Row => [typed, "12-05", "12-07"],
      ),
      ["between 1 and 3 december", "12-01", "12-03"],
      ["boat from 5 to 7 December 2027 Kraków", "2027-12-05", "2027-12-07", "boat Kraków"],
      ["Dec 5-7, 2027", "2027-12-05", "2027-12-07"],
      ["5 December to 8 December", "12-05", "12-08"],
      ["8 December to 5 December", "12-05", "12-08"],
      ["30 December - 2 January", "12-30", "2027-01-02"],
      ["2026-12-05 to 2026-12-07", "12-05", "12-07"],
      ["december and january", "12-01", "2027-01-31"],
      // Under way.
      ["25-30 November", "11-28", "11-30"],
      ["20 November to 5 December", "11-28", "12-05"],
      ["20-27 November", "2027-11-20", "2027-11-27"],
      // The second day comes after the first.
      ["friday and saturday", "12-04", "12-05"],
      ["Friday-Sunday", "12-04", "12-06"],
      ["7-5 December", "12-05", "12-05", "7-"],
      ["2-3 hours on 5 December", "12-05", "12-05", "2-3 hours"],
    ]);
  });

  test("a weekend or weekday in a month is that month", () => {
    expectRead("english", [
      ["weekend in january", "2027-01-01", "2027-01-31"],
      ["boat on a Saturday in December", "12-01", "12-31", "boat on a"],
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
        ..."2 hours|month|week|5-7|2-3 hours|sun-mon|tue".split("|"),
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
    ["5.-7. Dezember", "12-05", "12-07"],
    ["vom 5. bis 7. Dezember", "12-05", "12-07"],
    ["5.12.-7.12.", "12-05", "12-07"],
    ["5.–7.12.", "12-05", "12-07"],
    ["nächste Woche", "11-30", "12-06"],
    ["Sonnabend", "11-28"],
    ["5. Maerz", "2027-03-05"],
    ["Jänner", "2027-01-01", "2027-01-31"],
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
    ["du 5 au 7 décembre", "12-05", "12-07"],
    ["mois prochain", "12-01", "12-31"],
  ]);
  expectRead("spanish", [
    ["mañana", "11-29"],
    ["por la mañana", NONE],
    ["Santo Domingo", NONE],
    ["5 de diciembre de 2026", "12-05"],
    ["del 5 al 7 de diciembre", "12-05", "12-07"],
  ]);
  expectRead("none", [["next saturday", "12-05"]]);
});

test("digits of any script are digits", () => {
  expectRead("arabic", [
    ["٥ ديسمبر", "12-05"],
    ["۵ ديسمبر ٢٠٢٧", "2027-12-05"],
  ]);
  expectRead("nepali", [["५ डिसेम्बर", "12-05"]]);
  expectRead("english", [
    ["५ December", "12-05"],
    ["٢٠٢٦-١٢-٠٥ boat", "12-05", "12-05", "boat"],
  ]);
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
