import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { loader } from "~/routes/_index";
import type { Limits } from "~/search/limits";
import { listAddress, type TourSort } from "~/tours/search/list-query";
import { readLimits } from "~/tours/search/asked-limits.server";
import { nothingFound, withoutLimits } from "~/tours/search/nothing-found.server";
import { searchTours } from "~/tours/search/search.server";
import { TOURS_PER_PAGE } from "~/tours/tours.server";
import { TourRefresh, tourRefresh } from "~/search/tour-refresh.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";

// Which words match and how matches are ordered: tests/search/word-index.unit.test.ts.

useDatabase();
beforeEach(() => tourRefresh.renew());

const found = (words: string, sort: TourSort = "match", page = 1) =>
  searchTours({ words, sort, page });

/** The titles of a page, when the index has seen all tours. */
async function titles(...search: Parameters<typeof found>) {
  await tourRefresh.renew();
  return (await found(...search)).tours.map(({ title }) => title);
}

describe("a search", () => {
  it("lists tours that match equally well in the order of the best rated", async () => {
    await makeTour({ title: "Walk a", avgRating: 5, reviewCount: 100 });
    await makeTour({ title: "Walk b", avgRating: 2, reviewCount: 200 });
    await makeTour({ title: "Walk c" });
    await makeTour({ title: "Other", description: "walk", avgRating: 5, reviewCount: 900 });
    expect(await titles("walk")).toEqual(["Walk a", "Walk c", "Walk b", "Other"]);
    expect(await titles("walk", "best")).toEqual(["Other", "Walk a", "Walk c", "Walk b"]);
    expect(await titles("walk", "reviewed")).toEqual(["Other", "Walk b", "Walk a", "Walk c"]);
    expect(await titles("walk", "newest")).toEqual(["Other", "Walk c", "Walk b", "Walk a"]);
  });
});

describe("where no tour has all words", () => {
  const partialOf = async (words: string) => {
    await tourRefresh.renew();
    const { tours, mistyped, partial } = await found(words);
    return { titles: tours.map(({ title }) => title), mistyped, ...partial };
  };

  it("the tours that have most of them are found, with the words left out as they were typed", async () => {
    await makeTour({ title: "Lantern walk", location: "Kraków", avgRating: 5, reviewCount: 90 });
    await makeTour({ title: "By boat", description: "With a lantern.", location: "Kraków" });
    const lantern = "Lantern walk";
    expect(await partialOf("lantern SUBMARINE")).toEqual({
      titles: [lantern, "By boat"],
      mistyped: [],
      meant: null,
      leftOut: ["SUBMARINE"],
      instead: [],
    });
    expect(await partialOf("Kraków walks Boat")).toEqual({
      titles: ["By boat"],
      mistyped: [],
      meant: null,
      leftOut: ["walks"],
      instead: [{ leftOut: ["Boat"], words: "Kraków walks" }],
    });
    // Words that are spelt much like these are all there.
    expect(await partialOf("kraków lntrn")).toMatchObject({
      leftOut: ["lntrn"],
      meant: "krakow lantern",
    });
    expect(await partialOf("lanturn")).toEqual({
      titles: [lantern, "By boat"],
      mistyped: ["lanturn"],
    });
    expect(await partialOf("lantern submarine helicopter")).toEqual({ titles: [], mistyped: [] });
  });
});

