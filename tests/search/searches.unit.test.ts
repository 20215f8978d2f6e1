import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { languageRules } from "~/search/language.server";
import { TourIndex } from "~/search/tour-index.server";
import type { TourDocument } from "#models/tour";
import { demoTours } from "../../scripts/demo/index";

// Searches as people type them, and the tours that they expect (docs/rules/tours.md, Tours).

type Searched = Pick<TourDocument, "title"> & Partial<TourDocument>;

/** An index of these tours, all of which are rated alike; the first is the newest. */
function indexOf(texts: Searched[], language = languageRules("english")) {
  const index = new TourIndex(language);
  const names = new Map<string, string>();
  for (const [nth, { title, ...rest }] of texts.entries()) {
    const _id = new Types.ObjectId((1_000 - nth).toString(16).padStart(24, "0"));
    names.set(_id.toString(), title);
    const texts = { title, description: "", location: null };
    const facts = { languages: [], price: null, currency: null, minAge: null };
    const tour = { _id, ...texts, ...facts, durationMinutes: null, avgRating: 4, reviewCount: 9 };
    index.add({ ...tour, ...rest } as TourDocument, "Gwen Guide");
  }
  return (text: string) => {
    const { items, ...found } = index.find({
      words: index.readWords(text),
      sort: "match",
      page: 1,
      size: 100,
    });
    return { ...found, titles: items.map((id) => names.get(id)!) };
  };
}

const search = indexOf(
  demoTours().map(({ title, location, description }) => ({ title, location, description })),
);

const STREET_FOOD = "Tornella, Anchovies and Lemon: a Street Food Walk";
const MARKET = "Market Morning and a Sarravan Lunch";
const SUPPER = "Vineyard Supper under the Pergola";
const CELLARS = "Verdaspro: Three Cellars in Vallenga";
const SAIL = "Sunset Sail to Isola Merla";
const SEA_CAVES = "The Sea Caves of Calaspina by Small Boat";
const CAVING = "The Sighing Cave: Wild Caving in the Grotta del Sospiro";
const E_BIKES = "E-Bikes along the Old Railway to Ponte Cardo";
const GRAVEL = "Gravel and Ricotta: across the Brisi Hills by Bike";
const CITY_BIKE = "Porto Sarrava in Two Hours by Bike";
const ROAD_RIDE = "The Hundred Bends: a Road Ride to Castel Orvano";
const BIRDS = "Birds of the Boccatarna Salt Pans";
const CHORUS = "Dawn Chorus on the Tarna";
const OWLS = "Bats, Owls and Stars above Castel Orvano";
const RIDGE = "Two Days on the Ridge with a Night at Rifugio Brisco";
const MULE_PATH = "The Salt Mule Path from Lumera to Castel Orvano";
const SUNRISE = "Monte Brisco at Sunrise";
const LANTERN = "Porto Sarrava by Lantern: Stories of the Old Harbour";

describe("a search of the demo's tours", () => {
  /** Found: among the first so many, in any order; and at most so many tours in all. */
  test.each<[string, { first: string[]; most: number }]>([
    ["food tour", { first: [STREET_FOOD, MARKET, SUPPER], most: 8 }],
    ["wine tasting", { first: [CELLARS], most: 4 }],
    ["sunset cruise", { first: [SAIL], most: 1 }],
    ["cooking class", { first: [SUPPER, MARKET], most: 4 }],
    ["cycling", { first: [E_BIKES, GRAVEL, CITY_BIKE, ROAD_RIDE], most: 4 }],
    ["bird watching", { first: [BIRDS, OWLS, CHORUS], most: 4 }],
    ["hiking", { first: [RIDGE, MULE_PATH, SUNRISE], most: 10 }],
    ["caves", { first: [CAVING, SEA_CAVES], most: 2 }],
    ["harbor", { first: [LANTERN], most: 6 }],
    ["latnerns", { first: [LANTERN], most: 1 }],
  ])("%s", (text, { first, most }) => {
    const { titles, total, leftOut } = search(text);
    expect(titles.slice(0, first.length).sort()).toEqual([...first].sort());
    expect(total).toBeLessThanOrEqual(most);
    expect(leftOut).toEqual([]);
  });

  it("leaves out a word that no tour has together with the others, and says which", () => {
    const rental = search("bike rental");
    expect(rental.leftOut).toEqual(["rental"]);
    expect(rental.titles).toEqual(search("bike").titles);
    // Each of two words would leave other tours.
    const horse = search("horse riding");
    expect([horse.leftOut, horse.instead]).toEqual([
      ["horse"],
      [{ leftOut: ["riding"], kept: ["horse"] }],
    ]);
    expect(horse.titles).toEqual(search("riding").titles);
    // Nothing is left out where tours have all of them, and fewer than half are no match.
    expect(search("horse").leftOut).toEqual([]);
    expect(search("bike helicopter submarine").total).toBe(0);
    expect(search("sunset bike helicopter").total).toBe(0);
  });

  it("leaves out no tour for a word that says what every tour is", () => {
    for (const text of ["something with the children", "anything for children"])
      expect(search(text)).toMatchObject({ leftOut: [], total: search("children").total });
  });

  it("tells of a typing error only where tours have no form of the word", () => {
    expect(search("latnerns")).toMatchObject({
      mistyped: ["latnerns"],
      corrected: ["lantern", "lanterns"],
    });
    for (const text of ["lanterns", "hiking", "cycling", "walks", "zzzzzz"])
      expect([text, search(text).mistyped]).toEqual([text, []]);
  });
});

