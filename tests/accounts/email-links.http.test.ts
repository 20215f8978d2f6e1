import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { findUserByToken } from "~/accounts/tokens.server";
import { AccessToken } from "#models/access-token";
import { EmailLink, type LinkPurpose } from "#models/email-link";
import { Notification } from "#models/notification";
import { User, type UserDocument } from "#models/user";
import { linkTo, subjectsTo } from "../support/mail";
import { call, cookieOf, logIn, sessionOf, shown, title, tokenOf } from "../support/app";
import { stored } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";

// Links in e-mails, as their readers, mail scanners and strangers meet them.

useApp();

const EMAIL = "ann@example.test";
const NEW_EMAIL = "ann.new@example.test";
const NEW = "nine green boats";
/** E-mails to an address within an hour (docs/rules/requests.md, Limits). */
const LINKS_BY_ADDRESS = 5;

/** The field of the page's form, as its browser would show it. */
const field = ({ text }: { text: string }) =>
  /<input[^>]*name="email"[^>]*>/.exec(text)?.[0].replace(/.*value="([^"]*)".*/, "$1");

/** Requests a link for that purpose, logged in or not; returns the path of its page. */
async function ask(purpose: LinkPurpose, user?: UserDocument): Promise<string> {
  if (purpose !== "address") {
    await post(purpose === "reset" ? "/reset" : "/signup", { email: EMAIL });
    return linkTo(EMAIL, purpose);
  }
  const form = { intent: "address", newEmail: NEW_EMAIL, currentPassword: PASSWORD };
  expect((await post("/me/account", form, await sessionOf(user!))).status).toBe(200);
  return linkTo(NEW_EMAIL, purpose);
}

describe.each<LinkPurpose>(["sign-up", "reset", "address"])("the link of a %s", (purpose) => {
  const begin = async () => {
    const user = purpose === "sign-up" ? undefined : await makeUser({ name: "Ann", email: EMAIL });
    return { user, link: await ask(purpose, user), cookie: user && (await sessionOf(user)) };
  };

  it("can be opened by a scanner of e-mails, and stays valid", async () => {
    const { link, cookie } = await begin();
    // The worker still records that it has captured the e-mail.
    await expect
      .poll(() => Notification.countDocuments({ state: "pending" }), { timeout: 60_000 })
      .toBe(0);
    const before = await stored();
    for (const path of [link, `${link}/`, `${link}.data`])
      for (const method of ["GET", "HEAD"]) {
        const { status } = await call(app, method, path, { cookie });
        expect([method, path, status]).toEqual([method, path, 200]);
      }
    expect(await stored()).toBe(before);
  });

  it("has a page of its own when it does not work, whatever is sent there", async () => {
    const { link, cookie } = await begin();
    await EmailLink.deleteMany({});
    for (const path of [link, link.slice(0, -1), `${link}x`])
      for (const answer of [
        await get(path, cookie),
        await post(path, { name: "Ann", password: NEW, newPassword: NEW }, cookie),
      ]) {
        expect(answer.status).toBe(404);
        expect(shown(answer)).toContain("This link no longer works");
        expect(title(answer)).not.toMatch(/not found/);
      }
  });
});