describe("where nothing is found", () => {
  /** The suggestions, once the index has seen all tours. */
  async function help(words: string) {
    await tourRefresh.renew();
    expect((await found(words)).total).toBe(0);
    const { best, dependsOn: _, ...rest } = await nothingFound(words);
    return { ...rest, best: best.map(({ title }) => title) };
  }

  it("other searches that find something are suggested, with places and the best rated", async () => {
    const best = { avgRating: 5, reviewCount: 90 };
    await makeTour({ title: "Lantern walk", location: "Kraków", ...best });
    await makeTour({ title: "By boat", location: "Ærø", avgRating: 4, reviewCount: 90 });
    await makeTour({ title: "Harbour", location: "Kraków", avgRating: 3, reviewCount: 90 });
    await makeTour({ title: "Worst", location: "x".repeat(61), avgRating: 1, reviewCount: 90 });
    const always = {
      common: false,
      places: ["Kraków", "Ærø"],
      best: ["Lantern walk", "By boat", "Harbour"],
    };
    for (const [words, nearest, single] of [
      ["lantern submarine helicopter", [], ["lantern"]],
      ["lntrn", ["lantern"], []],
      ["krajowv", ["krakow"], []],
      ["walk harbour boat aero kayak", [], ["walk", "harbour", "boat"]],
      ["submarine", [], []],
      ["?!", [], []],
      ["2027", [], []],
    ] as const)
      expect([words, await help(words)]).toEqual([words, { ...always, nearest, single }]);
    expect(await help("To the")).toEqual({ ...always, common: true, nearest: [], single: [] });
  });
});

describe("the list", () => {
  it("has pages, and shows the last one for any number past it", async () => {
    for (let index = 0; index < TOURS_PER_PAGE + 2; index++) await makeTour({ title: `T${index}` });
    await tourRefresh.renew();
    const first = await found("", "newest");
    const second = await found("", "newest", 2);
    expect(first).toMatchObject({ page: 1, pages: 2, total: TOURS_PER_PAGE + 2 });
    expect(second.tours).toHaveLength(2);
    expect(new Set([...first.tours, ...second.tours].map(({ id }) => id)).size).toBe(first.total);
    expect(await found("", "newest", 999)).toEqual(second);
    expect(await found("nothing", "best", 3)).toMatchObject({ page: 1, pages: 1, total: 0 });
  });

  it("returns what a card needs for each tour, and a date only if it is in the future", async () => {
    const guide = await makeUser({ name: "Zoë", image: "https://img.example.test/zoe.jpg" });
    const soon = new Date(Date.now() + 60_000);
    const fields = { location: "Kraków", durationMinutes: 90, createdById: guide._id };
    const timeZone = "Europe/Warsaw";
    const tour = await makeTour({ ...fields, title: "By boat", date: soon, timeZone });
    await makeTour({ title: "Over", date: new Date(Date.now() - 60_000) });
    await makeReview(await makeUser({ name: "Ann" }), tour, {
      rating: 5,
      comment: "What a day it was",
    });
    await tourRefresh.renew();
    const [card, over] = (await found("", "reviewed")).tours;
    expect(card).toEqual({
      id: tour._id.toString(),
      title: "By boat",
      slug: tour.slug,
      location: "Kraków",
      durationMinutes: 90,
      price: null,
      timeZone,
      picture: null,
      cover: expect.stringMatching(/^sail-\d+$/) as string,
      guide: { name: "Zoë", image: "https://img.example.test/zoe.jpg" },
      avgRating: 5,
      reviewCount: 1,
      nextDate: soon.toISOString(),
      askedDate: null,
      quote: {
        text: "What a day it was",
        language: "en",
        rating: 5,
        user: { name: "Ann", image: null },
      },
    });
    expect(over).toMatchObject({ title: "Over", nextDate: null, quote: null });
  });

  it("has no hole where tours are gone, also on the last page", async () => {
    const tours = [];
    for (let n = 0; n < 2 * TOURS_PER_PAGE + 1; n++) tours.push(await makeTour({ title: `T${n}` }));
    await tourRefresh.renew();
    // The newest, and the two in whose place others come.
    for (const { _id } of tours.slice(-3)) await Tour.deleteOne({ _id });
    const first = await found("", "newest");
    expect(first).toMatchObject({ total: 22, pages: 2 });
    expect(first.tours.map(({ title }) => title)).toEqual(
      tours
        .slice(10, 22)
        .map(({ title }) => title)
        .reverse(),
    );
    await Tour.deleteMany({ _id: { $in: tours.slice(0, 10).map(({ _id }) => _id) } });
    expect(await found("", "newest", 2)).toMatchObject({
      ...first,
      page: 1,
      pages: 1,
      total: 12,
    });
  });

  it("says so while a process that has just started does not know the tours yet", async () => {
    await makeTour();
    const index = vi.spyOn(TourRefresh.prototype, "index").mockResolvedValue(null);
    onTestFinished(() => void index.mockRestore());
    const none = { tours: [], total: 0, preparing: true };
    expect(await found("", "best", 2)).toMatchObject(none);
    const request = new Request("http://localhost/?q=x");
    expect(await loader({ request, params: {}, context: {} })).toMatchObject(none);
  });
});

