import { describe, expect, test, vi } from "vitest";
import { hashPassword } from "~/services/accounts/passwords.server";
import { verifyLogin, WRONG_LOGIN } from "~/services/accounts/log-in.server";
import { LOCKOUT_MS, WRONG_PASSWORDS } from "~/services/limits.server";
import { databaseUri, useDatabase } from "../../support/database";
import { makeUser, PASSWORD } from "../../support/factories";
import { fail, outcome, WAIT, WRONG } from "../../support/log-ins";

useDatabase();
/** Moves the clock of this process alone; the database keeps its own. */
function travel(ms: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

describe("logging in", () => {
  test("gives the user without the hash", async () => {
    const gwen = await makeUser({ name: "Gwen", email: "gwen@example.test" });
    expect(await verifyLogin("gwen@example.test", PASSWORD)).toEqual({
      id: gwen._id.toString(),
      name: "Gwen",
      email: "gwen@example.test",
      image: null,
    });
  });

  test("takes the address in other letters and with spaces around", async () => {
    const gwen = await makeUser({ email: "Gwen@Example.test" });
    for (const email of ["gwen@example.test", "GWEN@EXAMPLE.TEST", "  Gwen@example.test\t"])
      expect(await verifyLogin(email, PASSWORD)).toMatchObject({ id: gwen._id.toString() });
  });

  test("takes the password exactly as it is", async () => {
    const email = "gwen@example.test";
    await makeUser({ email, passwordHash: await hashPassword("  Two Spaces ") });
    expect(await outcome(email, "  Two Spaces ")).toBe("in");
    for (const password of ["Two Spaces", "  two spaces ", "  Two Spaces", ""])
      await expect(verifyLogin(email, password)).rejects.toMatchObject(WRONG);
  });

  test("says the same to a wrong password, an unknown address and an account without password", async () => {
    await makeUser({ email: "gwen@example.test" });
    await makeUser({ email: "bare@example.test", passwordHash: null });
    await makeUser({ email: "odd@example.test", passwordHash: "not a hash" });
    for (const email of ["gwen", "bare", "odd", "nobody"].map((name) => `${name}@example.test`))
      for (const password of ["wrong", ""])
        await expect(verifyLogin(email, password)).rejects.toMatchObject(WRONG);
    await expect(verifyLogin("", "")).rejects.toMatchObject(WRONG);
  });

  test("makes no difference in time that tells an address apart", async () => {
    await makeUser({ email: "gwen@example.test" });
    const time = async (email: string) => {
      const started = performance.now();
      await outcome(email, "wrong");
      return performance.now() - started;
    };
    await time("warm@example.test");
    const known = await time("gwen@example.test");
    const unknown = await time("nobody@example.test");
    // Hashing takes most of the time: without it an unknown address would answer at once.
    expect(unknown).toBeGreaterThan(known / 4);
  });

  test("hashes with argon2id, differently each time", async () => {
    const [one, other] = await Promise.all([hashPassword("same"), hashPassword("same")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });
});

describe("wrong passwords", () => {
  const email = "gwen@example.test";

  test("after five even the right one waits, whatever the letters of the address", async () => {
    await makeUser({ email });
    await fail(email, WRONG_PASSWORDS);
    for (const again of [email, "GWEN@example.test", ` ${email} `])
      await expect(verifyLogin(again, PASSWORD)).rejects.toMatchObject(WAIT);
    await expect(verifyLogin(email, "wrong")).rejects.toMatchObject(WAIT);
  });

  test("are counted together for all ways to write the address", async () => {
    await makeUser({ email });
    for (const way of [email, "Gwen@example.test", "GWEN@EXAMPLE.TEST", ` ${email}`, `${email} `])
      await fail(way, 1);
    await expect(verifyLogin(email, PASSWORD)).rejects.toMatchObject(WAIT);
  });

  test("are counted for an unknown address too", async () => {
    await fail("nobody@example.test", WRONG_PASSWORDS);
    await expect(verifyLogin("Nobody@example.test", "wrong")).rejects.toMatchObject(WAIT);
  });

  test("of one account are no other's", async () => {
    await makeUser({ email });
    await makeUser({ email: "ann@example.test" });
    await fail("ann@example.test", WRONG_PASSWORDS);
    expect(await outcome(email, PASSWORD)).toBe("in");
  });

  test("are forgotten after a right one", async () => {
    await makeUser({ email });
    for (let round = 0; round < 2; round++) {
      await fail(email, WRONG_PASSWORDS - 1);
      expect(await outcome(email, PASSWORD)).toBe("in");
    }
    await fail(email, WRONG_PASSWORDS - 1);
  });

  test("are forgotten after a quarter of an hour, which waiting attempts don't prolong", async () => {
    await makeUser({ email });
    await fail(email, WRONG_PASSWORDS);
    travel(LOCKOUT_MS - 90_000);
    await expect(verifyLogin(email, PASSWORD)).rejects.toMatchObject({
      message: expect.stringMatching(/Please wait [12] minutes? and/),
    });
    travel(100_000);
    expect(await outcome(email, PASSWORD)).toBe("in");
  });

  test("cannot be more than five by coming at once", async () => {
    await makeUser({ email });
    const guesses = [...Array.from({ length: 20 }, (_, index) => `guess ${index}`), PASSWORD];
    const outcomes = await Promise.all(guesses.map((guess) => outcome(email, guess)));
    expect(outcomes.filter((message) => message === WRONG_LOGIN)).toHaveLength(WRONG_PASSWORDS);
    expect(outcomes.at(-1)).toMatch(/^Too many wrong passwords/);
  });

  test("cannot be more than five by coming at once to several processes", async () => {
    await makeUser({ email });
    // Modules of their own have locks of their own, as other processes do.
    const processes = await Promise.all(
      [1, 2, 3].map(async () => {
        vi.resetModules();
        const database = await import("~/infra/database.server");
        await database.connectDatabase(databaseUri());
        return { ...(await import("~/services/accounts/log-in.server")), ...database };
      }),
    );
    const outcomes = await Promise.all(
      processes.flatMap(({ verifyLogin: tryLogin }) =>
        Array.from({ length: 4 }, () =>
          tryLogin(email, "wrong").catch((error: Error) => error.message),
        ),
      ),
    );
    expect(outcomes.filter((message) => message === WRONG_LOGIN)).toHaveLength(WRONG_PASSWORDS);
  });

  test("do not come from right ones at once", async () => {
    await makeUser({ email });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcome(email, PASSWORD)));
    expect(outcomes).toEqual(Array.from({ length: 12 }, () => "in"));
  });
});
