import { createHash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import {
  createToken,
  createTokenFor,
  findUserByToken,
  listTokens,
  revokeToken,
  type TokenInfo,
} from "~/accounts/tokens.server";
import { hashPassword } from "~/accounts/log-in/hashing.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { TOKENS_PER_USER } from "~/accounts/token-limits";
import { toCurrentUser } from "~/accounts/users.server";
import { WRONG_PASSWORDS } from "~/accounts/limits.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { AccessToken } from "#models/access-token";
import { Notification } from "#models/notification";
import { User, type UserDocument } from "#models/user";
import { mailsTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { as, makeUser, PASSWORD } from "../support/factories";
import { atTime, moveTime, setTime } from "../support/time";

useDatabase();

/** The fields of the form beside the token. */
const PROOF = { currentPassword: PASSWORD };

describe("personal access tokens", () => {
  test("identify their user, and are stored as their SHA-256 only", async () => {
    const gwen = await makeUser({ email: "gwen@example.test" });
    const token = await createToken(" GWEN@example.test ", "Laptop");
    expect(token).toMatch(/^trv_[\w-]{43}$/);
    for (let time = 0; time < 2; time++)
      expect(await findUserByToken(token)).toEqual(toCurrentUser(gwen));
    const stored = await AccessToken.collection.find().toArray();
    expect(stored).toEqual([
      {
        _id: expect.anything(),
        userId: gwen._id,
        name: "Laptop",
        hash: createHash("sha256").update(token).digest("hex"),
        createdAt: expect.any(Date),
        lastUsedAt: expect.any(Date),
      },
    ]);
    expect(JSON.stringify(stored)).not.toContain(token.slice(4));
  });

  test("require a name and the password, and wrong ones count as they do elsewhere", async () => {
    const gwen = await makeUser();
    const refused = (user: UserDocument, currentPassword: string, text: string) =>
      expect(
        createTokenFor(as(user), { tokenName: "Laptop", currentPassword }),
      ).rejects.toMatchObject({ fields: { currentPassword: text } });
    await refused(gwen, "", "Enter your current password.");
    for (const tokenName of [" ", "x".repeat(81)])
      await expect(createTokenFor(as(gwen), { tokenName, ...PROOF })).rejects.toMatchObject({
        status: 400,
        fields: { tokenName: expect.stringMatching(/^Enter a name for the token/) },
      });
    const none =
      "Your account has no password here yet. Open the page /reset for a link to set one.";
    await refused(await makeUser({ passwordHash: null }), PASSWORD, none);
    for (let time = 0; time < WRONG_PASSWORDS; time++)
      await refused(gwen, "wrong one 12", accountTexts.wrongPassword);
    const change = { currentPassword: PASSWORD, newPassword: "seven blue boats" };
    for (const send of [
      () => createTokenFor(as(gwen), { tokenName: "Laptop", ...PROOF }),
      () => changePassword(toCurrentUser(gwen), change),
    ])
      await expect(send()).rejects.toThrow(/^Too many wrong passwords for this account\./);
    expect(await AccessToken.countDocuments()).toBe(0);
    expect(await Notification.countDocuments()).toBe(0);
  });

  test("are not made with a password that was changed meanwhile", async () => {
    const gwen = await makeUser();
    const making = createTokenFor(as(gwen), { tokenName: "Laptop", ...PROOF });
    // Overtakes it between the look at the password and the write.
    const real = AccessToken.create.bind(AccessToken);
    vi.spyOn(AccessToken, "create").mockImplementationOnce((async (...args: never[]) => {
      const passwordHash = await hashPassword("seven blue boats");
      await User.updateOne({ _id: gwen._id }, { $set: { passwordHash } });
      return real(...args);
    }) as never);
    await expect(making).rejects.toMatchObject({
      fields: { currentPassword: accountTexts.wrongPassword },
    });
    expect(await AccessToken.countDocuments()).toBe(0);
    expect(await Notification.countDocuments()).toBe(0);
  });

  test("are announced to their owner by an e-mail that does not contain them", async () => {
    const gwen = await makeUser({ name: "Gwen", email: "gwen@example.test" });
    const form = { tokenName: "Laptop", expiry: "30", ...PROOF };
    const token = await createTokenFor(as(gwen), form);
    const text = expect.stringMatching(
      /Hello Gwen,.*“Laptop”, valid until \d+ \w+ \d{4}\..*If that was not you, .*\/reset\n/s,
    );
    const subject = "A new access token for your account";
    expect(await mailsTo(gwen.email)).toMatchObject([{ subject, text }]);
    const stored = JSON.stringify(await Notification.collection.find().toArray());
    expect(stored).not.toContain(token.slice(4));
  });

  test.each([
    ["30", 30],
    ["365", 365],
    ["never", null],
  ])("expire when their owner said so, to the millisecond: %s", async (expiry, days) => {
    const gwen = await makeUser();
    // Within the database's own time: its TTL index looks at the same field.
    const made = new Date();
    const form = { tokenName: "Laptop", expiry, ...PROOF };
    const token = await atTime(made, () => createTokenFor(as(gwen), form));
    const [{ expiresAt }] = (await listTokens(as(gwen))).items as [TokenInfo];
    const end = days && made.getTime() + days * 24 * 60 * 60 * 1_000;
    expect(expiresAt).toBe(end && new Date(end).toISOString());
    setTime((end ?? made.getTime() + 1e12) - 1);
    expect(await findUserByToken(token)).not.toBeNull();
    moveTime(1);
    expect((await findUserByToken(token)) === null).toBe(days !== null);
  });

  test("expire after one of the times that are offered", async () => {
    const form = { tokenName: "Laptop", expiry: "31", ...PROOF };
    await expect(createTokenFor(as(await makeUser()), form)).rejects.toMatchObject({
      fields: { expiry: "Choose how long the token is valid." },
    });
  });

  test("whose expiry is no future time identify nobody", async () => {
    const gwen = await makeUser();
    const token = await createToken(gwen.email, "Odd");
    for (const expiresAt of [null, "never", 9e15]) {
      await AccessToken.collection.updateOne({ userId: gwen._id }, { $set: { expiresAt } });
      expect([expiresAt, (await findUserByToken(token)) !== null]).toEqual([
        expiresAt,
        expiresAt === null,
      ]);
    }
  });

  test("are 50 at most, however many are made at once; expired ones do not count", async () => {
    const gwen = await makeUser();
    const store = (count: number, name: string, expiresAt?: Date) =>
      AccessToken.insertMany(
        Array.from({ length: count }, (_, n) => ({
          userId: gwen._id,
          name,
          hash: `${name} ${n}`,
          createdAt: new Date(),
          expiresAt,
        })),
      );
    const valid = () => AccessToken.countDocuments({ name: { $ne: "expired" } });
    const make = () => createTokenFor(as(gwen), { tokenName: "more", ...PROOF });
    const tokenName =
      "You have 50 access tokens, the most that an account can have. Revoke one first.";
    await store(5, "expired", new Date(Date.now() - 1_000));
    await store(TOKENS_PER_USER - 2, "old");
    for (const made of await Promise.allSettled(Array.from({ length: 6 }, make)))
      if (made.status === "rejected") expect(made.reason).toMatchObject({ fields: { tokenName } });
    expect(await valid()).toBeLessThanOrEqual(TOKENS_PER_USER);
    while ((await valid()) < TOKENS_PER_USER) await make();
    await expect(createToken(gwen.email, "Command line")).rejects.toThrow(tokenName);
    const { items } = await listTokens(as(gwen));
    await revokeToken(as(gwen), items.find(({ name }) => name !== "expired")!.id);
    await createToken(gwen.email, "Command line");
  });

  test("can be revoked only by their user", async () => {
    const [gwen, ann] = [await makeUser(), await makeUser()];
    const token = await createToken(gwen.email, "Laptop");
    const other = await createToken(gwen.email, "Phone");
    const { id } = (await listTokens(as(gwen))).items.find(({ name }) => name === "Laptop")!;
    expect(await revokeToken(as(ann), id)).toBeNull();
    expect(await revokeToken(as(gwen), "nonsense")).toBeNull();
    expect(await findUserByToken(token)).not.toBeNull();

    expect(await revokeToken(as(gwen), id)).toBe("Laptop");
    expect(await findUserByToken(token)).toBeNull();
    expect(await findUserByToken(other)).not.toBeNull();
    expect(await revokeToken(as(gwen), id)).toBeNull();
  });

  test("that were never created, or whose user is gone, identify nobody", async () => {
    const gwen = await makeUser();
    const token = await createToken(gwen.email, "Laptop");
    const { hash } = (await AccessToken.findOne().lean())!;
    for (const other of ["", token.slice(4), token.toUpperCase(), `${token}x`, `trv_${hash}`])
      expect(await findUserByToken(other)).toBeNull();
    expect(await findUserByToken(token)).not.toBeNull();
    await User.deleteOne({ _id: gwen._id });
    expect(await findUserByToken(token)).toBeNull();
  });
});