describe("a search of English words that end in s", () => {
  const pairs = ["status statues", "basis basilica", "news newport"];
  it.each(pairs)("does not take the first of %s for a form of the second", (pair) => {
    const [one, other] = pair.split(" ") as [string, string];
    expect(indexOf([{ title: one }, { title: other }])(one).titles).toEqual([one]);
  });

  const forms = ["bus buses", "gas gases", "lens lenses", "mystery mysterious"];
  it.each(forms)("finds %s by each other", (pair) => {
    const titles = pair.split(" ");
    const ask = indexOf(titles.map((title) => ({ title })));
    for (const word of titles) expect(ask(word).titles.sort()).toEqual(titles.toSorted());
  });
});

describe("a search for a name with an apostrophe", () => {
  const apostrophes = [..."'\u2019`"];
  it.each(apostrophes)("finds it with %s and without", (mark) => {
    const title = `O${mark}Leary${mark}s Bar`;
    const ask = indexOf([{ title }, { title: "Another Bar" }]);
    for (const text of ["OLearys", "oleary", "O'Leary's", "O\u2019Leary", "leary", title])
      expect([text, ask(text).titles, ask(text).mistyped]).toEqual([text, [title], []]);
  });
});

describe("a search finds other spellings", () => {
  test.each<[title: string, ...typed: string[]]>([
    ["Köln am Rhein", "Koeln", "Köln", "Koln", "KÖLN", "köln"],
    ["Koeln am Rhein", "Koeln", "Köln"],
    ["Koln by boat", "Köln", "Koln"],
    ["Århus Street Food", "Aarhus", "Århus", "Arhus"],
    ["Aarhus Street Food", "Århus", "Aarhus"],
    ["Tromsø by Night", "Tromso", "Tromsoe", "Tromsø"],
    ["Größte Stadt", "Groesste", "grosste", "GRÖSSTE"],
    ["گشت کویر یزد", "گشت كوير", "كویر"],
    ["رحلة كبيرة في الإسكندرية", "رحله کبيره", "الاسکندریه", "كبيرة"],
    ["مصر القديمة على النيل", "علي", "القديمه"],
    ["می\u200Cخواهم کوه", "میخواهم", "می\u200Cخواهم", "می خواهم"],
    ["Har\u200Bbour wa\u00ADlk", "harbour", "walk", "har\u200Dbour"],
    ["ทัวร์ตลาดน้ำดำเนินสะดวก", "สะดวก", "ดำเนินสะดวก", "ตลาดน้ำ"],
    ["เดินป่ากับณัฐพงษ์ที่เขาใหญ่", "ณัฐพงษ์", "พงษ์", "เขาใหญ่"],
    ["かにソバの夜", "かに", "カニ", "ソバ", "そば", "かに そば"],
    ["手打ちそば", "ソバ", "ｿﾊﾞ"],
    ["らーめん横丁", "ラーメン", "らーめん"],
    ["ラーメン横丁", "らーめん", "ラーメン 横丁"],
    ["1,000 steps", "1000", "1,000", "1.000", "1\u00A0000"],
    ["1000 steps", "1,000"],
    ["Café with Wi-Fi", "wifi", "wi-fi", "Wi-Fi", "wi fi"],
    ["Café with wifi", "wi-fi", "wifi"],
    ["The year ٢٠٢٦", "2026", "२०२६"],
    ["Pizza 🍕 night", "🍕", "🍕️", "pizza 🍝"],
    ["👩🏽‍🍳 at home", "👩🏽‍🍳", "👩‍🍳", "🍳"],
    ["🇯🇵 evening", "🇯🇵"],
  ])("of %s", (title, ...typed) => {
    const ask = indexOf([{ title }, { title: "Another day 1" }, { title: "日本 Ωραίο" }]);
    for (const text of typed)
      expect([text, ask(text).titles, ask(text).mistyped, ask(text).leftOut]).toEqual([
        text,
        [title],
        [],
        [],
      ]);
  });

  it("takes no other word for one with another letter", () => {
    const ask = indexOf([
      { title: "Pot" },
      { title: "Poet" },
      { title: "🇫🇷" },
      { title: "10 000" },
      { title: "ตลาดabc" },
    ]);
    expect(ask("pot").titles).toEqual(["Pot"]);
    expect(ask("poet").titles).toEqual(["Poet"]);
    expect(ask("🇯🇵").titles).toEqual([]);
    expect(ask("Pot 🍕")).toMatchObject({ titles: ["Pot"], leftOut: [] });
    // Only the letters of a script without spaces may stand within a word.
    expect(ask("bc").titles).toEqual([]);
  });
});

