import mongoose, { type Types } from "mongoose";
import type { CommandStartedEvent } from "mongodb";
import { describe, expect, test } from "vitest";
import { requestAddressChange } from "~/accounts/address.server";
import { WRONG_LOGIN } from "~/accounts/log-in/log-in.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { findReset, requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { requestSignUp } from "~/accounts/log-in/sign-up.server";
import { createToken, findUserByToken } from "~/accounts/tokens.server";
import { findUser } from "~/accounts/users.server";
import { WRONG_PASSWORDS } from "~/db/limits.server";
import { AccessToken } from "#models/access-token";
import { EmailLink } from "#models/email-link";
import { Notification } from "#models/notification";
import { Session } from "#models/session";
import { User } from "#models/user";
import { mailsTo, subjectsTo, tokenTo } from "../support/mail";
import { beforeTransaction } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { fail, HOME, outcome } from "../support/services";

useDatabase();

const EMAIL = "ann@example.test";
const NEW = "seven blue boats";
const DEAD = { status: 404, message: "This link no longer works." };
const request = (email = EMAIL) => requestReset({ email }, HOME);
const reset = (token: string, newPassword = NEW) =>
  resetPassword(token, { newPassword, revokeTokens: false }, HOME);
const ann = (fields = {}) => makeUser({ name: "Ann", email: EMAIL, ...fields });
const callerOf = async ({ _id }: { _id: Types.ObjectId }) => (await findUser(_id.toString()))!;

/** The token of a link that was just sent. */
async function ask(): Promise<string> {
  await request();
  return tokenTo(EMAIL, "reset");
}

