import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { EMAIL_TAKEN } from "~/services/accounts/sign-up.server";
import { WRONG_LOGIN } from "~/services/accounts/log-in.server";
import { Session } from "../../models/session";
import { User } from "../../models/user";
import { logIn } from "../support/app";
import { makeUser } from "../support/factories";
import { cookieOf, inputs, shown, title } from "../support/page";
import { app, get, post, useApp } from "../support/shared-app";

useApp();

describe("signing up", () => {
  const form = { name: "Ann", email: "ann@example.test", password: "seven blue boats" };

  it("logs in, leads back and says so once", async () => {
    const answer = await post("/signup", { ...form, redirectTo: "/tours/old?stars=5" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/tours/old?stars=5"]);
    const cookie = cookieOf(answer);
    const first = await get("/me", cookie);
    expect(shown(first)).toContain("Welcome, Ann.");
    expect(shown(await get("/me", cookie))).not.toContain("Welcome, Ann.");
    expect(await Session.find().lean()).toMatchObject([{ userId: expect.anything() }]);
    await logIn(app, form.email, form.password);
  });

  it("shows every error, and gives back what was written but the password", async () => {
    const answer = await post("/signup?redirectTo=%2Fme", {
      name: " ",
      email: "ann<b>",
      password: "short me",
    });
    expect(answer.status).toBe(400);
    expect(title(answer)).toBe("Sign up · Tour Reviews");
    for (const text of ["Enter your name.", "Enter an e-mail address", "at least 10 characters"])
      expect(shown(answer)).toContain(text);
    expect(answer.text).toContain('value="ann&lt;b&gt;"');
    expect(answer.text).toContain('name="redirectTo" value="/me"');
    expect(answer.text).not.toContain("short me");
    expect(inputs(answer).filter((input) => input.includes('aria-invalid="true"'))).toHaveLength(3);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await User.countDocuments()).toBe(0);
  });

  it("says that an address is taken, and keeps that account as it is", async () => {
    await makeUser({ name: "First", email: "ANN@example.test" });
    const answer = await post("/signup", form);
    expect(answer.status).toBe(400);
    expect(shown(answer)).toContain(EMAIL_TAKEN);
    expect(await User.find({}, "name -_id").lean()).toEqual([{ name: "First" }]);
  });

  it("an empty form, other fields and another site's address do no harm", async () => {
    expect((await post("/signup", {})).status).toBe(400);
    const answer = await post("/signup", {
      ...form,
      redirectTo: "https://evil.example/",
      image: "https://evil.example/x.png",
      reviewMails: "none",
      _id: "0".repeat(24),
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(await User.collection.findOne()).toEqual({
      _id: expect.toSatisfy((id: Types.ObjectId) => id.toString() !== "0".repeat(24)),
      name: "Ann",
      email: "ann@example.test",
      image: null,
      passwordHash: expect.any(String),
    });
  });

  it("keeps the way back between log-in and sign-up, and passes who is logged in", async () => {
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

it("a refused log-in gives the address back, and the password never", async () => {
  const { email } = await makeUser();
  const answer = await post("/login", { email, password: "guess 1234" });
  expect(answer.status).toBe(400);
  expect(shown(answer)).toContain(WRONG_LOGIN);
  expect(answer.text).toContain(`value="${email}"`);
  expect(answer.text).not.toContain("guess 1234");
});