describe("a search in another script or language", () => {
  const ask = (titles: string[], language: Parameters<typeof languageRules>[0] = "english") =>
    indexOf(
      titles.map((title) => ({ title })),
      languageRules(language),
    );

  const [bund, hutong, lake, beach, tea] = [
    "上海外滩夜景",
    "北京胡同美食之旅",
    "西湖游船",
    "海外沙滩",
    "龍井茶園半日遊",
  ] as const;
  const [tower, temples, market] = [
    "東京タワー見学",
    "京都の寺院めぐり",
    "築地市場食べ歩き",
  ] as const;
  const dense = ask([bund, hutong, lake, beach, tea, tower, temples, market]);
  test.each([
    ["外滩", [bund]],
    ["滩", [bund, beach]],
    ["京都の寺院", [temples]],
    ["市場 築地", [market]],
    ["长城", []],
  ] as const)("%s", (text, titles) => {
    expect(dense(text).titles).toEqual(titles);
  });

  const spoken = ask([
    "סיור בָּעִיר הָעַתִּיקָה",
    "שוק הכרמל",
    "جَوْلَة في المَدينة القديمة",
    "جـــولة بحرية",
    "رحلة إلى الإسكندرية",
    "กรุงเทพเดินเท้า",
    "ล่องเรือแม่น้ำเจ้าพระยา",
  ]);
  test.each([
    ["העיר העתיקה", ["סיור בָּעִיר הָעַתִּיקָה"]],
    ["הַכַּרְמֶל", ["שוק הכרמל"]],
    ["جولة", ["جـــولة بحرية", "جَوْلَة في المَدينة القديمة"]],
    ["الاسكندرية", ["رحلة إلى الإسكندرية"]],
    ["แม่น้ำ", ["ล่องเรือแม่น้ำเจ้าพระยา"]],
    ["เดินเท้า", ["กรุงเทพเดินเท้า"]],
  ])("%s", (text, titles) => {
    const found = spoken(text);
    expect(found.titles.sort()).toEqual([...titles].sort());
    expect(found.mistyped).toEqual(text === "העיר העתיקה" ? ["העיר"] : []);
  });

  const german = ask(
    [
      "Stadtführung am Abend",
      "Führung durch die Stadt",
      "Weinproben im Keller",
      "Hafenrundfahrt",
      "Rundfahrt im Hafen",
      "Wanderungen im Harz",
    ],
    "german",
  );
  test.each([
    ["Stadt Führung", ["Führung durch die Stadt", "Stadtführung am Abend"]],
    ["Wein Probe", ["Weinproben im Keller"]],
    ["Hafenrundfahrten", ["Hafenrundfahrt", "Rundfahrt im Hafen"]],
    ["eine Wanderung", ["Wanderungen im Harz"]],
  ])("%s", (text, titles) => {
    const found = german(text);
    expect([found.titles.sort(), found.leftOut, found.mistyped]).toEqual([titles, [], []]);
  });

  test.each([
    ["french", "Promenades et dégustations", "une promenade"],
    ["spanish", "Excursiones en barco", "excursión barcos"],
    ["russian", "Экскурсии по городу", "экскурсия"],
    ["arabic", "المدينة القديمة", "مدينة"],
  ] as const)("in %s, %s: %s", (language, title, text) => {
    const found = ask([title], language)(text);
    expect([found.titles, found.leftOut, found.mistyped]).toEqual([[title], [], []]);
  });

  it("takes words as they are where the language is none", () => {
    const none = ask(["Walks"], "none");
    expect([none("walking").total, none("strolls").total, none("walk").total]).toEqual([0, 0, 1]);
  });
});

test("words for those who come along find each other, in singular and plural", () => {
  const words = ["family", "families", "kid", "kids", "child", "children"];
  const found = indexOf(words.map((word) => ({ title: `Walk with ${word}` })));
  for (const word of words) expect([word, found(word).titles.length]).toEqual([word, words.length]);
});

test.each([
  ["german", "Rundgang für Familien", "kinder"],
  ["french", "Balade en vélo", "bicyclette"],
  ["italian", "Gita per bambini", "famiglie"],
] as const)("in %s, %s is found by %s", (language, title, text) => {
  const found = indexOf([{ title }, { title: "Museum" }], languageRules(language))(text);
  expect(found.titles).toEqual([title]);
});

test("the operator's lines of related words replace those of the language", () => {
  const found = indexOf(
    [{ title: "Family day" }, { title: "The gig" }],
    languageRules("english", ["rowing > gig"]),
  );
  expect(found("rowing").titles).toEqual(["The gig"]);
  expect(found("gig").titles).toEqual(["The gig"]);
  expect(found("kids").titles).toEqual([]);
});
