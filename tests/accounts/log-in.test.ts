import { hash as argon2Hash } from "@node-rs/argon2";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Types } from "mongoose";
import { hashPassword } from "~/accounts/log-in/hashing.server";
import { forgetAttempts, logIn } from "~/accounts/log-in/log-in.server";
import {
  LOCKOUT_MS,
  RIGHT_PASSWORDS,
  WRONG_PASSWORDS,
  WRONG_PASSWORDS_A_DAY,
} from "~/accounts/limits.server";
import { sha256 } from "~/lib/digest.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { findUser } from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { databaseUri, useDatabase } from "../support/database";
import { fillLimit, makeUser, PASSWORD } from "../support/factories";
import { fail, HOME, outcome, WAIT } from "../support/services";
import { moveTime } from "../support/time";

// The true hashes, counted.
const hashes = vi.hoisted(() => ({ tried: 0 }));
vi.mock("@node-rs/argon2", async (original) => {
  const argon2 = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof argon2.verify = (...options) => {
    hashes.tried++;
    return argon2.verify(...options);
  };
  return { ...argon2, verify };
});
beforeEach(() => (hashes.tried = 0));

useDatabase();

describe("logging in", () => {
  test("says the same, after as many hashes, to a wrong password, an unknown address and an account without one", async () => {
    await makeUser({ email: "gwen@example.test" });
    await makeUser({ email: "bare@example.test", passwordHash: null });
    await makeUser({ email: "odd@example.test", passwordHash: "not a hash" });
    for (const name of ["gwen", "bare", "odd", "nobody"])
      for (const password of ["wrong", "", ` ${PASSWORD}`, PASSWORD.toUpperCase()]) {
        hashes.tried = 0;
        expect(await outcome(`${name}@example.test`, password)).toBe(accountTexts.wrongLogin);
        expect([name, hashes.tried]).toEqual([name, 1]);
      }
    expect(await outcome("", "")).toBe(accountTexts.wrongLogin);
  });

  test("takes a password however its characters are composed, and platforms' own hashes", async () => {
    const typed = "Ångström ﬁords at ４ o’clock";
    expect(typed.normalize("NFKD")).not.toBe(typed.normalize("NFKC"));
    await makeUser({ email: "new@example.test", passwordHash: await hashPassword(typed) });
    for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
      expect(await outcome("new@example.test", typed.normalize(form))).toBe("in");
    // Made before, of the text as it was typed.
    await makeUser({ email: "old@example.test", passwordHash: await argon2Hash(typed) });
    expect(await outcome("old@example.test", typed)).toBe("in");
    await fail("old@example.test", WRONG_PASSWORDS - 1);
    // Two looks at the hash are one attempt.
    expect(await outcome("old@example.test", `${typed}!`)).toBe(accountTexts.wrongLogin);
    await expect(logIn("old@example.test", typed, HOME)).rejects.toMatchObject(WAIT);
  });
});

test("right passwords are limited by account, until a link by e-mail has set a new one", async () => {
  const { _id, email } = await makeUser();
  const id = _id.toString();
  await fillLimit("right-password", id, RIGHT_PASSWORDS - 1);
  const user = (await findUser(id))!;
  expect(await outcome(email, PASSWORD)).toBe("in");
  const tooMany = /^Too many log-ins to this account\. Please wait \d+ minutes/;
  await expect(logIn(email, PASSWORD, "198.51.100.8")).rejects.toMatchObject({
    status: 429,
    message: expect.stringMatching(tooMany),
  });
  const change = { currentPassword: PASSWORD, newPassword: "seven blue boats" };
  await expect(changePassword(user, change)).rejects.toThrow(tooMany);
  // A wrong password says nothing of it.
  expect(await outcome(email, "wrong")).toBe(accountTexts.wrongLogin);
  await forgetAttempts(id, HOME);
  expect(await outcome(email, PASSWORD)).toBe("in");
});

