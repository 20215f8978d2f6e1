import { mkdir, readFile, writeFile } from "node:fs/promises";
import { renderReviewRequest } from "#emails/review-request";
import { Notification } from "#models/notification";
import { Review } from "#models/review";
import { makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { makeRequest } from "../support/world";
import { EITHER, expect, expectAccessible, PHONE, test, unique } from "./support";

// A guest reviews a tour by the link of an e-mail, without a log-in (docs/rules/review-requests.md).

async function asked() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ title: `Night Walk ${unique()}`, createdById: guide._id });
  const guest = await makeBookedExplorer(tour, { name: "Ann Lee", passwordHash: null });
  return { tour, guest, path: `/review/${await makeRequest(guest, tour)}` };
}

test(
  "a guest ticks a star in the e-mail, posts, changes and deletes the review, without a log-in",
  { tag: EITHER },
  async ({ page, context, open }) => {
    const { tour, guest, path } = await asked();
    await open(`${path}?rating=4`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`How was ${tour.title}?`);
    await expect(page.getByRole("radio", { name: "4 stars, very good" })).toBeChecked();
    await expectAccessible(page);
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(0);
    await page.getByRole("textbox", { name: "Comment" }).fill("x".repeat(5_001));
    await page.getByRole("button", { name: "Post review" }).click();
    await expect(page.getByRole("alert")).toContainText("1 character too long");
    await expect(page.getByRole("textbox", { name: "Comment" })).toHaveValue("x".repeat(5_001));
    await page.getByRole("textbox", { name: "Comment" }).fill("Herons at dusk.");
    await page.getByRole("button", { name: "Post review" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Thank you, your review is live",
    );
    await expect(page.getByRole("article")).toContainText("Herons at dusk.");
    await expectAccessible(page);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain("session");
    const mails = () => Notification.countDocuments({ owner: guest._id.toString() });
    expect(await mails()).toBe(1);

    await page.getByRole("link", { name: "Change it" }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("Herons and owls.");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("article")).toContainText("Herons and owls.");
    await page.getByRole("link", { name: "Delete it" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete my review" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your review is deleted");
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(0);
    await page.getByRole("link", { name: "See the tour" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(tour.title);
  },
);

test(
  "who did not take part says so, and the link is used up",
  { tag: EITHER },
  async ({ page, open }) => {
    const { path } = await asked();
    await open(path);
    await page.getByRole("link", { name: "You did not take part?" }).click();
    await page.getByRole("button", { name: "I did not take part" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you for telling us");
    await expectAccessible(page);
  },
);

test(
  "somebody else who is logged in logs out and uses the link",
  { tag: EITHER },
  async ({ page, logIn, open }) => {
    const { path } = await asked();
    await logIn(await makeUser());
    await open(path);
    await expect(page.getByRole("main")).toContainText("It was sent to Ann.");
    await expectAccessible(page);
    await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
    await open(path);
    await expect(page.getByRole("button", { name: "Post review" })).toBeVisible();
  },
);

test(
  "the e-mail and the page fit a narrow phone, in the light and in the dark",
  { tag: PHONE },
  async ({ page, open, baseURL }) => {
    const { path, tour } = await asked();
    const url = `${baseURL}${path}`;
    const mail = renderReviewRequest(
      {
        name: "Ann Lee",
        email: "ann.lee.of.the.long.address@example.test",
        isReminder: false,
        tours: [
          {
            title: tour.title,
            guideName: "Gwen Guide",
            day: "Saturday 28 November 2026",
            url,
            picture: `data:image/png;base64,${await readFile("public/share/1.png", "base64")}`,
          },
        ],
      },
      { appUrl: baseURL!, unsubscribeUrl: `${baseURL}/unsubscribe/x` },
    );
    for (const width of [320, 390])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const shows = {
          page: () => open(path),
          mail: async () => {
            // Not with the site's own policy.
            await page.goto("about:blank");
            await page.setContent(mail.html);
          },
        };
        for (const [name, show] of Object.entries(shows)) {
          await show();
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(wide, name).toBeLessThanOrEqual(width);
          if (!process.env.UPDATE_PICTURES) continue;
          const picture = await page.screenshot({ fullPage: true });
          await mkdir("test-results/pages", { recursive: true });
          await writeFile(`test-results/pages/asked-${name}-${width}-${colorScheme}.png`, picture);
        }
      }
  },
);
