import type { Locator, Page } from "@playwright/test";
import { countCorpus } from "~/reviews/topics/topics.server";
import { indexReviews } from "~/reviews/words/index-reviews.server";
import { dayAfter, today, toWeekday } from "~/lib/days";
import { Tour } from "#models/tour";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { expect, NO_SCRIPTS, test } from "./support";

// Questions of travellers, each of which the site answers within three clicks from the home page.

const MOST_CLICKS = 3;

/** Does what comes before a click, such as typing, and returns what is to be clicked. */
type Step = (page: Page) => Locator | Promise<Locator>;
/** The text that must be on the page in the end. */
type Answer = (page: Page) => Locator;

const typed =
  (field: string, words: string): Step =>
  async (page) => {
    const box = page.getByRole("searchbox", { name: field });
    await box.fill(words);
    return page.getByRole("search").filter({ has: box }).getByRole("button", { name: "Search" });
  };
const tours = (words: string) => typed("Search tours", words);
const reviews = (words: string) => typed("Search reviews", words);
const link =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole("main").getByRole("link", { name }).first();

const inMenu =
  (menu: string, name: RegExp): Step =>
  async (page) => {
    await page.locator(".menu > summary").filter({ hasText: menu }).click();
    return page.locator(".menu[open]").getByRole("link", { name });
  };

const fact =
  (name: string, words: string): Answer =>
  (page) =>
    page.locator(".facts > div").filter({ hasText: name }).filter({ hasText: words });
/** The first of the reviews that are shown. */
const review =
  (words: string | RegExp): Answer =>
  (page) =>
    page.getByRole("article").first().filter({ hasText: words });

const SEALS = "Seals of the Sandbanks by Boat";
const now = today("UTC");
/** The Saturdays and Sundays to come. */
const days = Array.from({ length: 21 }, (_, n) => dayAfter(now, n)).filter(
  (day) => toWeekday(day) % 6 === 0,
);
const saturday = days.find((day) => day > now && toWeekday(day) === 6)!;

const departure =
  (day: string): Answer =>
  (page) =>
    page.locator(`.dates li:has(time[datetime^="${day}"])`);
const card =
  (words: string | RegExp): Answer =>
  (page) =>
    page.locator(".tour-card").filter({ hasText: SEALS }).filter({ hasText: words });

const SAIL = [tours("sunset sail"), link("Sunset Sail to Isola Merla")];
const CAVES = [tours("sea caves"), link("The Sea Caves of Calaspina")];

const QUESTIONS: [question: string, steps: Step[], answers: Answer[]][] = [
  [
    "Something with the children next Saturday; is the boat rough?",
    [tours("something with the children next Saturday"), link(SEALS), reviews("rough")],
    [departure(saturday), review("outside the breakwater, and calm behind it")],
  ],
  [
    "Which boats go this weekend, and what do they cost?",
    [tours("boat"), link(toWeekday(now) === 0 ? "Today" : "This weekend")],
    [card(/On S(at|un)\s/), card("€35")],
  ],
  [
    "Who guides us in German on Saturday, for at most 50 euros, with my eight-year-old?",
    [tours("German guide on Saturday under 50 for my 8-year-old"), link(SEALS)],
    [departure(saturday), fact("Languages", "English, German")],
  ],
  [
    "Which boats take two hours at most, for under 40 euros?",
    [tours("boat under 40 euros, two hours")],
    [card("€35"), card("2 hours")],
  ],
  ["Which tours are led in German?", [tours("deutsch")], [card("€35")]],
  [
    "Where do we meet, and what do we have to bring?",
    SAIL,
    [fact("Meeting point", "Berth 14 of the old basin"), fact("Bring", "Swimwear and a towel")],
  ],
  [
    "Can our seven-year-old come, and is it in German?",
    SAIL,
    [fact("Age", "From 6 years"), fact("Languages", "English, Italian, German")],
  ],
  [
    "What do guests mention most often, and how did they rate it?",
    [...SAIL, link(/^boat.*, \d+ reviews, \d\.\d stars$/)],
    [review(/boat|sail/i), review(/out of 5 stars/)],
  ],
  [
    "What do German-speaking guests say?",
    [...SAIL, inMenu("Language", /^German/)],
    [review("Matteo ein ruhiger, aufmerksamer Skipper")],
  ],
  [
    "What do the unhappy guests say?",
    [...SAIL, link("1 star")],
    [review("1 out of 5 stars"), review("The boat left without us.")],
  ],
  [
    "What did the guide answer to a bad review?",
    [...CAVES, link(/^1 star/)],
    [
      review("Phone ruined, camera ruined."),
      review("There are dry bags for everyone on board now"),
    ],
  ],
];

test.beforeAll(async () => {
  const tour = await makeTour({
    title: SEALS,
    description: "Two hours on the water. Children are welcome, and may hold the tiller.",
    dates: days.map((day) => new Date(`${day}T10:00Z`)),
    bookingUrl: "https://book.example.test/seals?day={date}",
    price: 35,
    currency: "EUR",
    languages: ["en", "de"],
    minAge: 6,
    durationMinutes: 120,
  });
  for (const comment of [
    "We saw forty seals, and the guide knew them all.",
    "A bit rough outside the breakwater, and calm behind it: ours slept all the way back.",
    "Bring a warm jacket.",
    "Well worth it.",
    "Again, please!",
  ])
    await makeReview(await makeUser(), tour, { rating: 4, comment });
  const noticed = async () =>
    (await (await fetch(`${process.env.APP_URL}/?q=seals`)).text()).includes(SEALS);
  await expect.poll(noticed, { timeout: 60_000 }).toBe(true);
  // The site counts in the background what reviews mention.
  const sail = await Tour.findOne({ slug: "sunset-sail-to-isola-merla" }).orFail();
  await indexReviews(sail._id, { corpus: await countCorpus(new AbortController().signal) });
});

// With scripts on a wide screen, without them on a narrow one.
for (const [width, tag] of [
  [1_440, []],
  [390, [NO_SCRIPTS]],
] as [number, string[]][])
  test.describe(`at a width of ${width}`, () => {
    test.use({ viewport: { width, height: 800 } });
    for (const [question, steps, answers] of QUESTIONS)
      test(question, { tag }, async ({ page, open }) => {
        expect(steps.length).toBeLessThanOrEqual(MOST_CLICKS);
        await open("/");
        for (const step of steps) {
          const before = page.url();
          await (await step(page)).click();
          await page.waitForURL(({ href }) => href !== before);
        }
        for (const answer of answers) await expect(answer(page).first()).toBeVisible();
      });
  });
