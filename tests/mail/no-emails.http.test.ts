import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EmailLink } from "#models/email-link";
import { Notification } from "#models/notification";
import { type App, call, logIn, startApp } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";

// A site with a public name whose e-mails reach nobody (docs/rules/accounts.md, Links by e-mail).

useDatabase();

let app: App;
let user: Awaited<ReturnType<typeof makeUser>>;
beforeAll(async () => {
  app = await startApp(databaseUri(), { APP_URL: "https://reviews.example.com" });
});
afterAll(() => app.stop());
beforeEach(async () => {
  user = await makeUser();
});

const SAYS_SO = /This site sends no e-mails at the moment\./;
const stored = async () => [await EmailLink.countDocuments(), await Notification.countDocuments()];

describe.each(["/signup", "/reset"])("%s", (path) => {
  test("says so instead of offering a field for an address", async () => {
    const { status, text } = await call(app, "GET", path);
    expect([status, text]).toEqual([200, expect.stringMatching(SAYS_SO)]);
    expect(text).not.toContain('name="email"');
  });

  test("does not claim to have sent anything, and does not reveal which accounts exist", async () => {
    const answers: [number, string][] = [];
    for (const email of [user.email, "nobody@example.test"]) {
      const answer = await call(app, "POST", path, { raw: new URLSearchParams({ email }) });
      const text = answer.text.replace(/[0-9a-f-]{36}/g, "");
      answers.push([answer.status, text.replaceAll(email, "")]);
    }
    const [known, unknown] = answers;
    expect(known).toEqual([503, expect.stringMatching(SAYS_SO)]);
    expect(known![1]).not.toContain("We have sent");
    expect(unknown).toEqual(known);
    expect(await stored()).toEqual([0, 0]);
  });
});

test("the account's page offers no change of address", async () => {
  const cookie = await logIn(app, user.email);
  const page = await call(app, "GET", "/me/account", { cookie });
  expect([page.status, page.text]).toEqual([200, expect.stringMatching(SAYS_SO)]);
  expect(page.text).not.toContain('name="newEmail"');
  const form = { intent: "address", newEmail: "new@example.test", currentPassword: PASSWORD };
  const answer = await call(app, "POST", "/me/account", { cookie, raw: new URLSearchParams(form) });
  expect([answer.status, answer.text]).toEqual([503, expect.stringMatching(SAYS_SO)]);
  expect(await stored()).toEqual([0, 0]);
});
