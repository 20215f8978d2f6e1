import { CONFIRMED } from "../../models/booking";
import { makeBooking, makeReview, makeTour, makeUser } from "../support/factories";
import { expect, menuButton, openMenu, openSearch, PHONE, star, test, unique } from "./support";

// What leads visitors to a tour: the cards of the list, a search without a result, and the tours that wait.

const HOUR_MS = 60 * 60 * 1_000;

test("a card tells how long, when, with whom and what a reviewer said", async ({ page }) => {
  const word = unique();
  const guide = await makeUser({ name: "Zoë Ångström" });
  const tour = await makeTour({
    ...{ title: `Sailing ${word}`, location: "Kraków", durationMinutes: 90 },
    ...{ date: new Date("2099-05-04T09:00:00Z"), createdById: guide._id },
  });
  await makeReview(await makeUser({ name: "Noor" }), tour, {
    ...{ rating: 5, comment: "What a\n\nday" },
  });
  await openSearch(page, word);
  const card = page.getByRole("listitem").filter({ hasText: word });
  await expect(card).toContainText("Kraków · 1.5 hours");
  await expect(card).toContainText("With Zoë Ångström");
  await expect(card).toContainText("Next on Mon 4 May 2099, 09:00");
  await expect(card.getByRole("blockquote")).toHaveText("What a day");
  await expect(card.getByRole("figure")).toContainText("5 out of 5 starsNoor");
  await expect(card.locator(".avatar")).toHaveText("ZÅ");

  // The same drawing, which shows the sea, is on the tour's own page.
  const cover = card.locator(".cover img");
  const drawing = (await cover.getAttribute("src"))!;
  expect(drawing).toMatch(/^\/covers\/sea-\d+\.svg$/);
  await expect
    .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await card.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Sailing ${word}`);
  await expect(page.locator(".hero .cover img")).toHaveAttribute("src", drawing);
});

test("a card of a tour with few facts has no empty parts", async ({ page }) => {
  const word = unique();
  await makeTour({ title: `Walk ${word}`, date: new Date("2020-05-04T09:00:00Z") });
  await openSearch(page, word);
  const card = page.getByRole("listitem").filter({ hasText: word });
  await expect(card).toContainText("No reviews yet");
  await expect(card).not.toContainText("·");
  await expect(card).not.toContainText("Next on");
  await expect(card.getByRole("blockquote")).toHaveCount(0);
});

test("a search without a result leads on", { tag: PHONE }, async ({ page }) => {
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

test("the demo's tours are found by what people type", { tag: PHONE }, async ({ page }) => {
  for (const [typed, title] of [
    ["food tour", "a Street Food Walk"],
    ["wine tasting", "Three Cellars in Vallenga"],
    ["sunset cruise", "Sunset Sail to Isola Merla"],
    ["cycling", "by Bike"],
    ["birdwatching", "Birds of the Boccatarna Salt Pans"],
    ["boats", "by Small Boat"],
  ] as const) {
    await page.goto("/");
    await page.getByRole("searchbox").fill(typed);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByText(`for “${typed}”`)).toBeVisible();
    await expect(page.locator(".tour-card h2").filter({ hasText: title }).first()).toBeVisible();
  }
});

test("sorting keeps what is typed and not yet sent", { tag: PHONE }, async ({ page }) => {
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
  await field.fill("");
  await order("Most reviewed").click();
  await expect(page).toHaveURL("/?sort=reviewed");
  await expect(order("Best match")).toHaveCount(0);
  await order("Best rated").click();
  await expect(page).toHaveURL("/");
});

test("a search for what every text has says so", async ({ page }) => {
  await page.goto("/?q=the");
  await expect(page.getByRole("status")).toContainText("0 tours for “the”");
  await expect(page.getByRole("heading", { name: "Too common to search for" })).toBeVisible();
  await expect(page.getByText("Did you mean")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Best rated" }).getByRole("listitem")).toHaveCount(
    3,
  );
});

test(
  "a star of a tour that waits opens its form with that rating",
  { tag: PHONE },
  async ({ page, logIn }) => {
    const guide = await makeUser();
    const user = await makeUser();
    const tour = await makeTour({ title: "Old Walls", createdById: guide._id });
    await makeBooking(user, tour);
    await makeBooking(user, await makeTour({ createdById: guide._id }));
    const coming = await makeTour({ title: "Coming Walk", createdById: guide._id });
    const date = new Date(Date.now() + 48 * HOUR_MS);
    await makeBooking(user, coming, { status: CONFIRMED, date });
    await logIn(user);
    await page.goto("/");
    const menu = menuButton(page);
    if (await menu.isVisible()) await expect(menu).toHaveAccessibleName("Menu 2 waiting for you");
    await openMenu(page);
    const account = page.getByRole("navigation", { name: "Account" });
    await account.getByRole("link", { name: "My reviews 2 waiting for you" }).click();
    await expect(page.getByRole("region", { name: "Coming up" })).toContainText("Coming Walk");

    await page.getByRole("link", { name: "4 stars for Old Walls" }).click();
    await expect(page).toHaveURL(`/tours/${tour.slug}?rating=4#write`);
    await expect(star(page, 4)).toBeChecked();
    await page.getByRole("button", { name: "Post review" }).click();
    await expect(page.getByRole("article", { name: `Review by ${user.name}` })).toContainText(
      "4 out of 5 stars",
    );
    await openMenu(page);
    await expect(
      account.getByRole("link", { name: "My reviews 1 waiting for you" }),
    ).toBeAttached();
  },
);
