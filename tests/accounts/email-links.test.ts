import type { CommandStartedEvent } from "mongodb";
import mongoose, { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import {
  ADDRESS_TAKEN,
  changeAddress,
  findAddressChange,
  requestAddressChange,
} from "~/accounts/address.server";
import { logIn, WRONG_LOGIN } from "~/accounts/log-in/log-in.server";
import { findReset, requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { changePassword, WRONG_PASSWORD } from "~/accounts/log-in/passwords.server";
import { createSession } from "~/accounts/log-in/sessions.server";
import {
  ACCOUNT_EXISTS,
  findSignUp,
  requestSignUp,
  signUp,
} from "~/accounts/log-in/sign-up.server";
import { createToken, findUserByToken } from "~/accounts/tokens.server";
import { type CurrentUser, findUser } from "~/accounts/users.server";
import { WRONG_PASSWORDS } from "~/db/limits.server";
import { AccessToken } from "#models/access-token";
import { EmailLink, type LinkPurpose } from "#models/email-link";
import { Notification } from "#models/notification";
import { Session } from "#models/session";
import { User, type UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
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
const NO_ADDRESS = "Enter an e-mail address, such as name@example.com.";

const ann = (fields: Partial<UserDocument> = {}) =>
  makeUser({ name: "Ann", email: EMAIL, ...fields });
const callerOf = async ({ _id }: { _id: Types.ObjectId }) => (await findUser(_id.toString()))!;
const expire = () => EmailLink.updateMany({}, { expiresAt: new Date(Date.now() - 1) });

const requestUp = (email = EMAIL, redirectTo = "/") =>
  requestSignUp({ email }, { clientAddress: HOME, redirectTo });
const requestNewPassword = (email = EMAIL) => requestReset({ email }, HOME);
const reset = (token: string, newPassword = NEW) =>
  resetPassword(token, { newPassword, revokeTokens: false }, HOME);
const requestAddress = async (
  user: UserDocument,
  newEmail = NEW_EMAIL,
  currentPassword = PASSWORD,
) => requestAddressChange(await callerOf(user), { newEmail, currentPassword }, HOME);

/** Requests a link of that kind; returns its token. */
async function askUp(email = EMAIL, redirectTo?: string): Promise<string> {
  await requestUp(email, redirectTo);
  return tokenTo(email, "sign-up");
}
async function askNewPassword(): Promise<string> {
  await requestNewPassword();
  return tokenTo(EMAIL, "reset");
}
async function askAddress(user: UserDocument): Promise<string> {
  await requestAddress(user);
  return tokenTo(NEW_EMAIL, "address");
}

/** Ann's request, her link's page before and after its form was sent, and whether it has had its effect. */
interface Link {
  email: string;
  subject: string;
  hours: number;
  request: (email?: string) => Promise<string>;
  find: (token: string) => Promise<unknown>;
  use: (token: string) => Promise<unknown>;
  isDone: () => Promise<boolean>;
}

const opens = async (email: string, password: string) => (await outcome(email, password)) === "in";

const LINKS: Record<LinkPurpose, (user: CurrentUser | null) => Link> = {
  "sign-up": () => ({
    email: EMAIL,
    subject: "Finish your sign-up",
    hours: 24,
    request: requestUp,
    find: findSignUp,
    use: (token) => signUp(token, FORM, HOME),
    isDone: () => opens(EMAIL, NEW),
  }),
  reset: () => ({
    email: EMAIL,
    subject: "Reset your password",
    hours: 1,
    request: requestNewPassword,
    find: findReset,
    use: (token) => reset(token),
    isDone: () => opens(EMAIL, NEW),
  }),
  address: (user) => ({
    email: NEW_EMAIL,
    subject: "Confirm your new e-mail address",
    hours: 24,
    request: (newEmail = NEW_EMAIL) =>
      requestAddressChange(user!, { newEmail, currentPassword: PASSWORD }, HOME),
    find: (token) => findAddressChange(user!, token),
    use: (token) => changeAddress(user!, token),
    isDone: () => opens(NEW_EMAIL, PASSWORD),
  }),
};
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

  test("works once, and reading it uses nothing up", async () => {
    const link = await begin();
    await link.request();
    const token = await tokenOf(link);
    for (let time = 0; time < 3; time++) expect(await link.find(token)).not.toBeNull();
    await link.use(token);
    expect(await link.isDone()).toBe(true);
    expect(await link.find(token)).toBeNull();
    await expect(link.use(token)).rejects.toMatchObject(DEAD);
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
    const client = mongoose.connection.getClient();
    const stepsOf = async (email: string) => {
      const steps: string[] = [];
      const record = ({ commandName, command }: CommandStartedEvent) =>
        steps.push(`${commandName} ${String((command as Record<string, unknown>)[commandName])}`);
      client.on("commandStarted", record);
      await link.request(email);
      client.off("commandStarted", record);
      return steps;
    };
    const { email } = await makeUser();
    // What the driver asks once is asked here.
    await link.request("first@example.test");
    expect(await stepsOf(email)).toEqual(await stepsOf("nobody@example.test"));
  });

  test("is bounded by the address that it goes to, in any letters", async () => {
    const link = await begin();
    for (let time = 0; time < 5; time++)
      await link.request(time % 2 ? link.email : link.email.toUpperCase());
    await expect(link.request()).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(/^Too many e-mails to this address\. .* wait 60 minutes/),
    });
    await link.request("bob@example.test");
    // Each purpose has its own count.
    await (purpose === "reset" ? requestUp : requestNewPassword)(link.email);
  });
});

