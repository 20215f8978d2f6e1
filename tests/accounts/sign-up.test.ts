import mongoose, { Types } from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { describe, expect, test } from "vitest";
import { logIn, WRONG_LOGIN } from "~/accounts/log-in/log-in.server";
import {
  ACCOUNT_EXISTS,
  findSignUp,
  requestSignUp,
  signUp as signUpFrom,
} from "~/accounts/log-in/sign-up.server";
import { findUser } from "~/accounts/users.server";
import { EmailLink } from "#models/email-link";
import { User } from "#models/user";
import { mailsTo, subjectsTo, tokenTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { makeUser } from "../support/factories";
import { HOME, outcome } from "../support/services";

useDatabase();

const EMAIL = "ann@example.test";
const FORM = { name: "Ann", password: "seven blue boats" };
const DEAD = { status: 404, message: "This link no longer works." };
const request = (email = EMAIL, redirectTo = "/") =>
  requestSignUp({ email }, { clientAddress: HOME, redirectTo });

const signUp = (token: string, form: typeof FORM, from = HOME) => signUpFrom(token, form, from);

/** The token of a link that was just sent. */
async function prove(email = EMAIL, redirectTo?: string): Promise<string> {
  await request(email, redirectTo);
  return tokenTo(email.trim(), "sign-up");
}

describe("asking for a link", () => {
  test("sends it to the address, and creates nothing", async () => {
    expect(await request(" ann@example.test ")).toBe(EMAIL);
    const [mail] = await mailsTo(EMAIL);
    expect(mail).toMatchObject({ to: { email: EMAIL }, subject: "Finish your sign-up" });
    const token = await tokenTo(EMAIL, "sign-up");
    expect(mail!.html).toContain(`/signup/${token}"`);
    expect(mail!.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 23 * 60 * 60 * 1_000);
    expect(await User.countDocuments()).toBe(0);
    // What is stored beside the e-mail opens nothing.
    expect(JSON.stringify(await EmailLink.find().lean())).not.toContain(token);
  });

  test("tells the owner of an account instead, at the address as it is stored", async () => {
    await makeUser({ name: "First", email: "Ann@Example.test" });
    expect(await request()).toBe(EMAIL);
    expect(await mailsTo(EMAIL)).toEqual([]);
    const [mail] = await mailsTo("Ann@Example.test");
    expect(mail!.subject).toBe("You already have an account");
    expect(mail!.text).toContain("Hello First,");
    expect(mail!.text).toMatch(/\/login\n/);
    expect(mail!.text).toContain("/reset");
    expect(mail!.text).not.toMatch(/[\w-]{43}/);
  });

  test("takes the same steps whether or not there is an account", async () => {
    const client = mongoose.connection.getClient();
    const stepsOf = async (email: string) => {
      const steps: string[] = [];
      const record = ({ commandName, command }: CommandStartedEvent) =>
        steps.push(`${commandName} ${String((command as Record<string, unknown>)[commandName])}`);
      client.on("commandStarted", record);
      await request(email);
      client.off("commandStarted", record);
      return steps;
    };
    const { email } = await makeUser();
    // What the driver asks once is asked here.
    await request("first@example.test");
    expect(await stepsOf(email)).toEqual(await stepsOf("nobody@example.test"));
  });

  test.each(["", "ann@", "ann@example.test, bob@example.test", "ann\n@example.test"])(
    "refuses %j",
    async (email) => {
      await expect(request(email)).rejects.toMatchObject({
        fields: { email: "Enter an e-mail address, such as name@example.com." },
      });
      expect(await EmailLink.countDocuments()).toBe(0);
    },
  );

  test.each([
    ["an address with an account", () => makeUser({ email: EMAIL })],
    ["one without", () => Promise.resolve()],
  ])("is bounded for %s, in any letters", async (_, prepare) => {
    await prepare();
    for (let time = 0; time < 5; time++) await request(time % 2 ? EMAIL : EMAIL.toUpperCase());
    await expect(request()).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(/^Too many e-mails to this address\. .* wait 60 minutes/),
    });
    await request("bob@example.test");
  });

  test("ends the link before, and many at once leave one", async () => {
    const first = await prove();
    await Promise.all([request(), request(), request()]);
    expect(await findSignUp(first)).toBeNull();
    expect(await EmailLink.countDocuments()).toBe(1);
    const tokens = (await mailsTo(EMAIL)).map(({ text }) => /signup\/([\w-]+)/.exec(text)![1]!);
    const working = (await Promise.all(tokens.map(findSignUp))).filter(Boolean);
    expect([tokens.length, working.length]).toEqual([4, 1]);
    // Where there is none before, too.
    const bob = "bob@example.test";
    await Promise.all([request(bob), request(bob), request(bob), request(bob), request(bob)]);
    expect(await EmailLink.countDocuments({ email: bob })).toBe(1);
    expect(await mailsTo(bob)).toHaveLength(5);
  });
});

