import { createHash } from "node:crypto";
import { Types } from "mongoose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { AccessToken } from "../../../models/access-token";
import { Session } from "../../../models/session";
import { User } from "../../../models/user";
import { changePassword, hashPassword, WRONG_PASSWORD } from "~/services/accounts/passwords.server";
import {
  createToken,
  createTokenFor,
  findUserByToken,
  listTokens,
  revokeToken,
} from "~/services/accounts/tokens.server";
import { EMAIL_TAKEN, signUp } from "~/services/accounts/sign-up.server";
import { findUser, hasUser } from "~/services/accounts/users.server";
import { verifyLogin, WRONG_LOGIN } from "~/services/accounts/log-in.server";
import { LOCKOUT_MS, WRONG_PASSWORDS } from "~/services/limits.server";
import { databaseUri, useDatabase } from "../../support/database";
import { as, makeUser, PASSWORD } from "../../support/factories";

useDatabase();
afterEach(() => void vi.useRealTimers());

/** Whom sign-ups and log-ins come from. */
const CLIENT = "192.0.2.1";
const WRONG = { status: 400, message: WRONG_LOGIN };
const WAIT = {
  status: 400,
  message: expect.stringMatching(
    /^Too many wrong passwords for this account\. Please wait 1[0-5] minutes and try again\.$/,
  ),
};

/** The message of a refusal, or "in". */
const outcome = (email: string, password: string) =>
  verifyLogin(email, password).then(
    () => "in",
    (error: Error) => error.message,
  );

async function fail(email: string, times: number) {
  for (let time = 0; time < times; time++)
    await expect(verifyLogin(email, "wrong")).rejects.toMatchObject(WRONG);
}