test.each([
  ["sign-up", requestUp, ["", "ann@", "ann@x.test, bob@x.test", "ann\n@example.test"]],
  ["reset", requestNewPassword, ["", "ann at example.test"]],
] as const)("a %s is refused for what is no address", async (_, request, emails) => {
  for (const email of emails)
    await expect(request(email)).rejects.toMatchObject({ fields: { email: NO_ADDRESS } });
  expect(await EmailLink.countDocuments()).toBe(0);
});

describe("a sign-up", () => {
  /** The texts at the fields of a refused form. */
  const refused = (token: string, changes: Partial<typeof FORM>) =>
    signUp(token, { ...FORM, ...changes }, HOME).then(
      () => ({}),
      (error: { fields: Record<string, string> }) => error.fields,
    );

  test("tells the owner of an account instead, at the address as it is stored", async () => {
    await makeUser({ name: "First", email: "Ann@Example.test" });
    await requestUp();
    expect(await mailsTo(EMAIL)).toEqual([]);
    const [mail] = await mailsTo("Ann@Example.test");
    expect(mail).toMatchObject({
      subject: "You already have an account",
      text: expect.stringMatching(/^Hello First,.*\/reset\n.*\/login\n/s),
    });
    expect(mail!.text).not.toMatch(/[\w-]{43}/);
  });

  test("makes an account that can log in, and leads back", async () => {
    const { user, redirectTo } = await signUp(await askUp(EMAIL, "/tours/old?stars=5"), FORM, HOME);
    expect(redirectTo).toBe("/tours/old?stars=5");
    const id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(user).toEqual({ id, name: "Ann", email: EMAIL, image: null });
    expect(await findUser(user.id)).toEqual(user);
    expect(await logIn("ANN@example.test", NEW, HOME)).toEqual(user);
    const stored = await User.findById(user.id).lean();
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(stored)).not.toContain(NEW);
  });

  test("trims the name, and never the password", async () => {
    const password = "  spaces around  ";
    const form = { name: " Ann \t of\r\n Green  ", password };
    const { user } = await signUp(await askUp(), form, HOME);
    expect(user.name).toBe("Ann of Green");
    expect(await outcome(EMAIL, password.trim())).toBe(WRONG_LOGIN);
    expect(await outcome(EMAIL, password)).toBe("in");
  });

  test("refuses names and passwords, every field at once, and its link stays good", async () => {
    const token = await askUp();
    expect(await refused(token, { name: " ", password: "short" })).toEqual({
      name: "Enter your name.",
      password: "Choose a password of at least 10 characters.",
    });
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
    expect(await refused(token, {})).toEqual({});
  });

  test("takes what is just within the limits, counted in characters", async () => {
    const form = { name: "😀".repeat(80), password: "😀".repeat(200) };
    const { user } = await signUp(await askUp(), form, HOME);
    expect(user.name).toBe(form.name);
    expect(await outcome(EMAIL, form.password)).toBe("in");
    const bob = await askUp("bob@example.test");
    expect(await refused(bob, { name: "B", password: "ten charac" })).toEqual({});
  });

  test("says that an import has made the account meanwhile, and keeps that as it is", async () => {
    const token = await askUp();
    await makeUser({ name: "Imported", email: "ANN@example.test", passwordHash: null });
    expect(await findSignUp(token)).toEqual({ email: EMAIL, accountExists: true });
    const refusal = { status: 400, message: ACCOUNT_EXISTS };
    await expect(signUp(token, FORM, HOME)).rejects.toMatchObject(refusal);
    expect(await User.find({}, "name -_id").lean()).toEqual([{ name: "Imported" }]);
  });
});

