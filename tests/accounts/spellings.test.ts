import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { changeAddress, requestAddressChange } from "~/accounts/address.server";
import { requestReset } from "~/accounts/log-in/password-reset.server";
import { findSignUp, requestSignUp, signUp } from "~/accounts/log-in/sign-up.server";
import { createToken } from "~/accounts/tokens.server";
import { findUser, findUserByEmail } from "~/accounts/users.server";
import { importData } from "~/import/import.server";
import { WRONG_PASSWORDS } from "~/accounts/limits.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { EmailLink } from "#models/email-link";
import { Notification } from "#models/notification";
import { User } from "#models/user";
import { subjectsTo, tokenTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD, PASSWORD_HASH } from "../support/factories";
import { id, user } from "../support/import-records";
import { fail, HOME, outcome } from "../support/services";

// Which spellings are one address, wherever an address counts (docs/rules/accounts.md, Accounts).

useDatabase();

/** Spellings of one address, as they may be typed, or stored by a platform. */
const SPELLINGS = [
  "José@bücher.example",
  "jose\u0301@bu\u0308cher.example",
  "JOSÉ@xn--bcher-kva.example",
  "jose\u0301@XN--BCHER-KVA.example",
];
/** Addresses that the unique index takes for one, and we do not. */
const [CLOSE, OTHER] = ["ﬁn@example.test", "fin@example.test"];

/** Stores a user as a platform does: as it is. */
async function store(email: string): Promise<string> {
  const _id = new Types.ObjectId();
  await User.collection.insertOne({ _id, name: "José", email, passwordHash: PASSWORD_HASH });
  return _id.toString();
}
const ask = (email: string) => requestSignUp({ email }, { clientAddress: HOME, redirectTo: "/" });
const finish = (token: string) =>
  signUp(token, { name: "Fin", password: "seven blue boats" }, HOME);

test("an account whose address a platform has stored in one spelling is found in every one", async () => {
  const stored = SPELLINGS[1]!;
  await store(stored);
  for (const typed of [...SPELLINGS, ` ${stored} `]) {
    expect([typed, await outcome(typed, PASSWORD)]).toEqual([typed, "in"]);
    await requestReset({ email: typed }, HOME);
    await ask(typed);
    expect(await createToken(typed, "x")).toMatch(/^trv_/);
  }
  const subjects = await subjectsTo(stored);
  expect(subjects.filter((subject) => subject === "Reset your password")).toHaveLength(5);
  expect(subjects.filter((subject) => subject === "You already have an account")).toHaveLength(5);
  expect(await Notification.countDocuments()).toBe(10);
});

describe("an address without an account", () => {
  test("is counted together in every spelling, for log-ins and for links", async () => {
    for (const typed of SPELLINGS) await fail(typed, 1);
    await fail(SPELLINGS[0]!, 1);
    for (const typed of SPELLINGS) expect(await outcome(typed, "x")).toMatch(/^Too many wrong/);
    for (const request of [ask, (email: string) => requestReset({ email }, HOME)]) {
      for (const typed of [...SPELLINGS, SPELLINGS[0]!]) await request(typed);
      for (const typed of SPELLINGS)
        await expect(request(typed)).rejects.toMatchObject({ status: 429 });
    }
  });

  test("has one link for a sign-up, and becomes one account, that of an import if there is one", async () => {
    for (const typed of [...SPELLINGS].reverse()) await ask(typed);
    expect(await EmailLink.countDocuments()).toBe(1);
    const email = "José@xn--bcher-kva.example";
    const token = await tokenTo(email, "sign-up");
    // The index takes these two for different.
    await store(SPELLINGS[0]!);
    expect(await findSignUp(token)).toMatchObject({ email, accountExists: true });
    await expect(finish(token)).rejects.toMatchObject({
      status: 400,
      message: accountTexts.accountExists,
    });
    expect(await User.find({}, "name -_id").lean()).toEqual([{ name: "José" }]);
  });
});