describe("wrong passwords", () => {
  const email = "gwen@example.test";

  test("lock out only the network that they came from, for a quarter of an hour, and are forgotten after a right one", async () => {
    const other = await makeUser();
    await makeUser({ email });
    await fail(email, WRONG_PASSWORDS - 1);
    expect(await outcome(email, PASSWORD)).toBe("in");
    await fail(email, WRONG_PASSWORDS);
    await expect(logIn(email, PASSWORD, HOME)).rejects.toMatchObject(WAIT);
    expect(await outcome(email, PASSWORD, "198.51.100.8")).toBe("in");
    expect(await outcome(other.email, PASSWORD)).toBe("in");
    // Attempts that wait do not prolong it.
    moveTime(LOCKOUT_MS - 90_000);
    expect(await outcome(email, PASSWORD)).toMatch(/Please wait [12] minutes? and/);
    moveTime(100_000);
    expect(await outcome(email, PASSWORD)).toBe("in");
  });

  test("from ever new networks end for the day with a hint at the link by e-mail", async () => {
    const { _id } = await makeUser({ email });
    const id = _id.toString();
    await fillLimit("login-day", id, WRONG_PASSWORDS_A_DAY - 2);
    await fail(email, 1, "network 1");
    // Neither right passwords nor attempts that are not tried count.
    for (let time = 0; time < 3; time++) expect(await outcome(email, PASSWORD)).toBe("in");
    await fillLimit("login", `${id} locked`, WRONG_PASSWORDS);
    expect(await outcome(email, "wrong", "locked")).toMatch(/^Too many wrong .* Please wait/);
    await fail(email, 1, "network 2");
    for (const password of [PASSWORD, "wrong"])
      expect(await outcome(email, password, "network 3")).toBe(
        "Too many wrong passwords for this account today. Choose “Forgotten your password?” to log in by e-mail.",
      );
    expect(hashes.tried).toBe(5);
    await forgetAttempts(id, "locked");
    for (const from of ["network 3", "locked"])
      expect(await outcome(email, PASSWORD, from)).toBe("in");
  });

  test("reveal no more about an address without an account", async () => {
    await fillLimit("login-day", sha256("nobody@example.test"), WRONG_PASSWORDS_A_DAY);
    expect(await outcome("Nobody@example.test", "wrong")).toMatch(/^Too many .* account today\./);
  });

  test("are limited to five even when they come at once to several processes", async () => {
    await makeUser({ email });
    // Modules of their own have locks of their own, as other processes do.
    const processes = await Promise.all(
      [1, 2, 3].map(async () => {
        vi.resetModules();
        const database = await import("~/db/database.server");
        await database.connectDatabase(databaseUri());
        return { ...(await import("~/accounts/log-in/log-in.server")), ...database };
      }),
    );
    const outcomes = await Promise.all(
      processes.flatMap(({ logIn: tryLogin }) =>
        Array.from({ length: 4 }, () =>
          tryLogin(email, "wrong", HOME).catch((error: Error) => error.message),
        ),
      ),
    );
    expect(outcomes.filter((message) => message === accountTexts.wrongLogin)).toHaveLength(
      WRONG_PASSWORDS,
    );
  });
});

test("of 300 wrong log-ins from one network: 100 are tried", { timeout: 120_000 }, async () => {
  await makeUser({ email: "gwen@example.test" });
  let over = false;
  const burst = Array.from({ length: 300 }, (_, n) =>
    outcome(`nobody${n}@example.test`, "wrong", "198.51.100.7"),
  );
  const all = Promise.all(burst).finally(() => (over = true));
  // It waits for its turn, not for the burst.
  expect(await outcome("gwen@example.test", PASSWORD, "198.51.100.8")).toBe("in");
  expect(over).toBe(false);
  const wrong = (await all).filter((message) => message === accountTexts.wrongLogin);
  expect(wrong).toHaveLength(100);
  expect(hashes.tried).toBe(101);
});

describe("changing the password", () => {
  const NEW = "seven blue boats";
  const change = async (user: { _id: Types.ObjectId }, currentPassword: string, next = NEW) =>
    changePassword((await findUser(user._id.toString()))!, { currentPassword, newPassword: next });

  test("counts wrong ones apart from log-ins, which anybody can send", async () => {
    const gwen = await makeUser();
    await fail(gwen.email, WRONG_PASSWORDS);
    await expect(logIn(gwen.email, PASSWORD, HOME)).rejects.toMatchObject(WAIT);
    for (let time = 0; time < WRONG_PASSWORDS - 1; time++)
      await expect(change(gwen, "wrong")).rejects.toMatchObject({
        message: accountTexts.wrongPassword,
      });
    await change(gwen, PASSWORD);
    // Forgotten after the right one.
    for (let time = 0; time < WRONG_PASSWORDS; time++)
      await expect(change(gwen, "wrong")).rejects.toMatchObject({
        message: accountTexts.wrongPassword,
      });
    await expect(change(gwen, NEW)).rejects.toMatchObject(WAIT);
    expect(await outcome(gwen.email, NEW, "198.51.100.8")).toBe("in");
  });

  test("of two at once with one current password only one wins", async () => {
    const gwen = await makeUser();
    const passwords = ["the first of two", "the other of two"];
    const outcomes = await Promise.allSettled(
      passwords.map((next) => change(gwen, PASSWORD, next)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const winner = passwords[outcomes.findIndex(({ status }) => status === "fulfilled")]!;
    expect(await outcome(gwen.email, winner)).toBe("in");
  });
});
