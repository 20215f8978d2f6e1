import { describe, expect, test } from "vitest";
import { EMAIL_TAKEN, signUp } from "~/services/accounts/sign-up.server";
import { findUser } from "~/services/accounts/users.server";
import { logIn, WRONG_LOGIN } from "~/services/accounts/log-in.server";
import { User } from "../../../models/user";
import { useDatabase } from "../../support/database";
import { HOME } from "../../support/log-ins";
import { makeUser } from "../../support/factories";

useDatabase();

/** Whom sign-ups and log-ins come from. */
const CLIENT = "192.0.2.1";

/** The message of a refusal, or "in". */
const outcome = (email: string, password: string) =>
  logIn(email, password, HOME).then(
    () => "in",
    (error: Error) => error.message,
  );

describe("signing up", () => {
  const form = { name: "Ann", email: "ann@example.test", password: "seven blue boats" };
  /** The texts at the fields of a refused form. */
  const refused = (changes: Partial<typeof form>) =>
    signUp({ ...form, ...changes }, CLIENT).then(
      () => ({}),
      (error: { fields: Record<string, string> }) => error.fields,
    );

  test("makes an account that can log in", async () => {
    const ann = await signUp(form, CLIENT);
    expect(ann).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: "Ann",
      email: "ann@example.test",
      image: null,
    });
    expect(await findUser(ann.id)).toEqual(ann);
    expect(await logIn("ANN@example.test", form.password, HOME)).toEqual(ann);
    const stored = await User.findById(ann.id).lean();
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(stored)).not.toContain(form.password);
  });

  test("trims the name and the address, and never the password", async () => {
    const password = "  spaces around  ";
    const typed = { name: " Ann \t of\r\n Green  ", email: " ann@example.test ", password };
    const ann = await signUp(typed, CLIENT);
    expect(ann).toMatchObject({ name: "Ann of Green", email: "ann@example.test" });
    expect(await outcome(ann.email, password.trim())).toBe(WRONG_LOGIN);
    expect(await outcome(ann.email, password)).toBe("in");
  });

  test("reports every field at once", async () => {
    const refusal = signUp({ name: " ", email: "ann", password: "short" }, CLIENT);
    await expect(refusal).rejects.toMatchObject({
      status: 400,
      message: "Enter your name.",
      field: "name",
      fields: {
        name: "Enter your name.",
        email: "Enter an e-mail address, such as name@example.com.",
        password: "Choose a password of at least 10 characters.",
      },
    });
    expect(await User.countDocuments()).toBe(0);
  });

  test.each([
    ["name", "", /^Enter your name\.$/],
    ["name", "\u200b\u202e", /^Enter your name\.$/],
    ["name", "a".repeat(81), /at most 80 characters/],
    ["email", "", /^Enter an e-mail address/],
    ["email", "ann@", /^Enter an e-mail address/],
    ["email", "ann@example.test, bob@example.test", /^Enter an e-mail address/],
    ["email", "ann\n@example.test", /^Enter an e-mail address/],
    [
      "email",
      `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.test`,
      /at most 254/,
    ],
    ["password", "", /at least 10/],
    ["password", "ninechars", /at least 10/],
    ["password", "😀".repeat(9), /at least 10/],
    ["password", "x".repeat(201), /at most 200/],
    ["password", " ANN@example.test", /not your name or your e-mail address/],
  ])("refuses the %s %j", async (field, value, text) => {
    expect(await refused({ [field]: value })).toEqual({ [field]: expect.stringMatching(text) });
    expect(await User.countDocuments()).toBe(0);
  });

  test("refuses the name as password", async () => {
    const name = "Annabella Green";
    expect(await refused({ name, password: "annabella green" })).toHaveProperty("password");
  });

  test("takes what is just within the limits, counted in characters", async () => {
    const name = "😀".repeat(80);
    expect(await signUp({ ...form, name, password: "😀".repeat(200) }, CLIENT)).toMatchObject({
      name,
    });
    expect(await outcome(form.email, "😀".repeat(200))).toBe("in");
    const email = "bob@example.test";
    expect(await refused({ name: "B", email, password: "ten charac" })).toEqual({});
  });

  test("refuses an address that is taken, in any letters", async () => {
    await makeUser({ email: "Ann@Example.test" });
    expect(await refused({})).toEqual({ email: EMAIL_TAKEN });
    expect(await User.countDocuments()).toBe(1);
  });

  test("makes one account of many at once for one address", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => refused({ name: `Ann ${index}` })),
    );
    expect(outcomes.filter((fields) => "email" in fields)).toHaveLength(4);
    expect(await User.countDocuments()).toBe(1);
  });
});