/** Moves the clock of this process alone; the database keeps its own. */
function travel(ms: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

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
    expect(await verifyLogin("ANN@example.test", form.password)).toEqual(ann);
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

describe("changing the password", () => {
  const NEW = "seven blue boats";
  const change = async (user: { _id: Types.ObjectId }, currentPassword: string, next = NEW) =>
    changePassword((await findUser(user._id.toString()))!, { currentPassword, newPassword: next });
  const makeSession = (_id: string, userId?: Types.ObjectId) =>
    Session.create({ _id, userId, data: {}, expiresAt: new Date(Date.now() + LOCKOUT_MS) });
  const sessions = async () => (await Session.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);

  test("needs the current one, and ends the user's log-ins alone", async () => {
    const [gwen, ann] = [await makeUser(), await makeUser()];
    const token = await createToken(gwen.email, "Laptop");
    await makeSession("gwen 1", gwen._id);
    await makeSession("gwen 2", gwen._id);
    await makeSession("ann", ann._id);
    await makeSession("nobody");

    await change(gwen, PASSWORD);

    expect(await outcome(gwen.email, PASSWORD)).toBe(WRONG_LOGIN);
    expect(await outcome(gwen.email, NEW)).toBe("in");
    expect(await outcome(ann.email, PASSWORD)).toBe("in");
    expect(await sessions()).toEqual(["ann", "nobody"]);
    expect(await findUserByToken(token)).toMatchObject({ id: gwen._id.toString() });
  });

  test("is refused with another one, which changes and ends nothing", async () => {
    const gwen = await makeUser();
    await makeSession("gwen", gwen._id);
    await expect(change(gwen, "wrong")).rejects.toMatchObject({
      status: 400,
      fields: { currentPassword: WRONG_PASSWORD },
    });
    expect(await outcome(gwen.email, PASSWORD)).toBe("in");
    expect(await sessions()).toEqual(["gwen"]);
  });

  test("reports both fields at once, and asks for no password before the form will do", async () => {
    const gwen = await makeUser({ name: "Gwen of the Green" });
    await expect(change(gwen, "", "short")).rejects.toMatchObject({
      fields: {
        currentPassword: "Enter your current password.",
        newPassword: "Choose a password of at least 10 characters.",
      },
    });
    for (const next of ["gwen of the green", gwen.email, "x".repeat(201)])
      await expect(change(gwen, "wrong", next)).rejects.toMatchObject({
        fields: { newPassword: expect.any(String) },
      });
    await fail(gwen.email, WRONG_PASSWORDS);
  });

  test("counts wrong ones together with those of log-ins", async () => {
    const gwen = await makeUser();
    await fail(gwen.email, 2);
    for (let time = 2; time < WRONG_PASSWORDS; time++)
      await expect(change(gwen, "wrong")).rejects.toMatchObject({ message: WRONG_PASSWORD });
    await expect(change(gwen, PASSWORD)).rejects.toMatchObject(WAIT);
    await expect(verifyLogin(gwen.email, PASSWORD)).rejects.toMatchObject(WAIT);
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

  test("is refused to an account without a password", async () => {
    const bare = await makeUser({ passwordHash: null });
    await expect(change(bare, "anything at all")).rejects.toMatchObject({
      fields: { currentPassword: WRONG_PASSWORD },
    });
  });
});

describe("finding users", () => {
  test("by id, and null for what is no id or nobody's", async () => {
    const gwen = await makeUser({ image: "/gwen.png" });
    expect(await findUser(gwen._id.toString())).toEqual({
      id: gwen._id.toString(),
      name: gwen.name,
      email: gwen.email,
      image: "/gwen.png",
    });
    for (const id of ["", "gwen", "0".repeat(24), "0".repeat(12)])
      expect(await findUser(id)).toBeNull();
  });

  test("by address in any letters", async () => {
    await makeUser({ email: "Gwen@example.test" });
    expect(await hasUser("gwen@EXAMPLE.test")).toBe(true);
    expect(await hasUser("wen@example.test")).toBe(false);
  });
});

describe("personal access tokens", () => {
  test("are the user's, as often as one likes", async () => {
    const gwen = await makeUser({ email: "gwen@example.test" });
    const first = await createToken(" GWEN@example.test ", "Laptop");
    const second = await createToken("gwen@example.test", "Phone");
    expect(first).toMatch(/^trv_[\w-]{43}$/);
    expect(second).not.toBe(first);
    for (const token of [first, second])
      expect(await findUserByToken(token)).toEqual({
        id: gwen._id.toString(),
        name: gwen.name,
        email: gwen.email,
        image: null,
      });
  });

  test("are stored as their SHA-256 only", async () => {
    const gwen = await makeUser();
    const token = await createToken(gwen.email, "Laptop");
    const stored = await AccessToken.collection.find().toArray();
    expect(stored).toEqual([
      {
        _id: expect.anything(),
        userId: gwen._id,
        name: "Laptop",
        hash: createHash("sha256").update(token).digest("hex"),
        createdAt: expect.any(Date),
        lastUsedAt: null,
      },
    ]);
    expect(JSON.stringify(stored)).not.toContain(token.slice(4));
  });

  test("are made by their user, under a name", async () => {
    const gwen = await makeUser();
    const token = await createTokenFor(as(gwen), { tokenName: "  My  laptop " });
    expect(token).toMatch(/^trv_[\w-]{43}$/);
    expect(await findUserByToken(token)).toMatchObject({ id: gwen._id.toString() });
    expect(await AccessToken.findOne().lean()).toMatchObject({ name: "My laptop" });
    for (const tokenName of ["", "  ", "x".repeat(81)])
      await expect(createTokenFor(as(gwen), { tokenName })).rejects.toMatchObject({
        status: 400,
        fields: { tokenName: expect.stringMatching(/^Enter a name for the token/) },
      });
    expect(await AccessToken.countDocuments()).toBe(1);
  });

  test("are listed newest first, without anything that could be used", async () => {
    const [gwen, ann] = [await makeUser(), await makeUser()];
    const token = await createTokenFor(as(gwen), { tokenName: "Laptop" });
    await createTokenFor(as(gwen), { tokenName: "Phone" });
    await createTokenFor(as(ann), { tokenName: "Ann's" });
    await findUserByToken(token);
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(await listTokens(as(gwen))).toEqual([
      { id, name: "Phone", createdAt: iso, lastUsedAt: null },
      { id, name: "Laptop", createdAt: iso, lastUsedAt: iso },
    ]);
  });

  test("are revoked by their user alone", async () => {
    const [gwen, ann] = [await makeUser(), await makeUser()];
    const token = await createTokenFor(as(gwen), { tokenName: "Laptop" });
    const other = await createTokenFor(as(gwen), { tokenName: "Phone" });
    const { id } = (await listTokens(as(gwen))).find(({ name }) => name === "Laptop")!;
    for (const [user, tokenId] of [
      [ann, id],
      [gwen, "nonsense"],
      [gwen, "0".repeat(24)],
    ] as const)
      expect(await revokeToken(as(user), tokenId)).toBeNull();
    expect(await findUserByToken(token)).not.toBeNull();

    expect(await revokeToken(as(gwen), id)).toBe("Laptop");
    expect(await findUserByToken(token)).toBeNull();
    expect(await findUserByToken(other)).not.toBeNull();
    expect(await revokeToken(as(gwen), id)).toBeNull();
  });

  test("are not made for nobody", async () => {
    await expect(createToken("nobody@example.test", "Laptop")).rejects.toMatchObject({
      status: 404,
      message: "There is no user with the e-mail address nobody@example.test",
    });
    expect(await AccessToken.countDocuments()).toBe(0);
  });

  test("that nobody made are nobody's", async () => {
    const gwen = await makeUser();
    const token = await createToken(gwen.email, "Laptop");
    const secret = token.slice("trv_".length);
    const { hash } = (await AccessToken.findOne().lean())!;
    for (const other of [
      "",
      "trv_",
      secret,
      `ghp_${secret}`,
      `TRV_${secret}`,
      `${token}x`,
      token.slice(0, -1),
      ` ${token}`,
      `trv_${"A".repeat(43)}`,
      hash,
      `trv_${hash}`,
    ])
      expect(await findUserByToken(other)).toBeNull();
    expect(await findUserByToken(token)).not.toBeNull();
  });

  test("of a deleted user are nobody's, and revoked ones too", async () => {
    const gwen = await makeUser();
    const ann = await makeUser();
    const [gwens, anns] = await Promise.all([
      createToken(gwen.email, "Laptop"),
      createToken(ann.email, "Laptop"),
    ]);
    await User.deleteOne({ _id: gwen._id });
    expect(await findUserByToken(gwens)).toBeNull();
    await AccessToken.deleteOne({ userId: ann._id });
    expect(await findUserByToken(anns)).toBeNull();
  });

  test("note when they were used, once a minute at most", async () => {
    const gwen = await makeUser();
    const token = await createToken(gwen.email, "Laptop");
    const other = await createToken(gwen.email, "Phone");
    const lastUsed = async (name = "Laptop") =>
      (await AccessToken.findOne({ name }).lean())!.lastUsedAt;
    expect(await lastUsed()).toBeNull();

    const started = Date.now();
    await findUserByToken(token);
    const first = (await lastUsed())!;
    expect(first.getTime()).toBeGreaterThanOrEqual(started);
    expect(first.getTime()).toBeLessThanOrEqual(Date.now());

    travel(30_000);
    await findUserByToken(token);
    expect(await lastUsed()).toEqual(first);

    travel(40_000);
    await findUserByToken(token);
    expect((await lastUsed())!.getTime()).toBe(Date.now());
    expect(await lastUsed("Phone")).toBeNull();
    expect(await findUserByToken(other)).not.toBeNull();
  });
});
