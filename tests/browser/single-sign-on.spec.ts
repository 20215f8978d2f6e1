import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { User, type UserDocument } from "#models/user";
import { type App, startApp } from "../support/app";
import { makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { claimsOf, logInOnPlatform, signed } from "../support/single-sign-on";
import { expect, expectAccessible, FORMS, notice, postButton, star, test } from "./support";

// A site whose users log in on the platform, which is another site (docs/rules/accounts.md, Users of a platform).

let site: App;
let platform: Server;
/** As whom the platform's page logs in. */
let user: UserDocument;

test.beforeAll(async () => {
  platform = createServer(({ url = "/" }, response) => {
    const { searchParams } = new URL(url, "http://localhost");
    const nonce = searchParams.get("nonce");
    const back = searchParams.get("return");
    const token = back && signed(claimsOf(user, new URL(back).origin, { nonce }));
    response.setHeader("Content-Type", "text/html");
    response.end(
      `<!DOCTYPE html><html lang="en"><title>Platform</title><a href="${back}?token=${token}">Continue</a>`,
    );
  });
  await new Promise<void>((listening) => platform.listen(0, "localhost", listening));
  const { port } = platform.address() as AddressInfo;
  site = await startApp(
    process.env.MONGODB_URI!,
    logInOnPlatform(`http://localhost:${port}/log-in`),
  );
});
test.afterAll(async () => {
  await site.stop();
  platform.closeAllConnections();
  platform.close();
});

test(
  "a review goes through the platform's log-in and back",
  { tag: FORMS },
  async ({ page, open, logIn }) => {
    const tour = await makeTour();
    user = await makeBookedExplorer(tour, { name: "Ann" });
    await logIn(user);
    await open(`${site.url}/tours/${tour.slug}`);
    await star(page, 4).check();
    await page.getByLabel("Comment").fill("Two hours on the water.");
    await Session.deleteMany({ userId: user._id });
    await postButton(page).click();
    await page.getByRole("link", { name: "Continue" }).click();

    await expect(page).toHaveURL(`${site.url}/tours/${tour.slug}#write`);
    await expect(page.getByLabel("Comment")).toHaveValue("Two hours on the water.");
    await expect(star(page, 4)).toBeChecked();
    expect(await Review.exists({ tourId: tour._id })).toBeNull();
    await postButton(page).click();
    await expect(notice(page)).toContainText("Thank you, your review is live.");
    expect(await Review.findOne({ tourId: tour._id }).lean()).toMatchObject({
      userId: user._id,
      rating: 4,
      comment: "Two hours on the water.",
    });
  },
);

test(
  "a log-in that has expired says so, and a deletion is confirmed on the platform",
  { tag: FORMS },
  async ({ page, open }) => {
    user = await makeUser();
    await open(`${site.url}/login/return?token=expired`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are not logged in");
    await expectAccessible(page);
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByRole("link", { name: "Continue" }).click();
    await expect(page).toHaveURL(`${site.url}/`);

    await Session.updateOne({ userId: user._id }, { "data.handedOffAt": 0 });
    await open(`${site.url}/me/account`);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Delete my account" }).click();
    const send = page.getByRole("button", { name: "Delete my account" });
    await send.click();
    await page.getByRole("link", { name: "Continue" }).click();
    await expect(notice(page)).toHaveText("You have logged in again. Now send the form.");
    await send.click();
    await expect(notice(page)).toHaveText("Your account is deleted.");
    expect(await User.exists({ _id: user._id })).toBeNull();
  },
);
