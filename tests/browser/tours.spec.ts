import mongoose from "mongoose";
import { demoTours } from "../../scripts/demo/index";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { EITHER, expect, NO_SCRIPTS, openSearch, PICTURES, test, unique } from "./support";

// Visitors on the way to a tour: the search and its cards, and a tour's reviews.

test(
  "a card tells how long, when, with whom and what a reviewer said, as far as that is known",
  { tag: NO_SCRIPTS },
  async ({ page }) => {
    const word = unique();
    const guide = await makeUser({ name: "Zoë Ångström" });
    const tour = await makeTour({
      title: `Sailing ${word}`,
      location: "Kraków",
      durationMinutes: 90,
      price: 45,
      currency: "EUR",
      date: new Date("2099-05-04T09:00:00Z"),
      createdById: guide._id,
    });
    await makeReview(await makeUser({ name: "Noor" }), tour, {
      rating: 5,
      comment: "What a\n\nday",
    });
    await makeTour({ title: `Walk ${word}`, date: new Date("2020-05-04T09:00:00Z") });
    await openSearch(page, word, 2);
    const cardOf = (title: string) => page.getByRole("listitem").filter({ hasText: title });
    const bare = cardOf(`Walk ${word}`);
    await expect(bare).toContainText("No reviews yet");
    await expect(bare).not.toContainText("·");
    await expect(bare).not.toContainText("Next:");
    await expect(bare.getByRole("blockquote")).toHaveCount(0);
    const card = cardOf(`Sailing ${word}`);
    await expect(card).toContainText("Kraków · 1.5 hours · €45");
    await expect(card).toContainText("With Zoë Ångström");
    await expect(card).toContainText("Next: Mon 4 May 2099, 09:00");
    await expect(card.getByRole("blockquote")).toHaveText("What a day");
    await expect(card.getByRole("figure")).toContainText("5 out of 5 starsNoor");
    await expect(card.locator(".avatar")).toHaveText("ZÅ");
  },
);

test("a search without a result leads on", { tag: NO_SCRIPTS }, async ({ page }) => {
  const word = unique();
  await makeTour({ title: `Walk ${word}` });
  await openSearch(page, word);
  // Two typing errors, and a word that no tour has.
  const typed = `${word.slice(0, 3)}${word.slice(5)} zzzyyyxxx`;
  await page.goto("/");
  await page.getByRole("searchbox").fill(typed);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "No tour matches these words" })).toBeVisible();
  const best = page.getByRole("region", { name: "Best rated" });
  await expect(best.getByRole("listitem")).toHaveCount(3);
  await page.getByRole("link", { name: word }).click();
  await expect(page).toHaveURL(`/?q=${word}`);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([`Walk ${word}`]);

  await page.goto(`/?q=zzzyyyxxx`);
  const place = page.getByRole("navigation", { name: "Places" }).getByRole("link").first();
  const name = (await place.textContent())!;
  await place.click();
  await expect(page.getByRole("searchbox")).toHaveValue(name);
  await expect(page.locator(".tour-card").first()).toContainText(name);
});

test.describe("a list of tours begins", () => {
  // At most so far down, on all tours and after a search.
  for (const [width, height, all, searched] of [
    [320, 640, 640, 480],
    [390, 844, 560, 420],
    [1_366, 768, 480, 400],
    [1_440, 900, 480, 400],
  ] as const)
    test(`in view at ${width} × ${height}`, { tag: NO_SCRIPTS }, async ({ page }) => {
      await page.setViewportSize({ width, height });
      const top = async (address: string) => {
        await page.goto(address);
        return (await page.locator(".tour-card").first().boundingBox())!.y;
      };
      expect(await top("/")).toBeLessThanOrEqual(all);
      const day = "from=2020-01-01&to=2099-12-31";
      for (const address of [
        "/?q=boat",
        "/?q=something+with+the+children+next+month",
        `/?q=lantern&sort=best&${day}`,
      ])
        expect(await top(address), address).toBeLessThanOrEqual(searched);
    });
});

test(
  "the heading of a search is what was asked, and nothing of it is said twice",
  { tag: NO_SCRIPTS },
  async ({ page }) => {
    await page.goto("/?q=something+with+the+children+from+5+December+2020+to+1+May+2099");
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText(
      /^\d+ tours for children\s· Sat 5 Dec 2020 to Fri 1 May 2099$/,
    );
    await expect(page).toHaveTitle(/^\d+ tours for children · Sat 5 Dec 2020 to Fri 1 May 2099 · /);
    await expect(page.getByText("Guided tours, reviewed by explorers")).toHaveCount(0);
  },
);

