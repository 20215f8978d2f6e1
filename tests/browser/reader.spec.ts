import type { Page } from "@playwright/test";
import { makeBookedExplorer, makeTour } from "../support/factories";
import { findUser } from "./all-pages";
import { EITHER, expect, test } from "./support";

// Pages for visitors who are not logged in, which come without React (docs/decisions/007-pages-without-javascript.md).

const DEMO_TOUR = "/tours/porto-sarrava-by-lantern";

/** The bytes that the page at that address sends, with the headers of its answers. */
async function weightOf(page: Page, address: string): Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    const size = request.sizes().then((of) => of.responseBodySize + of.responseHeadersSize);
    sizes.push(size.catch(() => 0));
  });
  await page.goto(address, { waitUntil: "networkidle" });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test("a tour weighs at most 100 KB, and 190 KB with a log-in", async ({ page, logIn }) => {
  expect(await weightOf(page, DEMO_TOUR)).toBeLessThanOrEqual(100_000);
  // On a page of its own, which has nothing of the first one in its cache.
  await logIn({ _id: await findUser("amelie.norden@example.org") });
  const other = await page.context().newPage();
  const cdp = await page.context().newCDPSession(other);
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
  expect(await weightOf(other, DEMO_TOUR)).toBeLessThanOrEqual(190_000);
});

test("the focus stays where one sorts, searches and chooses stars", async ({ page, open }) => {
  await open("/");
  const newest = page.getByRole("button", { name: "Newest" });
  await newest.click();
  await expect(page).toHaveURL("/?sort=newest");
  await expect(newest).toBeFocused();

  await open(DEMO_TOUR);
  const four = page
    .getByRole("main")
    .getByRole("link", { name: /^4 stars/ })
    .first();
  await four.click();
  await expect(four).toHaveAttribute("aria-current", "true");
  await expect(four).toBeFocused();
});

test("more reviews that are all shown already are no failure", async ({ page, open }) => {
  await open(DEMO_TOUR);
  const more = page.getByRole("link", { name: "More reviews" });
  const isNext = (url: URL) => url.searchParams.has("after");
  const body = await page.content();
  await page.route(isNext, (route) => route.fulfill({ contentType: "text/html", body }), {
    times: 1,
  });
  await more.click();
  await expect(more).toBeFocused();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await more.click();
  await expect(page.getByRole("article")).toHaveCount(40);
});

test("a search keeps what is typed until its page is there", async ({ page, open }) => {
  await open("/");
  const field = page.getByRole("searchbox");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("/?q=lantern*", async (route) => {
    await held;
    await route.continue();
  });
  await field.fill("lantern");
  await field.press("Enter", { noWaitAfter: true });
  await page.keyboard.type(" walk");
  release();
  await expect(page).toHaveURL("/?q=lantern");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("lantern walk");
});

test("a log-in brings the page with all that a user can do there", async ({
  page,
  open,
  logIn,
}) => {
  const tour = await makeTour();
  await open(`/tours/${tour.slug}`);
  await logIn(await makeBookedExplorer(tour));
  await page.reload();
  await expect(page.getByRole("button", { name: "Post review" })).toBeVisible();
});

test("a menu closes on Escape, and gives the focus back to its button", async ({ page, open }) => {
  await open(DEMO_TOUR);
  const button = page.locator("summary", { hasText: "Order:" });
  await button.click();
  const lowest = page.getByRole("link", { name: "Lowest" });
  await lowest.focus();
  await page.keyboard.press("Escape");
  await expect(lowest).toBeHidden();
  await expect(button).toBeFocused();
});

test(
  "the API's requests are listed beside them, and scripts copy an example",
  { tag: EITHER },
  async ({ page, open, context, scripts }) => {
    await open("/api");
    const list = page.getByRole("navigation", { name: "Requests" });
    const operation = page.getByRole("region", { name: "Delete one's own review" });
    await list.getByRole("link", { name: "Delete one's own review" }).click();
    await expect(operation).toBeInViewport();
    // It stays beside them.
    await expect(list).toBeInViewport();
    const { x, width } = (await list.boundingBox())!;
    expect((await operation.boundingBox())!.x).toBeGreaterThan(x + width);

    const copy = operation.getByRole("button", { name: "Copy the example" });
    if (!scripts) return expect(copy).toBeHidden();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await copy.click();
    await expect(operation.getByRole("status")).toHaveText("Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^curl -X DELETE "\$BASE\/api\/reviews\/\$REVIEW"/);
  },
);
