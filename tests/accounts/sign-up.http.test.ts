import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { Session } from "#models/session";
import { User } from "#models/user";
import { linkTo, subjectsTo } from "../support/mail";
import { cookieOf, inputs, logIn, shown, title } from "../support/app";
import { makeUser } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";

useApp();

const EMAIL = "ann@example.test";
const FORM = { name: "Ann", password: "seven blue boats" };
/** Requests a link; returns the path of its page. */
async function ask(redirectTo = "/"): Promise<string> {
  expect((await post("/signup", { email: EMAIL, redirectTo })).status).toBe(200);
  return linkTo(EMAIL, "sign-up");
}

describe("requesting a sign-up", () => {
  it("sends a link, creates nothing, and says the same for a taken address", async () => {
    await makeUser({ name: "First", email: "Bob@example.test" });
    const answers = [];
    for (const email of [EMAIL, "bob@example.test"]) {
      const { status, headers, text } = await post("/signup", { email });
      expect([status, headers.get("set-cookie")]).toEqual([200, null]);
      answers.push(shown({ text }).replaceAll(email, "ADDRESS"));
    }
    expect(answers[0]).toContain("We have sent a message to ADDRESS.");
    expect(answers[1]).toBe(answers[0]);
    // E-mails are captured on this machine.
    expect(answers[0]).toContain("that the start of the site has printed");
    expect(await User.countDocuments()).toBe(1);
    expect(await subjectsTo(EMAIL)).toEqual(["Finish your sign-up"]);
    expect(await subjectsTo("Bob@example.test")).toEqual(["You already have an account"]);
  });

  it("refuses a malformed address, and gives it back", async () => {
    const answer = await post("/signup?redirectTo=%2Fme", { email: "ann<b>" });
    expect(answer.status).toBe(400);
    expect(title(answer)).toBe("Error: Sign up · Tour Reviews");
    expect(shown(answer)).toContain("Enter an e-mail address");
    expect(answer.text).toContain('value="ann&lt;b&gt;"');
    expect(answer.text).toContain('name="redirectTo" value="/me"');
    expect(inputs(answer).filter((input) => input.includes('aria-invalid="true"'))).toHaveLength(1);
    expect((await post("/signup", {})).status).toBe(400);
  });

  it("keeps the way back between log-in and sign-up, and sends on users who are logged in", async () => {
    const query = "redirectTo=%2Ftours%2Fold";
    expect((await get(`/login?${query}`)).text).toContain(`href="/signup?${query}"`);
    expect((await get(`/signup?${query}`)).text).toContain(`href="/login?${query}"`);
    const cookie = await logIn(app, (await makeUser()).email);
    for (const path of ["/login", "/signup"]) {
      const answer = await get(`${path}?${query}`, cookie);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/tours/old"]);
    }
  });
});

describe("signing up with the link", () => {
  it("logs in, returns to the page before and says so once", async () => {
    const link = await ask("/tours/old?stars=5");
    const answer = await post(link, FORM);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/tours/old?stars=5"]);
    const cookie = cookieOf(answer);
    const first = await get("/me", cookie);
    expect(shown(first)).toContain("Welcome, Ann.");
    expect(shown(await get("/me", cookie))).not.toContain("Welcome, Ann.");
    expect(await Session.find().lean()).toMatchObject([{ userId: expect.anything() }]);
    await logIn(app, EMAIL, FORM.password);
  });

  it("accepts neither another address, nor other fields, nor a post from another site", async () => {
    const link = await ask("https://evil.example/");
    const answer = await post(link, {
      ...FORM,
      email: "bob@example.test",
      redirectTo: "https://evil.example/",
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
  });
});