describe("a new password", () => {
  test("is asked for at the address as it is stored", async () => {
    await ann();
    // The database finds an account under more spellings than its own.
    expect(await requestNewPassword("ANN@example.test")).toBe("ANN@example.test");
    expect(await mailsTo("ANN@example.test")).toEqual([]);
    expect((await mailsTo(EMAIL))[0]!.text).toMatch(/^Hello Ann,.*works once, within one hour/s);
  });

  test("is none of an address without an account, which is told so", async () => {
    await requestNewPassword();
    const [mail] = await mailsTo(EMAIL);
    expect(mail!.subject).toBe("There is no account with this address");
    expect(mail!.text).not.toMatch(/[\w-]{43}/);
  });

  test("is sent to an imported address that a new account could not have, and to no other", async () => {
    const odd = "jürgen@münchen.example";
    await ann({ email: odd });
    await requestNewPassword(odd);
    expect(await subjectsTo(odd)).toEqual(["Reset your password"]);
    await requestNewPassword('"jörg"@münchen.example');
    expect(await Notification.countDocuments()).toBe(1);
  });

  test("ends all log-ins of the account and its links, and tells the owner", async () => {
    const user = await ann();
    const bystander = await makeUser();
    const apiToken = await createToken(EMAIL, "Laptop");
    for (const { _id } of [user, user, bystander])
      await createSession({ userId: _id.toString() }, new Date(Date.now() + HOUR));
    // Whoever asked for another address had the old password.
    await requestAddress(user, "eve@example.test");
    await reset(await askNewPassword());
    expect(await outcome(EMAIL, PASSWORD)).toBe(WRONG_LOGIN);
    expect(await EmailLink.countDocuments()).toBe(0);
    expect(await Session.find({}, "userId -_id").lean()).toEqual([{ userId: bystander._id }]);
    expect(await findUserByToken(apiToken)).toMatchObject({ email: EMAIL });
    const told = (await mailsTo(EMAIL)).at(-1)!;
    expect(told.subject).toBe("Your password was changed");
    expect(told.text).toContain("Access tokens stay valid.");
  });

  test("revokes all access tokens of the account when asked to; the valid ones are counted", async () => {
    const user = await ann();
    const bystander = await makeUser();
    const [one, two] = [await createToken(EMAIL, "Laptop"), await createToken(EMAIL, "Phone")];
    const theirs = await createToken(bystander.email, "Theirs");
    await createToken(EMAIL, "Expired");
    const expiresAt = new Date(Date.now() - 1);
    await AccessToken.updateOne({ name: "Expired" }, { $set: { expiresAt } });
    const token = await askNewPassword();
    expect(await findReset(token)).toEqual({ email: EMAIL, tokens: 2 });
    const refused = { newPassword: "short", revokeTokens: true };
    await expect(resetPassword(token, refused, HOME)).rejects.toMatchObject({ status: 400 });
    expect(await findUserByToken(one)).not.toBeNull();

    await resetPassword(token, { newPassword: NEW, revokeTokens: true }, HOME);
    for (const revoked of [one, two]) expect(await findUserByToken(revoked)).toBeNull();
    expect(await findUserByToken(theirs)).not.toBeNull();
    expect(await AccessToken.countDocuments({ userId: user._id })).toBe(0);
    expect((await mailsTo(EMAIL)).at(-1)!.text).toContain("All access tokens are revoked.");
  });

  test.each([
    ["no password", null],
    ["a hash that we do not read", "$2b$10$abcdefghijklmnopqrstuv0123456789012345678901234567890"],
  ])("is the first one of an imported account with %s", async (_, passwordHash) => {
    await ann({ passwordHash });
    expect(await outcome(EMAIL, NEW)).toBe(WRONG_LOGIN);
    await reset(await askNewPassword());
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("opens an account that a stranger's guesses have locked", async () => {
    await ann();
    await fail(EMAIL, WRONG_PASSWORDS);
    await reset(await askNewPassword());
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("can be refused, and its link stays good", async () => {
    await ann({ name: "Ann of the Green" });
    const token = await askNewPassword();
    for (const refused of ["short", "x".repeat(201), "ann of the green", EMAIL])
      await expect(reset(token, refused)).rejects.toMatchObject({
        fields: { newPassword: expect.any(String) },
      });
    expect(await outcome(EMAIL, PASSWORD)).toBe("in");
    await reset(token);
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

  test("says the same of one that is taken, whose owner is told", async () => {
    const user = await ann();
    await makeUser({ name: "Bob", email: "Bob@example.test" });
    expect(await requestAddress(user, "bob@example.test")).toBe("bob@example.test");
    expect(await subjectsTo("Bob@example.test")).toEqual(["You already have an account"]);
    expect(await mailsTo("bob@example.test")).toEqual([]);
    expect(await subjectsTo(EMAIL)).toEqual(["Your e-mail address is about to change"]);
  });

  test.each([
    ["the present one", EMAIL, PASSWORD, { newEmail: "This is already your address." }],
    ["a wrong password", NEW_EMAIL, "wrong", { currentPassword: WRONG_PASSWORD }],
    [
      "nothing at all",
      "",
      "",
      { newEmail: NO_ADDRESS, currentPassword: "Enter your current password." },
    ],
  ])("is refused with %s", async (_, newEmail, password, fields) => {
    const user = await ann();
    const refusal = { status: 400, fields };
    await expect(requestAddress(user, newEmail, password)).rejects.toMatchObject(refusal);
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

  test("is confirmed by nobody else", async () => {
    const [user, other] = [await ann(), await makeUser()];
    const token = await askAddress(user);
    const caller = await callerOf(other);
    expect(await findAddressChange(caller, token)).toBeNull();
    await expect(changeAddress(caller, token)).rejects.toMatchObject(DEAD);
    expect([await emailOf(user), await emailOf(other)]).toEqual([EMAIL, other.email]);
  });

  test("that was taken meanwhile is said to be so, and nothing changes", async () => {
    const user = await ann();
    const token = await askAddress(user);
    await makeUser({ email: NEW_EMAIL.toUpperCase() });
    const refusal = { status: 400, message: ADDRESS_TAKEN };
    await expect(changeAddress(await callerOf(user), token)).rejects.toMatchObject(refusal);
    expect(await emailOf(user)).toBe(EMAIL);
    expect(await subjectsTo(EMAIL)).toEqual(["Your e-mail address is about to change"]);
  });
});