test("sorting keeps what is typed and not yet sent", { tag: EITHER }, async ({ page }) => {
  await page.goto("/");
  const field = page.getByRole("searchbox");
  const order = (name: string) => page.getByRole("button", { name, exact: true });
  await field.fill("lantern");
  await order("Newest").click();
  await expect(page).toHaveURL("/?q=lantern&sort=newest");
  await expect(field).toHaveValue("lantern");
  await expect(order("Newest")).toHaveAttribute("aria-current", "true");
  // Enter in the field keeps the order.
  await field.fill("lantern walk");
  await field.press("Enter");
  await expect(page).toHaveURL("/?q=lantern+walk&sort=newest");
  await field.fill("boat");
  await order("Best match").click();
  await expect(page).toHaveURL("/?q=boat");
  await order("Best rated").click();
  await expect(page).toHaveURL("/?q=boat&sort=best");
});

test("tours are found by the days on which they leave", { tag: EITHER }, async ({ page }) => {
  const word = unique();
  const bookingUrl = "https://book.example.test/?day={date}";
  const dates = Array.from({ length: 8 }, (_, n) => new Date(Date.UTC(2098, 11, 5 + n, 9)));
  await makeTour({ title: `Sailing ${word}`, dates, bookingUrl });
  await makeTour({ title: `Walk ${word}`, date: new Date() });
  await openSearch(page, word, 2);
  const titles = page.getByRole("heading", { level: 2 });
  await page.getByLabel("From").fill("2098-12-06");
  await page.getByLabel("To", { exact: true }).fill("2098-12-06");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(`/?q=${word}&from=2098-12-06&to=2098-12-06`);
  await expect(titles).toHaveText([`Sailing ${word}`]);
  await expect(page.locator(".tour-card")).toContainText("On Sat 6 Dec 2098, 09:00");

  const days = page.getByRole("navigation", { name: "Days" });
  await days.getByRole("link", { name: "Next 7 days" }).click();
  await expect(titles).toHaveText([`Walk ${word}`]);
  await expect(days.getByRole("link", { name: "Next 7 days" })).toHaveAttribute("aria-current");
  await expect(page.getByLabel("From")).toHaveValue(new Date().toISOString().slice(0, 10));
  await days.getByRole("link", { name: /^Remove filter/ }).click();
  await expect(page).toHaveURL(`/?q=${word}`);
  await expect(page.getByLabel("From")).toHaveValue("");

  // Words that name a day are one, and a filter takes them away.
  await page.getByRole("searchbox").fill(`${word} on 6 December 2098`);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(titles).toHaveText([`Sailing ${word}`]);
  await days.getByRole("link", { name: "Remove filter: Sat 6 Dec 2098" }).click();
  await expect(page).toHaveURL(`/?q=${word}`);
  await expect(titles).toHaveCount(2);

  await page.goto(`/?q=${word}&from=2097-02-30&to=2097-01-01`);
  await expect(page.getByText("“2097-02-30” is no day, so we left it out.")).toBeVisible();
  await page.goto(`/?q=${word}&from=2097-01-01&to=2097-01-02`);
  await expect(titles).toHaveText(["Nothing on these days"]);
  await page.getByRole("link", { name: "From that day: 1 tour" }).click();
});

test("a page that is not there searches the tours", { tag: NO_SCRIPTS }, async ({ page }) => {
  await page.goto("/no-such-page");
  await page.getByRole("searchbox", { name: "Search tours" }).fill("lantern");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/\/\?q=lantern$/);
  await expect(page.getByRole("heading", { name: /Lantern/ }).first()).toBeVisible();
});