test("of two accounts of one address that a platform has, each is found as it is stored", async () => {
  const [one, other] = ["ann@bücher.example", "ann@xn--bcher-kva.example"];
  const ids = [await store(one), await store(other)];
  expect((await findUserByEmail(one))!._id.toString()).toBe(ids[0]);
  expect((await findUserByEmail(other))!._id.toString()).toBe(ids[1]);
  expect(ids).toContain((await findUserByEmail("ANN@bücher.example"))!._id.toString());
});

describe("an address that the index alone takes for another one", () => {
  test("is nobody's", async () => {
    const userId = await store(OTHER);
    await fail(CLOSE, WRONG_PASSWORDS);
    expect(await outcome(CLOSE, PASSWORD)).toMatch(/^Too many wrong/);
    expect(await outcome(OTHER, PASSWORD)).toBe("in");
    await requestReset({ email: CLOSE }, HOME);
    await ask(CLOSE);
    expect(await subjectsTo(OTHER)).toEqual([]);
    expect(await subjectsTo(CLOSE)).toEqual([
      "There is no account with this address",
      "Finish your sign-up",
    ]);
    await expect(createToken(CLOSE, "x")).rejects.toMatchObject({ status: 404 });
    expect((await findUserByEmail(OTHER))!._id.toString()).toBe(userId);
  });

  test("gets no account, and whoever proves it learns why", async () => {
    await ask(CLOSE);
    await store(OTHER);
    await expect(finish(await tokenTo(CLOSE, "sign-up"))).rejects.toMatchObject({
      status: 400,
      message: accountTexts.addressTooClose,
    });
  });

  test("becomes no account's new address either; one that has an owner is taken", async () => {
    const ann = await makeUser();
    const to = async (newEmail: string, stored: string) => {
      const caller = (await findUser(ann._id.toString()))!;
      await requestAddressChange(caller, { newEmail, currentPassword: PASSWORD }, HOME);
      await store(stored);
      return changeAddress(caller, await tokenTo(newEmail, "address"));
    };
    await expect(to(CLOSE, OTHER)).rejects.toMatchObject({ message: accountTexts.addressTooClose });
    await expect(to("x@xn--bcher-kva.example", "x@bücher.example")).rejects.toMatchObject({
      message: accountTexts.addressTaken,
    });
    expect((await User.findById(ann._id).lean())!.email).toBe(ann.email);
  });
});

describe("an import", () => {
  test("stores an address as it is written to, and its owner logs in with every spelling", async () => {
    await importData({ users: [user(0, { email: SPELLINGS[3], password: PASSWORD })] });
    expect((await User.findOne().lean())!.email).toMatch(/^josé@xn--bcher-kva\.example$/i);
    for (const typed of SPELLINGS) expect(await outcome(typed, PASSWORD)).toBe("in");
  });

  test("names the spellings of one address in the file and in the database", async () => {
    const taken = "is taken by another user";
    const users = [...SPELLINGS, CLOSE, OTHER, "straße@x.test", "strasse@x.test"].map(
      (email, index) => user(index, { email }),
    );
    await expect(importData({ users })).rejects.toThrow(
      [1, 2, 3, 5, 7].map((index) => `users[${index}].email: ${taken}`).join("\n"),
    );
    const own = await store(SPELLINGS[1]!);
    for (const email of SPELLINGS)
      await expect(importData({ users: [user(0), user(1, { email })] })).rejects.toThrow(
        new RegExp(`^users\\[1\\]\\.email: ${taken}$`),
      );
    await importData({ users: [user(1, { id: own, email: SPELLINGS[0] })] });
    await store(OTHER);
    await expect(importData({ users: [user(0, { email: CLOSE })] })).rejects.toThrow(taken);
    expect(await User.findById(id("a", 0))).toBeNull();
  });
});