describe("limits of the known facts", () => {
  const asked = async (words: string, limits: Partial<Limits> = {}) => {
    await tourRefresh.renew();
    const search = await searchTours(
      { words, sort: "newest", page: 1, ...limits },
      { hasChoices: true },
    );
    const titles = search.tours.map(({ title }) => title).sort();
    return { ...search, titles };
  };
  const chips = ({ limits }: Awaited<ReturnType<typeof asked>>) =>
    limits.map(({ inWords, without }) => [inWords, without.words]);

  beforeEach(async () => {
    const euros = { currency: "eur" };
    await makeTour({
      title: "Boat",
      ...euros,
      price: 30,
      languages: ["de-AT", "en"],
      minAge: 6,
      durationMinutes: 120,
    });
    await makeTour({
      title: "Walk",
      ...euros,
      price: 20,
      languages: ["it"],
      minAge: 0,
      durationMinutes: 200,
    });
    await makeTour({
      title: "Dear",
      ...euros,
      price: 90,
      languages: ["de"],
      minAge: 12,
      durationMinutes: 480,
    });
    // Of unknown facts, none is promised.
    await makeTour({ title: "Bare", price: 5, currency: "gold", languages: ["?"] });
  });

  it("keep the tours that are known to suit, however many are combined", async () => {
    const all = ["Bare", "Boat", "Dear", "Walk"];
    for (const [limits, titles] of [
      [{}, all],
      [{ language: "de" }, ["Boat", "Dear"]],
      [{ language: "ja" }, []],
      [{ price: 30 }, ["Boat", "Walk"]],
      [{ price: 29.99 }, ["Walk"]],
      [{ age: 6 }, ["Boat", "Walk"]],
      [{ age: 5 }, ["Walk"]],
      [{ hours: 2 }, ["Boat"]],
      [{ language: "de", price: 50, age: 8, hours: 3 }, ["Boat"]],
    ] as const)
      expect([limits, (await asked("", limits)).titles]).toEqual([limits, titles]);
    expect((await asked("walk", { language: "de" })).titles).toEqual([]);
  });

  it("are offered with how many tours there are with the other limits", async () => {
    const { choices } = await asked("", { language: "de" });
    const offered = Object.entries(choices!).map(([limit, some]) => [
      limit,
      ...some.map(({ name, tours }) => `${name}: ${tours}`),
    ]);
    expect(offered).toEqual([
      ["language", "German: 2", "English: 1", "Italian: 1"],
      ["price", "Up to €30: 1", "Up to €100: 2"],
      [
        "age",
        ...Array.from({ length: 12 }, (_, n) => n + 6).map((age) => `${age}: ${age < 12 ? 1 : 2}`),
      ],
      ["hours", "Up to 2 hours: 1", "Up to 8 hours: 2"],
    ]);
    const { choices: own } = await asked("", { price: 37 });
    expect(own!.price.map(({ name, tours }) => [name, tours])).toContainEqual(["Up to €37", 2]);
  });

  it("are counted anew when a tour is gone", async () => {
    const spoken = async () => {
      const query = { words: "", sort: "best", page: 1 } as const;
      const { choices } = await searchTours(query, { hasChoices: true });
      return choices!.language.map(({ name, tours }) => `${name}: ${tours}`);
    };
    await tourRefresh.renew();
    expect(await spoken()).toEqual(["German: 2", "English: 1", "Italian: 1"]);
    await Tour.deleteOne({ title: "Boat" });
    expect(await spoken()).toEqual(["German: 1", "Italian: 1"]);
  });

  it("are named by words, which a link takes away", async () => {
    const german = await asked("German guide under 50 euros for my 8-year-old");
    expect(german.titles).toEqual(["Boat"]);
    expect(chips(german)).toEqual([
      ["in German", "under 50 euros for my 8-year-old"],
      ["up to €50", "German guide for my 8-year-old"],
      ["for age 8", "German guide under 50 euros for my"],
    ]);
    const tomorrow = await asked("German boat tomorrow");
    expect(chips(tomorrow)).toEqual([["in German", "boat tomorrow"]]);
    // The least round price that covers a quarter of them.
    expect(chips(await asked("cheap"))).toEqual([["up to €20", ""]]);
    expect((await asked("two hours")).titles).toEqual(["Boat"]);
    expect((await asked("deutsch")).titles).toEqual(["Boat", "Dear"]);
    // Those of the address come first.
    expect((await asked("German guide", { language: "it" })).titles).toEqual(["Walk"]);
  });

  it("that no tour keeps to lead to the searches without one of them", async () => {
    const { limits } = await asked("deutsch under 25 euros");
    const wider = await withoutLimits({ words: "deutsch under 25 euros" }, limits, "");
    expect(wider.map(({ inWords, tours }) => [inWords, tours])).toEqual([
      ["Without “in German”", 1],
      ["Without “up to €25”", 2],
    ]);
    const none = await asked("Walk in German under 5 euros");
    const only = await withoutLimits(
      { words: "Walk in German under 5 euros" },
      none.limits,
      none.rest,
    );
    expect(only).toEqual([]);
    const some = await asked("in German under 20 euros for two hours");
    const single = await withoutLimits(
      { words: "in German under 20 euros for two hours" },
      some.limits,
      some.rest,
    );
    expect(single.map(({ inWords, tours }) => [inWords, tours])).toEqual([
      ["Without “up to €20”", 1],
    ]);
  });

  it("of an address that are none count as none, and are told", () => {
    const read = (search: string) => readLimits(new URLSearchParams(search));
    const good = { language: "de", price: 27.5, age: 0, hours: 1.5 };
    expect(read("language=de-AT&price=27.50&age=0&hours=1.5")).toEqual({
      limits: good,
      ignored: [],
    });
    const none = { language: null, price: null, age: null, hours: null };
    expect(read("language=&price=&age=+")).toEqual({ limits: none, ignored: [] });
    for (const value of [
      "x".repeat(99),
      "-1",
      "1e3",
      "Infinity",
      "٣",
      "999999999999",
      "<b>",
      "0x1",
    ]) {
      const { limits, ignored } = read(
        new URLSearchParams({ language: value, price: value, age: value, hours: value }).toString(),
      );
      expect([value, limits]).toEqual([value, none]);
      expect(ignored.map(({ why }) => why)).toEqual([
        "no language",
        "no price",
        "no age",
        "no number of hours",
      ]);
      expect(ignored.every(({ text }) => text.length <= 40)).toBe(true);
    }
    expect(listAddress({ words: "boat", ...good, page: 2 })).toBe(
      "/?q=boat&language=de&price=27.5&age=0&hours=1.5&page=2",
    );
  });
});

it("“Did you mean” offers no word of the search, and none of another sense", async () => {
  await makeTour({ title: "Ice cream walk" });
  await makeTour({ title: "Lantern walk" });
  await tourRefresh.renew();
  for (const [words, nearest] of [
    ["chaep", []],
    ["walk submarine lantern helicopter kayaks", []],
    ["lntrn", ["lantern"]],
  ] as const)
    expect([words, (await nothingFound(words)).nearest]).toEqual([words, nearest]);
});
