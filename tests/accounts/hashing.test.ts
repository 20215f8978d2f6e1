import type { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  HASHES_AT_ONCE,
  hashPassword,
  hasPassword,
  verifyPassword,
  MAX_WAITING_HASHES,
} from "~/accounts/log-in/hashing.server";
import { logIn } from "~/accounts/log-in/log-in.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { requestSignUp, signUp } from "~/accounts/log-in/sign-up.server";
import { type CurrentUser, findUser } from "~/accounts/users.server";
import { importData } from "~/import/import.server";
import { WRONG_PASSWORDS } from "~/accounts/limits.server";
import { RateLimitCount } from "#models/rate-limit";
import { User } from "#models/user";
import { tokenTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { fillLimit, makeUser, PASSWORD, PASSWORD_HASH } from "../support/factories";
import { HOME, outcome } from "../support/services";

// Hashes are what a request costs most. Every one of them is computed here and counted, behind a gate.
const hashes = vi.hoisted(() => ({ tried: 0, now: 0, most: 0, gate: Promise.resolve() }));
vi.mock("@node-rs/argon2", async (original) => {
  const argon2 = await original<typeof import("@node-rs/argon2")>();
  const counted =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      hashes.tried++;
      hashes.most = Math.max(hashes.most, ++hashes.now);
      await hashes.gate;
      return work(...args).finally(() => hashes.now--);
    };
  // Cheap ones are as good to count.
  const hash: typeof argon2.hash = (text) => argon2.hash(text, { memoryCost: 8, timeCost: 1 });
  return { ...argon2, hash: counted(hash), verify: counted(argon2.verify) };
});
beforeEach(() => Object.assign(hashes, { tried: 0, now: 0, most: 0, gate: Promise.resolve() }));
let open = () => {};
const closeGate = () => {
  hashes.gate = new Promise((resolve) => (open = resolve));
};
afterEach(() => open());

useDatabase();

const EMAIL = "ann@example.test";
const NEW = "seven blue boats";
const ROOM = HASHES_AT_ONCE + MAX_WAITING_HASHES;
const BUSY = {
  status: 503,
  message: "The site is very busy at this moment. Please try again in a minute.",
  retryAfter: 60,
};
const times = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));
const done = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === "fulfilled").length;

/** The service behind the page of each kind of link, with a new link's token. */
const LINKS = {
  "sign-up": async () => {
    await requestSignUp({ email: EMAIL }, { clientAddress: HOME, redirectTo: "/" });
    const token = await tokenTo(EMAIL, "sign-up");
    return (from = HOME) => signUp(token, { name: "Ann", password: NEW }, from);
  },
  reset: async () => {
    await makeUser({ email: EMAIL });
    await requestReset({ email: EMAIL }, HOME);
    const token = await tokenTo(EMAIL, "reset");
    return (from = HOME) => resetPassword(token, { newPassword: NEW, revokeTokens: false }, from);
  },
};

/** The counts of the limits whose names begin like that. */
const counted = async (name: string) =>
  (await RateLimitCount.find().lean()).flatMap(({ key, points }) =>
    key.startsWith(name) ? [points] : [],
  );

/** Takes all turns and all places to wait; returns what lets them go. */
async function fill(): Promise<() => Promise<void>> {
  // The hash that no password matches is made once: without it all would wait for that one.
  await verifyPassword(null, "wrong");
  closeGate();
  const others = Array.from({ length: ROOM }, () => verifyPassword(null, "wrong"));
  await expect(verifyPassword(null, "wrong")).rejects.toMatchObject(BUSY);
  return async () => {
    open();
    await Promise.all(others);
  };
}

describe.each(["sign-up", "reset"] as const)("the link of a %s", (purpose) => {
  test("posted 400 times at once costs one hash, and holds up no log-in", async () => {
    const use = await LINKS[purpose]();
    const { email } = await makeUser();
    const posts = times(400, () => use());
    expect(await outcome(email, PASSWORD, "198.51.100.8")).toBe("in");
    expect(done(await posts)).toBe(1);
    // The other one is that of the log-in.
    expect(hashes.tried).toBe(2);
  });

  test("is refused when too many others wait, stays good, and counts nothing", async () => {
    const use = await LINKS[purpose]();
    const empty = await fill();
    for (let time = 0; time < 12; time++) await expect(use()).rejects.toMatchObject(BUSY);
    expect(await counted("link-try")).toEqual([0, 0]);
    await empty();
    await use();
    expect(await outcome(EMAIL, NEW)).toBe("in");
  });

  test("has a bound of tries by network and by link, counted for all processes", async () => {
    const use = await LINKS[purpose]();
    const { hash } = (await User.db.collection("tourReviews.emailLinks").findOne())!;
    await fillLimit("link-try-network", HOME, 100);
    await expect(use()).rejects.toThrow(/^Too many passwords set by links from your network\. /);
    await fillLimit("link-try", String(hash), 10);
    await expect(use("198.51.100.8")).rejects.toThrow(
      /^Too many tries with this link\. Please wait 1\d minutes/,
    );
    expect(hashes.tried).toBe(0);
  });
});

