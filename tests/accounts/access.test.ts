import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { claimAccess } from "~/accounts/access.server";
import { requestAddressChange } from "~/accounts/address.server";
import { PlatformLogIn } from "~/accounts/fields.server";
import { hashPassword } from "~/accounts/log-in/hashing.server";
import { logIn } from "~/accounts/log-in/log-in.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { createSession, deleteSession, logOutEverywhere } from "~/accounts/log-in/sessions.server";
import { createTokenFor } from "~/accounts/tokens.server";
import { findUser, toCurrentUser } from "~/accounts/users.server";
import { putRecord } from "~/import/put-record.server";
import { inTransaction } from "~/db/transaction.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { Access } from "#models/access";
import { AccessToken } from "#models/access-token";
import { EmailLink } from "#models/email-link";
import { Session } from "#models/session";
import { User, type UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import { as, makeUser, PASSWORD, provenUser } from "../support/factories";
import { beforeCommit } from "../support/interrupt";
import { tokenTo } from "../support/mail";
import { HOME } from "../support/services";

useDatabase();

const NEW = "seven blue boats";
const later = () => new Date(Date.now() + 60 * 60 * 1_000);
const current = async ({ _id }: UserDocument) => (await findUser(_id.toString()))!;

const rights = {
  async "a log-in"({ email }: UserDocument) {
    const { proven } = await logIn(email, PASSWORD, HOME);
    return () => createSession({ proven }, later());
  },
  async "a link to a new address"(user: UserDocument) {
    const asking = { newEmail: "new@example.test", currentPassword: PASSWORD };
    const caller = await current(user);
    return () => requestAddressChange(caller, asking, HOME);
  },
  async "an access token"(user: UserDocument) {
    const caller = await current(user);
    return () => createTokenFor(caller, { tokenName: "Laptop", currentPassword: PASSWORD });
  },
  async "an access token of whom the platform has logged in"(user: UserDocument) {
    const sessionId = await createSession({ proven: user }, later());
    const proof = new PlatformLogIn(sessionId);
    return () => createTokenFor(as(user), { tokenName: "Laptop", currentPassword: proof });
  },
};

const ends = {
  async "the reset of the password"({ email }: UserDocument) {
    await requestReset({ email }, "198.51.100.9");
    const token = await tokenTo(email, "reset");
    const form = { newPassword: NEW, revokeTokens: true };
    return () => resetPassword(token, form, "198.51.100.9");
  },
  "the end of all log-ins": (user: UserDocument) => Promise.resolve(() => logOutEverywhere(user)),
  "the deletion of the account": (user: UserDocument) =>
    Promise.resolve(() => deleteAccountOf(toCurrentUser(user))),
  async "another password of the platform's"(user: UserDocument) {
    const { name, email } = user;
    const passwordHash = await hashPassword(NEW);
    return () => putRecord("users", user._id.toString(), { name, email, passwordHash });
  },
  "another address of the platform's": (user: UserDocument) => {
    const moved = { name: user.name, email: "moved@example.test" };
    return Promise.resolve(() => putRecord("users", user._id.toString(), moved));
  },
};

const rightsOf = async ({ _id: userId }: UserDocument) => ({
  sessions: await Session.countDocuments({ userId }),
  tokens: await AccessToken.countDocuments({ userId }),
  links: await EmailLink.countDocuments({ userId }),
});
const NONE = { sessions: 0, tokens: 0, links: 0 };

describe("no right is left", () => {
  const pairs = Object.entries(rights).flatMap(([right, ask]) =>
    Object.entries(ends).map(([end, prepare]) => ({ right, end, ask, prepare })),
  );
  test.each(pairs)("where $right meets $end", async ({ ask, prepare }) => {
    const user = await makeUser();
    const end = await prepare(user);
    const take = await ask(user);
    const ended = beforeCommit<unknown>(end);
    await take().catch(() => {});
    expect((await ended).result).not.toBeInstanceOf(Error);
    expect(await rightsOf(user)).toEqual(NONE);
  });

  test("where the password changes between its proof and the session", async () => {
    const user = await makeUser();
    const take = await rights["a log-in"](user);
    await changePassword(await current(user), { currentPassword: PASSWORD, newPassword: NEW });
    await expect(take()).rejects.toMatchObject({
      status: 400,
      message: "Your account has changed at this moment. Please log in again.",
    });
    expect(await rightsOf(user)).toEqual(NONE);
  });

  test("where a suspension comes between the proof and the session", async () => {
    const user = await makeUser();
    const take = await rights["a log-in"](user);
    await User.updateOne({ _id: user._id }, { suspendedUntil: later() });
    await expect(take()).rejects.toMatchObject({ status: 400 });
    expect(await rightsOf(user)).toEqual(NONE);
  });

  test("where an access token meets the log-out of the session that asks for it", async () => {
    const user = await makeUser();
    const sessionId = await createSession({ proven: await provenUser(user._id) }, later());
    const ended = beforeCommit(() => deleteSession(sessionId));
    const asked = createTokenFor(as(user), {
      tokenName: "Laptop",
      currentPassword: new PlatformLogIn(sessionId),
    });
    const made = await asked.catch(() => null);
    // Made before the log-out, or not at all.
    expect((await ended).wasFirst && made !== null).toBe(false);
    expect(await AccessToken.countDocuments()).toBe(made === null ? 0 : 1);
    await expect(
      createTokenFor(as(user), {
        tokenName: "More",
        currentPassword: new PlatformLogIn(sessionId),
      }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

test("of transactions that claim one user's access, each sees what the one before has written", async () => {
  const userId = new Types.ObjectId();
  const claim = () =>
    inTransaction(async (session) => {
      await claimAccess(userId, session);
      return (await Access.findById(userId).session(session).lean())!.version;
    });
  const seen = await Promise.all(Array.from({ length: 12 }, claim));
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
});
