import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { findUserByToken } from "~/accounts/tokens.server";
import { TOKENS_PER_PAGE } from "~/accounts/token-limits";
import { findUser } from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { AccessToken } from "#models/access-token";
import { Session } from "#models/session";
import { User } from "#models/user";
import { cookieOf, logIn, sessionOf, shown, title, tokenOf } from "../support/app";
import { makeUser, PASSWORD } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";

useApp();

/** The current user's fields, as the browser gets them from the routes. */
const current = async (user: { _id: Types.ObjectId }) => (await findUser(user._id.toString()))!;

/** The fields of the form for a new token, except its name. */
const TOKEN = { intent: "create-token", currentPassword: PASSWORD };

describe("the account", () => {
  const PATH = "/me/account";

  /** Ann, logged in. */
  async function ann() {
    const user = await makeUser({ name: "Ann", email: "ann@example.test" });
    const cookie = await logIn(app, user.email);
    return { user, cookie, send: (fields: Record<string, string>) => post(PATH, fields, cookie) };
  }

  it("shows a refused profile with all its errors and with what was typed", async () => {
    const { user, send } = await ann();
    const answer = await send({ intent: "profile", name: "", image: "http://img.example.test" });
    expect(answer.status).toBe(400);
    expect(shown(answer)).toContain("Enter your name.");
    expect(shown(answer)).toContain("starts with https://");
    expect(answer.text).toContain('value="http://img.example.test"');
    expect(answer.text).toMatch(/href="#profile-name"[^]*id="profile-name"/);
    expect(await current(user)).toMatchObject({ name: "Ann", image: null });
  });

  it("changes the password, ends all other log-ins of the user alone and starts a new one", async () => {
    const { user, cookie, send } = await ann();
    const elsewhere = await logIn(app, user.email);
    const others = await sessionOf(await makeUser());
    const token = await tokenOf(user);
    const next = "seven blue boats";
    const form = { currentPassword: PASSWORD, newPassword: next };
    const answer = await send({ intent: "password", ...form });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, PATH]);
    const renewed = cookieOf(answer);
    expect(renewed).not.toBe(cookie);
    for (const old of [cookie, elsewhere]) expect((await get("/me", old)).status).toBe(302);
    const page = await get(PATH, renewed);
    expect(page.status).toBe(200);
    expect(shown(page)).toContain("Your password is changed");
    await logIn(app, user.email, next);
    await expect(logIn(app, user.email)).rejects.toThrow("400");
    expect((await get("/me", others)).status).toBe(200);
    expect(await findUserByToken(token)).not.toBeNull();
  });

  it("refuses a wrong current password, and shows no password again", async () => {
    const { send } = await ann();
    const form = { currentPassword: "wrong one 12", newPassword: "seven blue boats" };
    const answer = await send({ intent: "password", ...form });
    expect([answer.status, shown(answer)]).toEqual([
      400,
      expect.stringContaining(accountTexts.wrongPassword),
    ]);
    expect(answer.text).not.toMatch(/wrong one 12|seven blue boats/);
  });

  it("makes a token that is shown once and works, and tells how long", async () => {
    const { user, cookie, send } = await ann();
    const answer = await send({ ...TOKEN, tokenName: "Laptop" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toMatch(/\bno-store\b/);
    const token = /trv_[\w-]{43}/.exec(shown(answer))![0];
    expect(await findUserByToken(token)).toMatchObject({ id: user._id.toString() });
    const page = await get(PATH, cookie);
    expect(page.text).not.toContain("trv_");
    expect(shown(page)).toMatch(/Laptop.*last used on .*, valid until \d/);
    expect(JSON.stringify(await Session.find().lean())).not.toContain("trv_");
    expect(app.log()).not.toContain(token);

    const forever = await send({ ...TOKEN, tokenName: "Server", expiry: "never" });
    expect(shown(forever)).toMatch(/Server.*never used, does not expire/);
    await AccessToken.updateOne({ name: "Laptop" }, { expiresAt: new Date(Date.now() - 1) });
    expect(shown(await get(PATH, cookie))).toMatch(/Laptop.*last used on .*, expired on \d/);
  });

  it("shows its tokens in pages", async () => {
    const { user, cookie } = await ann();
    const tokens = Array.from({ length: TOKENS_PER_PAGE + 1 }, (_, n) => ({
      userId: user._id,
      name: `Token ${n}.`,
      hash: `hash ${n}`,
      createdAt: new Date(Date.now() - n * 1_000),
    }));
    await AccessToken.insertMany(tokens);
    const first = await get(PATH, cookie);
    expect(shown(first)).toContain(`Token ${TOKENS_PER_PAGE - 1}.`);
    expect(shown(first)).not.toContain(`Token ${TOKENS_PER_PAGE}.`);
    const [, next] = /href="([^"]*\?tokens=[^"#]*)#tokens"/.exec(first.text)!;
    const second = await get(next!, cookie);
    expect(shown(second)).toContain(`Token ${TOKENS_PER_PAGE}.`);
    expect(shown(second)).not.toMatch(/Token 0\.|Older tokens/);
    expect(second.text).toContain(`href="${PATH}#tokens"`);
  });

  it("accepts a new password and profile from a user to whom a platform gave no name", async () => {
    const user = await makeUser();
    await User.collection.updateOne({ _id: user._id }, { $unset: { name: 1 } });
    const cookie = await logIn(app, user.email);
    const before = await User.collection.findOne({ _id: user._id });
    for (const path of ["/", "/me", PATH, "/me/data.json", "/me/account/delete"])
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200]);
    const form = { currentPassword: PASSWORD, newPassword: "seven blue boats" };
    const answer = await post(PATH, { intent: "password", ...form }, cookie);
    expect(answer.status).toBe(302);
    const after = await User.collection.findOne({ _id: user._id });
    // Only the password is written.
    expect(after).toEqual({ ...before, passwordHash: after!.passwordHash });
    const profile = { intent: "profile", name: "Ann", image: "" };
    expect((await post(PATH, profile, cookieOf(answer))).status).toBe(302);
    expect(await current(user)).toMatchObject({ name: "Ann" });
  });

  it("gives its data as a file that no cache keeps", async () => {
    const { user, cookie } = await ann();
    const { status, headers, text } = await get("/me/data.json", cookie);
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      200,
      {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": 'attachment; filename="tour-reviews.json"',
        "cache-control": "no-store",
      },
    ]);
    const profile = { id: user._id.toString(), email: user.email };
    expect(JSON.parse(text)).toMatchObject({ profile });
    expect((await post("/me/data.json", {}, cookie)).status).toBe(405);
  });

  it("can be deleted, with the password", async () => {
    const { user, cookie } = await ann();
    const path = "/me/account/delete";
    const page = await get(path, cookie);
    expect(title(page)).toBe("Delete my account · Tour Reviews");
    expect(shown(page)).toContain("You have no reviews to delete.");
    const wrong = await post(path, { password: "wrong one 12" }, cookie);
    expect([wrong.status, shown(wrong)]).toEqual([
      400,
      expect.stringContaining(accountTexts.wrongPassword),
    ]);
    expect(wrong.text).not.toContain("wrong one 12");
    expect(shown(await post(path, {}, cookie))).toContain("Enter your password.");
    expect(await User.exists({ _id: user._id })).not.toBeNull();

    const answer = await post(path, { password: PASSWORD }, cookie);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(await User.exists({ _id: user._id })).toBeNull();
    const home = shown(await get("/", cookieOf(answer)));
    expect(home).toContain("Your account is deleted.");
    expect(home).not.toContain("Your reviews disappear");
    expect((await get("/me", cookie)).status).toBe(302);
    await expect(logIn(app, user.email)).rejects.toThrow("400");
  });
});