test(
  "a picture that does not load, or is none, leaves the initials and the landscape",
  { tag: NO_SCRIPTS },
  async ({ page }) => {
    await page.route(`${PICTURES}/**`, (route) =>
      route.request().url().endsWith("red.svg")
        ? route.fulfill({
            contentType: "image/svg+xml",
            body: '<svg xmlns="http://www.w3.org/2000/svg"><path fill="red" d="M0 0h999v999H0z"/></svg>',
          })
        : route.fulfill({ status: 404 }),
    );
    const tour = await makeTour();
    /** The cover and the guide's avatar as they look with this picture. */
    const look = async (image: string | null) => {
      // A different guide each time: the site remembers a guide's picture for half a minute.
      const guide = await makeUser({ name: "Gwen Guide", image });
      const set = { $set: { image, createdById: guide._id } };
      await mongoose.connection.collection("tours").updateOne({ _id: tour._id }, set);
      await page.goto(`/guides/${guide._id.toString()}`);
      const shots = ["main .cover", "main .avatar"].map(async (selector) =>
        (await page.locator(selector).first().screenshot()).toString("base64"),
      );
      return Promise.all(shots);
    };
    // The first page may do without the site's fonts (font-display: optional).
    await look(null);
    const without = await look(null);
    expect(await look(`${PICTURES}/gone.png`)).toEqual(without);
    expect(await look("http://img.example.test/unencrypted.png")).toEqual(without);
    expect(await look("no address")).toEqual(without);
    const [cover, avatar] = await look(`${PICTURES}/red.svg`);
    expect(cover).not.toBe(without[0]);
    expect(avatar).not.toBe(without[1]);
  },
);

test(
  "no drawing stands twice on a page, and none beside another of its theme",
  { tag: NO_SCRIPTS },
  async ({ request }) => {
    const searches = ["sea", "wine", "castel", "zzzyyyxxx"].map((words) => `/?q=${words}`);
    const guides = new Set(demoTours().map(({ createdById }) => `/guides/${createdById}`));
    const pages = ["/", "/?sort=reviewed", "/?sort=newest", ...searches, ...guides];
    const seen = new Set<string>();
    // It grows meanwhile, by the pages that follow.
    for (const path of pages) {
      const text = await (await request.get(path)).text();
      // Without those that lie below a picture.
      const covers = Array.from(
        text.matchAll(/<span class="cover"><img src="(\/covers\/[^"]+)"[^>]*><\/span>/g),
        ([, cover]) => cover!,
      );
      expect(covers.length, path).toBeGreaterThan(0);
      expect(new Set(covers).size, path).toBe(covers.length);
      const themes = covers.map((cover) => cover.split("-")[0]);
      expect(
        themes.filter((theme, n) => theme === themes[n + 1]),
        path,
      ).toEqual([]);
      for (const cover of covers) seen.add(cover);
      const next = /<a[^>]* rel="next"[^>]*>/.exec(text)?.[0];
      if (next) pages.push(/href="([^"#]+)/.exec(next)![1]!.replaceAll("&amp;", "&"));
    }
    expect(seen.size).toBeGreaterThan(24);
    for (const cover of seen) expect((await request.get(cover)).status(), cover).toBe(200);
  },
);

test("a long list goes on behind a link", { tag: NO_SCRIPTS }, async ({ page }) => {
  await page.goto("/tours/porto-sarrava-by-lantern");
  const reviews = page.getByRole("article");
  const ids = new Set<string>();
  const total = Number(/\((\d+) reviews\)/.exec(await page.getByRole("main").innerText())![1]);
  for (let shown = 0; shown < total; shown += 20) {
    if (shown > 0) {
      await page.getByRole("link", { name: "More reviews" }).click();
      await expect(page.getByRole("link", { name: "Back to the first reviews" })).toBeVisible();
    }
    await expect(reviews).toHaveCount(Math.min(20, total - shown));
    for (const id of await reviews.evaluateAll((all) => all.map(({ id }) => id))) ids.add(id);
  }
  // None is shown twice, and none is missing.
  expect(ids.size).toBe(total);
  await expect(page.getByRole("link", { name: "More reviews" })).toHaveCount(0);
});

test("of the drawings of a list only those near the screen are loaded, also for who is logged in", async ({
  page,
  open,
  logIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const loaded = new Set<string>();
  page.on("request", (request) => loaded.add(new URL(request.url()).pathname));
  for (const user of [null, await makeUser()]) {
    if (user) await logIn(user);
    loaded.clear();
    await open("/");
    await page.waitForLoadState("networkidle");
    const drawings = [...loaded].filter((path) => path.startsWith("/covers/")).length;
    expect(drawings).toBeGreaterThan(0);
    expect(drawings).toBeLessThan(await page.locator("main .cover img").count());
  }
});
