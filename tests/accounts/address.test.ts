import type { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import {
  ADDRESS_TAKEN,
  changeAddress,
  findAddressChange,
  requestAddressChange,
} from "~/accounts/address.server";
import { WRONG_PASSWORD } from "~/accounts/log-in/passwords.server";
import { findReset, requestReset } from "~/accounts/log-in/password-reset.server";
import { findUser } from "~/accounts/users.server";
import { EmailLink } from "#models/email-link";
import { Notification } from "#models/notification";
import { User } from "#models/user";
import { mailsTo, subjectsTo, tokenTo } from "../support/mail";
import { beforeTransaction } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { outcome } from "../support/services";

useDatabase();

const OLD = "ann@example.test";
const NEW = "ann.new@example.test";
const DEAD = { status: 404, message: "This link no longer works." };
const ann = () => makeUser({ name: "Ann", email: OLD });
type Account = { _id: Types.ObjectId };
const callerOf = async ({ _id }: Account) => (await findUser(_id.toString()))!;
const request = async (user: Account, newEmail = NEW, currentPassword = PASSWORD) =>
  requestAddressChange(await callerOf(user), { newEmail, currentPassword }, "192.0.2.1");
const change = async (user: Account, token: string) => changeAddress(await callerOf(user), token);
const emailOf = async ({ _id }: Account) => (await User.findById(_id).lean())!.email;

describe("asking for another address", () => {
  test("sends a link there, tells the old one, and changes nothing", async () => {
    const user = await ann();
    expect(await request(user, ` ${NEW} `)).toBe(NEW);
    const [link] = await mailsTo(NEW);
    expect(link!.subject).toBe("Confirm your new e-mail address");
    // The address is not proven: it gets no word that a stranger could choose.
    expect(link!.text).not.toMatch(/\bAnn[,.! ]/);
    const [told] = await mailsTo(OLD);
    expect(told).toMatchObject({
      subject: "Your e-mail address is about to change",
      text: expect.stringContaining(NEW),
    });
    expect(told!.text).not.toMatch(/[\w-]{43}/);
    expect(await emailOf(user)).toBe(OLD);
  });

  test("says the same of an address that is taken, whose owner is told", async () => {
    const user = await ann();
    await makeUser({ name: "Bob", email: "Bob@example.test" });
    expect(await request(user, "bob@example.test")).toBe("bob@example.test");
    expect(await subjectsTo("Bob@example.test")).toEqual(["You already have an account"]);
    expect(await mailsTo("bob@example.test")).toEqual([]);
    expect(await subjectsTo(OLD)).toEqual(["Your e-mail address is about to change"]);
  });

  test.each([
    ["the present one", OLD, PASSWORD, { newEmail: "This is already your address." }],
    ["a wrong password", NEW, "wrong", { currentPassword: WRONG_PASSWORD }],
    [
      "nothing at all",
      "",
      "",
      {
        newEmail: "Enter an e-mail address, such as name@example.com.",
        currentPassword: "Enter your current password.",
      },
    ],
  ])("is refused with %s", async (_, newEmail, password, fields) => {
    const user = await ann();
    await expect(request(user, newEmail, password)).rejects.toMatchObject({ status: 400, fields });
    expect([await EmailLink.countDocuments(), await Notification.countDocuments()]).toEqual([0, 0]);
  });

  test("is bounded by the address that it goes to", async () => {
    const user = await ann();
    for (let time = 0; time < 5; time++) await request(user);
    await expect(request(user)).rejects.toMatchObject({ status: 429 });
    await request(user, "another@example.test");
  });
});

describe("a link", () => {
  test("makes the address the user's, once, and tells the old one", async () => {
    const user = await ann();
    await request(user);
    const token = await tokenTo(NEW, "address");
    for (let time = 0; time < 3; time++)
      expect(await findAddressChange(await callerOf(user), token)).toBe(NEW);
    expect(await emailOf(user)).toBe(OLD);

    expect(await change(user, token)).toBe(NEW);
    expect(await emailOf(user)).toBe(NEW);
    expect(await outcome(NEW, PASSWORD)).toBe("in");
    expect((await subjectsTo(OLD)).at(-1)).toBe("Your e-mail address was changed");
    await expect(change(user, token)).rejects.toMatchObject(DEAD);
  });

  test("ends the links that went to the old address", async () => {
    const user = await ann();
    await requestReset({ email: OLD }, "192.0.2.1");
    const reset = await tokenTo(OLD, "reset");
    await request(user);
    await change(user, await tokenTo(NEW, "address"));
    expect(await findReset(reset)).toBeNull();
    expect(await EmailLink.countDocuments()).toBe(0);
  });

  test("changes no address that was changed in the meantime", async () => {
    const user = await ann();
    await request(user);
    const token = await tokenTo(NEW, "address");
    beforeTransaction(async () =>
      User.updateOne({ _id: user._id }, { email: "third@example.test" }),
    );
    await expect(change(user, token)).rejects.toMatchObject(DEAD);
    expect(await emailOf(user)).toBe("third@example.test");
  });

  test("is of no use to anybody else", async () => {
    const [user, other] = [await ann(), await makeUser()];
    await request(user);
    const token = await tokenTo(NEW, "address");
    expect(await findAddressChange(await callerOf(other), token)).toBeNull();
    await expect(change(other, token)).rejects.toMatchObject(DEAD);
    expect(await emailOf(other)).toBe(other.email);
    expect(await change(user, token)).toBe(NEW);
  });

  test("works no more after a newer one, and after it has expired", async () => {
    const user = await ann();
    await request(user);
    const first = await tokenTo(NEW, "address");
    await request(user, "second@example.test");
    await expect(change(user, first)).rejects.toMatchObject(DEAD);
    await EmailLink.updateMany({}, { expiresAt: new Date(Date.now() - 1) });
    const second = await tokenTo("second@example.test", "address");
    await expect(change(user, second)).rejects.toMatchObject(DEAD);
    expect(await emailOf(user)).toBe(OLD);
  });

  test("says that an address was taken meanwhile, and changes nothing", async () => {
    const user = await ann();
    await request(user);
    const token = await tokenTo(NEW, "address");
    await makeUser({ email: NEW.toUpperCase() });
    await expect(change(user, token)).rejects.toMatchObject({
      status: 400,
      message: ADDRESS_TAKEN,
    });
    expect(await emailOf(user)).toBe(OLD);
    expect(await subjectsTo(OLD)).toEqual(["Your e-mail address is about to change"]);
  });
});