describe("where a password is asked for", () => {
  const current = async ({ _id }: { _id: Types.ObjectId }) => (await findUser(_id.toString()))!;
  const form = { currentPassword: PASSWORD, newPassword: NEW };

  test.each<[string, (user: CurrentUser) => Promise<unknown>]>([
    ["to log in", ({ email }) => logIn(email, PASSWORD, HOME)],
    ["to change it", (user) => changePassword(user, form)],
  ])("%s: is refused when too many others wait, which counts nothing", async (_, use) => {
    const user = await current(await makeUser({ email: EMAIL }));
    const empty = await fill();
    for (let time = 0; time < WRONG_PASSWORDS + 1; time++)
      await expect(use(user)).rejects.toMatchObject(BUSY);
    const counts = [...(await counted("login")), ...(await counted("own-password"))];
    expect(Math.max(...counts)).toBe(0);
    await empty();
    await use(user);
  });

  test("a user's changes of it are one at a time, the new hash included", async () => {
    const user = await current(await makeUser({ email: EMAIL }));
    const change = () => changePassword(user, form);
    expect(done(await times(50, change))).toBe(1);
    // The old one is looked at until five were wrong; the new one is hashed once.
    expect(hashes.tried).toBe(2 + WRONG_PASSWORDS);
    expect(hashes.most).toBe(1);
  });
});

describe("the turns", () => {
  test("are for every hash: what has no room is refused at once", async () => {
    const empty = await fill();
    await expect(hashPassword(NEW)).rejects.toMatchObject(BUSY);
    expect(hashes.most).toBe(HASHES_AT_ONCE);
    await empty();
    expect(await hashPassword(NEW)).toMatch(/^\$argon2id/);
  });

  test("are given to a network one at a time, and to a /48 of IPv6 sixteen at a time", async () => {
    closeGate();
    const begun = async () => (await counted("login:")).length;
    const guesses = times(64, (n) =>
      outcome(`nobody${n}@example.test`, "wrong", `2001:db8:1:${(n * 0x400).toString(16)}::/64`),
    );
    const others = times(3, (n) => outcome(`other${n}@example.test`, "wrong", HOME));
    await expect.poll(begun).toBe(17);
    open();
    await guesses;
    await others;
    expect(await begun()).toBe(67);
  });

  test("refuse no password of an import, however many there are", async () => {
    const users = Array.from({ length: ROOM + 50 }, (_, n) => ({
      id: (n + 1).toString(16).padStart(24, "0"),
      name: `Explorer ${n}`,
      email: `explorer${n}@example.test`,
      password: PASSWORD,
    }));
    await importData({ users });
    expect(await User.countDocuments({ passwordHash: { $ne: null } })).toBe(users.length);
    expect(hashes.most).toBe(HASHES_AT_ONCE);
  });
});

const WRONG = "The e-mail address or the password is wrong.";

describe("a stored hash", () => {
  // Of that password; the mock makes all others cheap.
  const hashOf = async (cost: object) => {
    const { hash } = await vi.importActual<typeof import("@node-rs/argon2")>("@node-rs/argon2");
    return hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1, ...cost });
  };
  const tried = async (stored: string) => [
    hasPassword(stored),
    await verifyPassword(stored, PASSWORD),
  ];

  test.each([
    { timeCost: 10 },
    { memoryCost: 64, parallelism: 8 },
    { memoryCost: 131_072, timeCost: 2 },
    { algorithm: 0 },
    { algorithm: 1 },
    { version: 0 },
    { outputLen: 16 },
    { salt: Buffer.alloc(8) },
  ])("of %o is tried", async (cost) => {
    expect(await tried(await hashOf(cost))).toEqual([true, true]);
  });

  test.each([
    { timeCost: 11 },
    { memoryCost: 72, parallelism: 9 },
    { memoryCost: 131_080 },
    { memoryCost: 65_536, timeCost: 5 },
  ])("of %o costs too much, as a platform may have stored it: it counts as none", async (cost) => {
    const stored = await hashOf(cost);
    expect(await tried(stored)).toEqual([false, false]);
    const { email } = await makeUser({ passwordHash: stored });
    expect(await outcome(email, PASSWORD)).toBe(WRONG);
  });

  const GOOD = PASSWORD_HASH;
  const [PARAMETERS, SALT, HASH] = ["m=19456,t=2,p=1", "e3sdzWU84F0z5cg/owqAYA", GOOD.slice(-43)];
  const ODD = [
    "",
    "$argon2id$",
    "$argon2id$another",
    GOOD.slice(0, 40),
    GOOD.slice(0, -30),
    `${GOOD}=`,
    `${GOOD}\n`,
    GOOD.repeat(2),
    GOOD.replace("argon2id", "argon2x"),
    GOOD.replace("v=19", "v=18"),
    GOOD.replace(PARAMETERS, ""),
    GOOD.replace(PARAMETERS, "t=2,m=19456,p=1"),
    GOOD.replace(PARAMETERS, `${PARAMETERS},m=4194304`),
    GOOD.replace("m=19456", "m=7"),
    GOOD.replace("m=19456", "m=99999999999999999999"),
    GOOD.replace("m=19456", "m=-1"),
    GOOD.replace("t=2", "t=0"),
    GOOD.replace("p=1", "p=0"),
    GOOD.replace(SALT, "c2FsdA"),
    GOOD.replace(HASH, "aGFzaA"),
    GOOD.replace(HASH, "A".repeat(100_000)),
    "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
  ];
  test.each(ODD.map((stored) => [stored.slice(0, 90), stored]))(
    "that is %j… counts as none, and is no failure",
    async (_, stored) => {
      hashes.tried = 0;
      expect(await tried(stored)).toEqual([false, false]);
      // A wrong password of any account costs as much.
      expect(hashes.tried).toBe(1);
    },
  );
});
