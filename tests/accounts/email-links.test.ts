import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { changeAddress, findAddressChange, requestAddressChange } from "~/accounts/address.server";
import { findReset, requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { findSignUp, requestSignUp, signUp } from "~/accounts/log-in/sign-up.server";
import { type CurrentUser, findUser } from "~/accounts/users.server";
import { WRONG_PASSWORDS } from "~/accounts/limits.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { EmailLink, type LinkPurpose } from "#models/email-link";
import { Notification } from "#models/notification";
import { User, type UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import { commandsOf } from "../support/explain";
import { makeUser, PASSWORD } from "../support/factories";
import { beforeTransaction } from "../support/interrupt";
import { mailsTo, subjectsTo, tokenTo } from "../support/mail";
import { fail, HOME, outcome } from "../support/services";

// Links that prove an address: a sign-up, a new password, a new address (docs/rules/accounts.md, Links by e-mail).

useDatabase();

const EMAIL = "ann@example.test";
const NEW_EMAIL = "ann.new@example.test";
const NEW = "seven blue boats";
const FORM = { name: "Ann", password: NEW };
const HOUR = 60 * 60 * 1_000;
const DEAD = { status: 404, message: "This link no longer works." };

const ann = (fields: Partial<UserDocument> = {}) =>
  makeUser({ name: "Ann", email: EMAIL, ...fields });
const callerOf = async ({ _id }: { _id: Types.ObjectId }) => (await findUser(_id.toString()))!;
const expire = () => EmailLink.updateMany({}, { expiresAt: new Date(Date.now() - 1) });

const requestUp = (email = EMAIL) =>
  requestSignUp({ email }, { clientAddress: HOME, redirectTo: "/" });
const requestNewPassword = (email = EMAIL) => requestReset({ email }, HOME);
const requestAddress = (user: CurrentUser, newEmail = NEW_EMAIL) =>
  requestAddressChange(user, { newEmail, currentPassword: PASSWORD }, HOME);
const reset = (token: string) =>
  resetPassword(token, { newPassword: NEW, revokeTokens: false }, HOME);

/** Requests a link of that kind; returns its token. */
async function askUp(email = EMAIL): Promise<string> {
  await requestUp(email);
  return tokenTo(email, "sign-up");
}
async function askNewPassword(): Promise<string> {
  await requestNewPassword();
  return tokenTo(EMAIL, "reset");
}
async function askAddress(user: UserDocument): Promise<string> {
  await requestAddress(await callerOf(user));
  return tokenTo(NEW_EMAIL, "address");
}

const opens = async (email: string, password: string) => (await outcome(email, password)) === "in";

/** Ann's request, her link's page before and after its form was sent, and whether it has had its effect. */
const LINKS = {
  "sign-up": () => ({
    email: EMAIL,
    subject: "Finish your sign-up",
    hours: 24,
    request: requestUp,
    find: (token: string): Promise<unknown> => findSignUp(token),
    use: (token: string): Promise<unknown> => signUp(token, FORM, HOME),
    isDone: () => opens(EMAIL, NEW),
  }),
  reset: () => ({
    email: EMAIL,
    subject: "Reset your password",
    hours: 1,
    request: requestNewPassword,
    find: (token: string): Promise<unknown> => findReset(token),
    use: (token: string): Promise<unknown> => reset(token),
    isDone: () => opens(EMAIL, NEW),
  }),
  address: (user: CurrentUser | null) => ({
    email: NEW_EMAIL,
    subject: "Confirm your new e-mail address",
    hours: 24,
    request: (newEmail?: string) => requestAddress(user!, newEmail),
    find: (token: string): Promise<unknown> => findAddressChange(user!, token),
    use: (token: string): Promise<unknown> => changeAddress(user!, token),
    isDone: () => opens(NEW_EMAIL, PASSWORD),
  }),
};
type Link = ReturnType<(typeof LINKS)[LinkPurpose]>;
const PURPOSES = Object.keys(LINKS) as LinkPurpose[];

describe.each(PURPOSES)("a link for a %s", (purpose) => {
  const begin = async () =>
    LINKS[purpose](purpose === "sign-up" ? null : await callerOf(await ann()));
  const tokenOf = ({ email }: Link) => tokenTo(email, purpose);

  test("is sent to the address, and is stored as nothing that opens it", async () => {
    const link = await begin();
    expect(await link.request(` ${link.email} `)).toBe(link.email);
    const [mail] = await mailsTo(link.email);
    expect(mail).toMatchObject({ to: { email: link.email }, subject: link.subject });
    const left = mail!.expiresAt!.getTime() - Date.now();
    expect(Math.ceil(left / HOUR)).toBe(link.hours);
    expect(JSON.stringify(await EmailLink.find().lean())).not.toContain(await tokenOf(link));
    expect(await link.isDone()).toBe(false);
  });

  test.each<[string, (link: Link, token: string) => Promise<unknown>]>([
    // As if the database had not yet cleared it away.
    ["after its end", expire],
    ["after a newer one", (link) => link.request()],
    [
      "of another purpose",
      () => EmailLink.updateMany({}, { purpose: PURPOSES.find((other) => other !== purpose) }),
    ],
  ])("does not work %s", async (_, happens) => {
    const link = await begin();
    await link.request();
    const token = await tokenOf(link);
    await happens(link, token);
    for (const dead of [token, token.slice(1), "", "x".repeat(5_000)]) {
      expect(await link.find(dead)).toBeNull();
      await expect(link.use(dead)).rejects.toMatchObject(DEAD);
    }
    expect(await link.isDone()).toBe(false);
  });

  test.each([
    ["used up by another process", async () => EmailLink.deleteMany()],
    ["expired", expire],
  ])("%s meanwhile does nothing", async (_, happens) => {
    const link = await begin();
    await link.request();
    beforeTransaction(happens);
    await expect(link.use(await tokenOf(link))).rejects.toMatchObject(DEAD);
    expect(await link.isDone()).toBe(false);
  });

  test("sent many times at once takes effect once", async () => {
    const link = await begin();
    await link.request();
    const token = await tokenOf(link);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => link.use(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await link.isDone()).toBe(true);
    expect(await User.countDocuments()).toBe(1);
  });

  test("is one, however many are requested at once", async () => {
    const link = await begin();
    await Promise.all(Array.from({ length: 5 }, () => link.request()));
    expect(await EmailLink.countDocuments()).toBe(1);
    const tokens = (await mailsTo(link.email)).map(({ text }) => /\/([\w-]{43})$/m.exec(text)![1]!);
    const working = (await Promise.all(tokens.map(link.find))).filter(Boolean);
    expect([tokens.length, working.length]).toEqual([5, 1]);
  });

  test("takes the same steps whether or not there is an account", async () => {
    const link = await begin();
    const stepsOf = (email: string) => commandsOf(() => link.request(email));
    const { email } = await makeUser();
    // Here the driver asks what it asks only once.
    await link.request("first@example.test");
    expect(await stepsOf(email)).toEqual(await stepsOf("nobody@example.test"));
  });
});

describe("a sign-up", () => {
  /** The texts at the fields of a refused form. */
  const refused = (token: string, changes: Partial<typeof FORM>) =>
    signUp(token, { ...FORM, ...changes }, HOME).then(
      () => ({}),
      (error: { fields: Record<string, string> }) => error.fields,
    );

  test("refuses names and passwords, every field at once, and its link stays good", async () => {
    const token = await askUp();
    expect(await refused(token, { name: " ", password: "ninechars" })).toEqual({
      name: "Enter your name.",
      password: "Choose a password of at least 10 characters.",
    });
    for (const [field, value, text] of [
      ["name", "\u200b\u202e", /^Enter your name\.$/],
      ["name", "a".repeat(81), /at most 80 characters/],
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
    // Just within the limits, which count characters.
    const form = { name: "😀".repeat(80), password: "😀".repeat(200) };
    expect(await refused(token, form)).toEqual({});
    expect(await outcome(EMAIL, form.password)).toBe("in");
    const bob = await askUp("bob@example.test");
    expect(await refused(bob, { name: "B", password: "ten charac" })).toEqual({});
  });
});

describe("a new password", () => {
  test("is sent to an imported address that a new account could not have, and to no other", async () => {
    const odd = "jürgen@münchen.example";
    await ann({ email: odd });
    await requestNewPassword(odd);
    expect(await subjectsTo(odd)).toEqual(["Reset your password"]);
    await requestNewPassword('"jörg"@münchen.example');
    expect(await Notification.countDocuments()).toBe(1);
  });

  test.each([null, "$2b$10$abcdefghijklmnopqrstuv0123456789012345678901234567890"])(
    "is the first one of an imported account with the hash %s, which we do not read",
    async (passwordHash) => {
      await ann({ passwordHash });
      expect(await outcome(EMAIL, NEW)).toBe(accountTexts.wrongLogin);
      await reset(await askNewPassword());
      expect(await outcome(EMAIL, NEW)).toBe("in");
    },
  );

  test("opens an account that a stranger's guesses have locked", async () => {
    await ann();
    await fail(EMAIL, WRONG_PASSWORDS);
    await reset(await askNewPassword());
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test.each<[string, (user: UserDocument) => Promise<unknown>]>([
    [
      "after a change of the password",
      async (user) =>
        changePassword(await callerOf(user), {
          currentPassword: PASSWORD,
          newPassword: "nine green boats",
        }),
    ],
    ["without the account", ({ _id }) => User.deleteOne({ _id })],
    [
      "after a change of the address",
      async (user) => changeAddress(await callerOf(user), await askAddress(user)),
    ],
  ])("is not set by a link %s", async (_, happens) => {
    const user = await ann();
    const token = await askNewPassword();
    await happens(user);
    expect(await findReset(token)).toBeNull();
    await expect(reset(token)).rejects.toMatchObject(DEAD);
  });

  test("is not used at another address, whatever its page has said", async () => {
    const { _id } = await ann();
    const token = await askNewPassword();
    await User.updateOne({ _id }, { email: NEW_EMAIL });
    await expect(reset(token)).rejects.toMatchObject(DEAD);
    expect(await outcome(NEW_EMAIL, PASSWORD)).toBe("in");
  });
});

describe("a new address", () => {
  const emailOf = async ({ _id }: UserDocument) => (await User.findById(_id).lean())!.email;

  test("is told to the old one when it is asked for and made, and to itself without a stranger's word", async () => {
    const user = await ann();
    const token = await askAddress(user);
    expect((await mailsTo(NEW_EMAIL))[0]!.text).not.toMatch(/\bAnn[,.! ]/);
    const [told] = await mailsTo(EMAIL);
    expect(told!.text).toContain(NEW_EMAIL);
    expect(told!.text).not.toMatch(/[\w-]{43}/);
    await changeAddress(await callerOf(user), token);
    expect(await subjectsTo(EMAIL)).toEqual([
      "Your e-mail address is about to change",
      "Your e-mail address was changed",
    ]);
  });

  test.each([
    ["the present one", EMAIL, PASSWORD, { newEmail: "This is already your address." }],
    ["a wrong password", NEW_EMAIL, "wrong", { currentPassword: accountTexts.wrongPassword }],
  ])("is refused with %s", async (_, newEmail, currentPassword, fields) => {
    const caller = await callerOf(await ann());
    await expect(
      requestAddressChange(caller, { newEmail, currentPassword }, HOME),
    ).rejects.toMatchObject({ status: 400, fields });
    expect([await EmailLink.countDocuments(), await Notification.countDocuments()]).toEqual([0, 0]);
  });

  test("is not taken where it was changed in the meantime", async () => {
    const user = await ann();
    const token = await askAddress(user);
    const caller = await callerOf(user);
    beforeTransaction(async () =>
      User.updateOne({ _id: user._id }, { email: "third@example.test" }),
    );
    await expect(changeAddress(caller, token)).rejects.toMatchObject(DEAD);
    expect(await emailOf(user)).toBe("third@example.test");
  });
});