describe("an address that was typed", () => {
  const mails = () => Notification.countDocuments({ kind: "account" });

  it.each(["/login", "/reset", "/signup"])(
    "opens the form of %s with it, where nothing else is done, and stands in no line of the log",
    async (path) => {
      const start = app.log().length;
      const shownForm = await post(path, { email: EMAIL, password: PASSWORD, show: "form" });
      expect([shownForm.status, field(shownForm)]).toEqual([200, EMAIL]);
      expect(shownForm.text).not.toContain(PASSWORD);
      expect(await mails()).toBe(0);
      const id = shownForm.headers.get("x-request-id")!;
      await expect.poll(() => app.log().slice(start)).toContain(id);
      expect(app.log().slice(start)).not.toContain(EMAIL);
    },
  );

  it.each(["/reset", "/signup"])("gets another e-mail from %s, within the limit", async (path) => {
    const again = (email = EMAIL) => post(path, { email, again: "yes" });
    expect(shown(await post(path, { email: EMAIL }))).toContain(`sent a message to ${EMAIL}.`);
    for (let time = 2; time <= LINKS_BY_ADDRESS; time++)
      expect(shown(await again())).toContain(`We have sent another message to ${EMAIL}.`);
    expect(await mails()).toBe(LINKS_BY_ADDRESS);
    const refused = await again(EMAIL.toUpperCase());
    expect([refused.status, field(refused)]).toEqual([429, EMAIL.toUpperCase()]);
    expect(shown(refused)).toMatch(/Too many e-mails to this address\. .* wait 60 minutes/);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await mails()).toBe(LINKS_BY_ADDRESS);
    // Another address has a count of its own, and so has another purpose.
    expect((await again(NEW_EMAIL)).status).toBe(200);
    const other = path === "/reset" ? "/signup" : "/reset";
    expect((await post(other, { email: EMAIL })).status).toBe(200);
  });

  /** The pages that ask for one, what else their form has, and what its owner is told. */
  const asked = { intent: "address", currentPassword: PASSWORD };
  const FORMS = [
    ["/signup", {}, "email", "You already have an account"],
    ["/reset", {}, "email", "Reset your password"],
    ["/me/account", asked, "newEmail", "You already have an account"],
  ] as const;
  const sessionFor = async (path: string) =>
    path === "/me/account" ? await sessionOf(await makeUser()) : undefined;

  it.each(FORMS)("is refused by %s if it is none, and given back", async (path, form, name) => {
    const wrong = { ...form, [name]: "ann<b>" };
    const refused = await post(`${path}?redirectTo=%2Fme`, wrong, await sessionFor(path));
    expect([refused.status, title(refused)]).toEqual([400, expect.stringMatching(/^Error: /)]);
    expect(shown(refused)).toContain("Enter an e-mail address");
    expect(refused.text).toContain('value="ann&lt;b&gt;"');
    expect(refused.text).not.toContain(PASSWORD);
    if (path === "/signup") expect(refused.text).toContain('name="redirectTo" value="/me"');
  });

  it.each(FORMS)(
    "gets the same answer from %s whether or not it has an account",
    async (path, form, name, subject) => {
      await makeUser({ email: "Bob@example.test" });
      const cookie = await sessionFor(path);
      const answers = [];
      for (const email of [NEW_EMAIL, "bob@example.test"]) {
        const { status, headers, text } = await post(path, { ...form, [name]: email }, cookie);
        expect([status, headers.get("set-cookie")]).toEqual([200, null]);
        answers.push(shown({ text }).replaceAll(email, "ADDRESS"));
      }
      expect(answers[0]).toContain("We have sent a message to ADDRESS.");
      // E-mails are captured on this machine.
      expect(answers[0]).toContain("that the start of the site has printed");
      expect(answers[1]).toBe(answers[0]);
      expect(await subjectsTo("Bob@example.test")).toEqual([subject]);
    },
  );
});