describe("asking for a link", () => {
  test("sends it to the address as it is stored, and changes nothing", async () => {
    await ann();
    // The database finds an account under more spellings than its own.
    expect(await request(" ANN@example.test ")).toBe("ANN@example.test");
    expect(await mailsTo("ANN@example.test")).toEqual([]);
    const [mail] = await mailsTo(EMAIL);
    expect(mail).toMatchObject({
      subject: "Reset your password",
      text: expect.stringMatching(/Hello Ann,.*works once, within one hour/s),
    });
    expect(mail!.expiresAt!.getTime()).toBeLessThanOrEqual(Date.now() + 60 * 60 * 1_000);
    const token = await tokenTo(EMAIL, "reset");
    expect(JSON.stringify(await EmailLink.find().lean())).not.toContain(token);
    expect(await outcome(EMAIL, PASSWORD)).toBe("in");
  });

  test("tells an address without an account that there is none", async () => {
    await request();
    const [mail] = await mailsTo(EMAIL);
    expect(mail!.subject).toBe("There is no account with this address");
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

  test("takes an imported address that a new account could not have, and writes to no other", async () => {
    const odd = "jürgen@münchen.example";
    await ann({ email: odd });
    await request(odd);
    expect(await subjectsTo(odd)).toEqual(["Reset your password"]);
    await request('"jörg"@münchen.example');
    expect(await Notification.countDocuments()).toBe(1);
  });

  test.each(["", "ann at example.test"])("refuses %j", async (email) => {
    await expect(request(email)).rejects.toMatchObject({
      fields: { email: "Enter an e-mail address, such as name@example.com." },
    });
  });

  test("is bounded by address, and sign-ups of a stranger do not count", async () => {
    await ann();
    const stranger = { clientAddress: "198.51.100.1", redirectTo: "/" };
    for (let time = 0; time < 5; time++) await requestSignUp({ email: EMAIL }, stranger);
    for (let time = 0; time < 5; time++) await request();
    await expect(request()).rejects.toMatchObject({ status: 429 });
    // The last one that was sent works.
    expect(await findReset(await tokenTo(EMAIL, "reset"))).toMatchObject({ email: EMAIL });
  });
});

describe("a link", () => {
  test("sets the password once, ends all log-ins and tells the owner", async () => {
    const user = await ann();
    const bystander = await makeUser();
    const apiToken = await createToken(EMAIL, "Laptop");
    const expiresAt = new Date(Date.now() + 60_000);
    for (const { _id } of [user, user, bystander])
      await Session.create({ _id: `${Math.random()}`, userId: _id, data: {}, expiresAt });
    const token = await ask();
    // Mail scanners follow links.
    for (let time = 0; time < 3; time++)
      expect(await findReset(token)).toEqual({ email: EMAIL, tokens: 1 });

    await reset(token);
    expect(await outcome(EMAIL, PASSWORD)).toBe(WRONG_LOGIN);
    expect(await outcome(EMAIL, NEW)).toBe("in");
    expect(await Session.find({}, "userId -_id").lean()).toEqual([{ userId: bystander._id }]);
    expect(await findUserByToken(apiToken)).toMatchObject({ email: EMAIL });
    expect(await subjectsTo(EMAIL)).toEqual(["Reset your password", "Your password was changed"]);
    expect((await mailsTo(EMAIL)).at(-1)!.text).toContain("Access tokens stay valid.");

    expect(await findReset(token)).toBeNull();
    await expect(reset(token, "another password")).rejects.toMatchObject(DEAD);
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("counts the valid access tokens, and revokes all of the account when asked to", async () => {
    const user = await ann();
    const bystander = await makeUser();
    const [one, two] = [await createToken(EMAIL, "Laptop"), await createToken(EMAIL, "Phone")];
    const theirs = await createToken(bystander.email, "Theirs");
    await createToken(EMAIL, "Expired");
    const expiresAt = new Date(Date.now() - 1);
    await AccessToken.updateOne({ name: "Expired" }, { $set: { expiresAt } });
    const token = await ask();
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
  ])("gives an imported account with %s its first one", async (_, passwordHash) => {
    await ann({ passwordHash });
    expect(await outcome(EMAIL, NEW)).toBe(WRONG_LOGIN);
    await reset(await ask());
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("opens an account that a stranger's guesses have locked", async () => {
    await ann();
    await fail(EMAIL, WRONG_PASSWORDS);
    await reset(await ask());
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("stays good when the new password is refused", async () => {
    await ann({ name: "Ann of the Green" });
    const token = await ask();
    for (const refused of ["short", "x".repeat(201), "ann of the green", EMAIL])
      await expect(reset(token, refused)).rejects.toMatchObject({
        fields: { newPassword: expect.any(String) },
      });
    expect(await outcome(EMAIL, PASSWORD)).toBe("in");
    await reset(token);
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("sent many times at once sets one password", async () => {
    await ann();
    const token = await ask();
    const passwords = ["the first of three", "the second of three", "the third of three"];
    const outcomes = await Promise.allSettled(passwords.map((word) => reset(token, word)));
    const won = passwords.filter((_, index) => outcomes[index]!.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect(await outcome(EMAIL, won[0]!)).toBe("in");
  });

  /** Tries a link to which that happens between the look at it and the transaction that uses it up. */
  async function expectUseless(happens: () => Promise<unknown>) {
    await ann();
    const token = await ask();
    beforeTransaction(happens);
    await expect(reset(token)).rejects.toMatchObject(DEAD);
    expect(await outcome(EMAIL, PASSWORD)).toBe("in");
  }

  test("used up by another process meanwhile sets nothing", () =>
    expectUseless(async () => EmailLink.deleteMany()));

  test("that expires meanwhile sets nothing", () =>
    expectUseless(async () => EmailLink.updateMany({}, { expiresAt: new Date(Date.now() - 1) })));

  describe("works no more", () => {
    const user = { _id: null as unknown as Types.ObjectId };
    const change = async (fields: { currentPassword: string; newPassword: string }) =>
      changePassword(await callerOf(user), fields);

    test.each<[string, () => Promise<unknown>]>([
      ["after an hour", () => EmailLink.updateMany({}, { expiresAt: new Date(Date.now() - 1) })],
      ["after a newer one", () => request()],
      [
        "after a change of the password",
        () => change({ currentPassword: PASSWORD, newPassword: "nine green boats" }),
      ],
      ["without the account", () => User.deleteOne({ _id: user._id })],
    ])("%s", async (_, happens) => {
      user._id = (await ann())._id;
      const token = await ask();
      expect(await findReset(token)).not.toBeNull();
      await happens();
      expect(await findReset(token)).toBeNull();
      await expect(reset(token)).rejects.toMatchObject(DEAD);
    });
  });

  test("is not used at another address, whatever its page has said", async () => {
    const { _id } = await ann();
    const token = await ask();
    await User.updateOne({ _id }, { email: "ann.new@example.test" });
    await expect(reset(token)).rejects.toMatchObject(DEAD);
    expect(await outcome("ann.new@example.test", PASSWORD)).toBe("in");
  });

  test("ends a pending change of the address: whoever asked for it had the old password", async () => {
    const user = await ann();
    const form = { newEmail: "eve@example.test", currentPassword: PASSWORD };
    await requestAddressChange(await callerOf(user), form, "192.0.2.1");
    await reset(await ask());
    expect(await EmailLink.countDocuments()).toBe(0);
  });
});