describe("a link", () => {
  test("is good once, for 24 hours, and reading it uses nothing up", async () => {
    const token = await prove();
    for (let time = 0; time < 3; time++)
      expect(await findSignUp(token)).toEqual({ email: EMAIL, accountExists: false });
    const { user } = await signUp(token, FORM);
    expect(await findSignUp(token)).toBeNull();
    await expect(signUp(token, FORM)).rejects.toMatchObject(DEAD);
    expect(await User.find({}, "_id").lean()).toEqual([{ _id: new Types.ObjectId(user.id) }]);
  });

  test("does not work when it has expired, or was never sent", async () => {
    const token = await prove();
    // As if the database had not yet cleared it away.
    await EmailLink.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
    for (const dead of [token, token.slice(1), "", "x".repeat(5_000)]) {
      expect(await findSignUp(dead)).toBeNull();
      await expect(signUp(dead, FORM)).rejects.toMatchObject(DEAD);
    }
    expect(await User.countDocuments()).toBe(0);
  });

  test("of another purpose is none", async () => {
    const token = await prove();
    await EmailLink.updateMany({}, { $set: { purpose: "reset" } });
    await expect(signUp(token, FORM)).rejects.toMatchObject(DEAD);
  });
});

describe("signing up with it", () => {
  /** The texts at the fields of a refused form. */
  const refused = (token: string, changes: Partial<typeof FORM>) =>
    signUp(token, { ...FORM, ...changes }).then(
      () => ({}),
      (error: { fields: Record<string, string> }) => error.fields,
    );

  test("makes an account that can log in, and leads back", async () => {
    const { user, redirectTo } = await signUp(await prove(EMAIL, "/tours/old?stars=5"), FORM);
    expect(redirectTo).toBe("/tours/old?stars=5");
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: "Ann",
      email: EMAIL,
      image: null,
    });
    expect(await findUser(user.id)).toEqual(user);
    expect(await logIn("ANN@example.test", FORM.password, HOME)).toEqual(user);
    const stored = await User.findById(user.id).lean();
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(stored)).not.toContain(FORM.password);
  });

  test("trims the name, and never the password", async () => {
    const password = "  spaces around  ";
    const { user } = await signUp(await prove(), { name: " Ann \t of\r\n Green  ", password });
    expect(user.name).toBe("Ann of Green");
    expect(await outcome(EMAIL, password.trim())).toBe(WRONG_LOGIN);
    expect(await outcome(EMAIL, password)).toBe("in");
  });

  test("reports every field at once, and the link stays good", async () => {
    const token = await prove();
    expect(await refused(token, { name: " ", password: "short" })).toEqual({
      name: "Enter your name.",
      password: "Choose a password of at least 10 characters.",
    });
    expect(await User.countDocuments()).toBe(0);
    expect(await refused(token, {})).toEqual({});
  });

  test("refuses names and passwords", async () => {
    const token = await prove();
    for (const [field, value, text] of [
      ["name", "\u200b\u202e", /^Enter your name\.$/],
      ["name", "a".repeat(81), /at most 80 characters/],
      ["password", "ninechars", /at least 10/],
      ["password", "😀".repeat(9), /at least 10/],
      ["password", "x".repeat(201), /at most 200/],
      ["password", " ANN@example.test", /not your name or your e-mail address/],
    ] as const)
      expect(await refused(token, { [field]: value })).toEqual({
        [field]: expect.stringMatching(text),
      });
    const named = { name: "Annabella Green", password: "annabella green" };
    expect(await refused(token, named)).toHaveProperty("password");
    expect(await User.countDocuments()).toBe(0);
  });

  test("takes what is just within the limits, counted in characters", async () => {
    const name = "😀".repeat(80);
    const { user } = await signUp(await prove(), { name, password: "😀".repeat(200) });
    expect(user.name).toBe(name);
    expect(await outcome(EMAIL, "😀".repeat(200))).toBe("in");
    const bob = await prove("bob@example.test");
    expect(await refused(bob, { name: "B", password: "ten charac" })).toEqual({});
  });

  test("says that an import has made the account meanwhile, and keeps that as it is", async () => {
    const token = await prove();
    await makeUser({ name: "Imported", email: "ANN@example.test", passwordHash: null });
    expect(await findSignUp(token)).toEqual({ email: EMAIL, accountExists: true });
    const refusal = { status: 400, message: ACCOUNT_EXISTS };
    await expect(signUp(token, FORM)).rejects.toMatchObject(refusal);
    expect(await User.find({}, "name -_id").lean()).toEqual([{ name: "Imported" }]);
  });

  test("sent many times at once makes one account", async () => {
    const token = await prove();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => signUp(token, FORM)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await User.countDocuments()).toBe(1);
    expect(await subjectsTo(EMAIL)).toEqual(["Finish your sign-up"]);
  });
});