test("a sign-up accepts neither another address, nor other fields, nor another site to return to", async () => {
  const redirectTo = "https://evil.example/";
  expect((await post("/signup", { email: EMAIL, redirectTo })).status).toBe(200);
  const answer = await post(await linkTo(EMAIL, "sign-up"), {
    name: "Ann",
    password: NEW,
    email: "bob@example.test",
    redirectTo,
    image: "https://evil.example/x.png",
    reviewMails: "none",
    _id: "0".repeat(24),
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
  expect(await User.collection.findOne()).toEqual({
    _id: expect.toSatisfy((id: Types.ObjectId) => id.toString() !== "0".repeat(24)),
    name: "Ann",
    email: EMAIL,
    image: null,
    passwordHash: expect.any(String),
  });
  await logIn(app, EMAIL, NEW);
});

describe("resetting the password", () => {
  const boxOf = ({ text }: { text: string }) => /<input[^>]*type="checkbox"[^>]*>/.exec(text)?.[0];

  it("ends every log-in, this browser's too, and then asks for the new password", async () => {
    const user = await makeUser({ email: EMAIL });
    const [here, elsewhere] = [await sessionOf(user), await logIn(app, EMAIL)];
    const others = await sessionOf(await makeUser());
    const link = await ask("reset");
    expect((await get(link)).text).not.toMatch(/revokeTokens|access tokens/i);
    const refused = await post(link, { newPassword: "short me" }, here);
    expect(refused.status).toBe(400);
    expect(refused.text).not.toContain("short me");
    expect((await get("/me", here)).status).toBe(200);

    const done = await post(link, { newPassword: NEW }, here);
    expect([done.status, done.headers.get("location")]).toEqual([302, "/login"]);
    const page = await get("/login", cookieOf(done));
    expect([shown(page), field(page)]).toEqual([
      expect.stringContaining("Your password is changed"),
      EMAIL,
    ]);
    for (const cookie of [here, elsewhere, cookieOf(done)])
      expect((await get("/me", cookie)).status).toBe(302);
    expect((await get("/me", others)).status).toBe(200);
    await logIn(app, EMAIL, NEW);
    await expect.poll(() => subjectsTo(EMAIL)).toContain("Your password was changed");
  });

  it.each([
    [1, "my access token", "your access token is revoked."],
    [3, "my 3 access tokens", "your 3 access tokens are revoked."],
  ])("offers to revoke access tokens, ticked (%i)", async (count, which, notice) => {
    const user = await makeUser({ email: EMAIL });
    for (let n = 0; n < count; n++) await tokenOf(user);
    const others = await tokenOf(await makeUser());
    const link = await ask("reset");
    const page = await get(link);
    expect(shown(page)).toContain(`Revoke ${which}`);
    expect(boxOf(page)).toContain('checked=""');
    const done = await post(link, { newPassword: NEW, revokeTokens: "on" });
    expect(shown(await get("/login", cookieOf(done)))).toContain(
      `all log-ins have ended and ${notice}`,
    );
    expect(await AccessToken.countDocuments()).toBe(1);
    expect(await findUserByToken(others)).not.toBeNull();
  });

  it("revokes none when the box is not ticked, also after a refusal", async () => {
    const token = await tokenOf(await makeUser({ email: EMAIL }));
    const link = await ask("reset");
    expect(boxOf(await post(link, { newPassword: "short" }))).not.toContain("checked");
    await post(link, { newPassword: NEW });
    expect(await findUserByToken(token)).not.toBeNull();
  });
});

test("a new address takes effect once the user who requested it confirms it", async () => {
  const user = await makeUser({ name: "Ann", email: EMAIL });
  const link = await ask("address", user);
  const stranger = await post(link, {});
  expect([stranger.status, stranger.headers.get("location")]).toEqual([
    302,
    `/login?redirectTo=${encodeURIComponent(link)}`,
  ]);
  expect((await post(link, {}, await sessionOf(await makeUser()))).status).toBe(404);
  expect((await User.findById(user._id).lean())!.email).toBe(EMAIL);

  const cookie = await sessionOf(user);
  expect(shown(await get(link, cookie))).toContain(`uses ${EMAIL}. Once you confirm, it uses`);
  const done = await post(link, {}, cookie);
  expect([done.status, done.headers.get("location")]).toEqual([302, "/me/account"]);
  expect(shown(await get("/me/account", cookie))).toContain(`you log in with ${NEW_EMAIL}.`);
  await logIn(app, NEW_EMAIL);
});

test("the log-ins of a user: the present one is marked, one or all others can be ended", async () => {
  const user = await makeUser({ email: EMAIL });
  const here = await logIn(app, EMAIL);
  const [phone, laptop] = [await logIn(app, EMAIL), await logIn(app, EMAIL)];
  const page = await get("/me/sessions", here);
  expect(shown(page).match(/This device/g)).toHaveLength(1);
  // The tests' own client is no browser.
  expect(shown(page)).toContain("Unknown browser");
  expect(shown(page)).not.toMatch(/network|127\.0\.0|::\/48/);
  const fields = page.text.matchAll(/name="session" value="([0-9a-f]{64})"/g);
  const ids = [...fields].map(([, id]) => id!);
  expect(ids).toHaveLength(2);

  const agents = async (cookie: string) => (await get("/me", cookie)).status;
  const ended = await post("/me/sessions", { intent: "end", session: ids[0]! }, here);
  expect([ended.status, ended.headers.get("location")]).toEqual([302, "/me/sessions"]);
  expect((await Promise.all([phone, laptop].map(agents))).sort()).toEqual([200, 302]);
  const bobs = await sessionOf(await makeUser());
  await post("/me/sessions", { intent: "end-others" }, here);
  expect(await Promise.all([here, bobs, phone, laptop].map(agents))).toEqual([200, 200, 302, 302]);
  expect((await post("/me/sessions", { intent: "nonsense" }, here)).status).toBe(400);
  expect(await User.exists({ _id: user._id })).not.toBeNull();
});
