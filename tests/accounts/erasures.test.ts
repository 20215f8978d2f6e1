import { describe, expect, test, vi } from "vitest";
import { deleteAccount } from "~/personal-data/deletion.server";
import { erasedAmong, forgetErasures } from "~/accounts/erasures.server";
import { requestSignUp, signUp } from "~/accounts/log-in/sign-up.server";
import { findUser } from "~/accounts/users.server";
import { AccountDeletion } from "#models/account-deletion";
import { Erasure } from "#models/erasure";
import { Notification } from "#models/notification";
import { tokenTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { HOME, outcome } from "../support/services";

useDatabase();

const EMAIL = "Ann@example.test";

/** Ann's account, deleted. */
async function deleted() {
  const ann = await makeUser({ email: EMAIL });
  const id = ann._id.toString();
  await deleteAccount((await findUser(id))!, { password: PASSWORD });
  return { id, email: EMAIL };
}

/** Which of the accounts are known to have been deleted, in the order of the accounts. */
async function known(...accounts: { id?: string; email?: string }[]) {
  const erased = await erasedAmong(accounts);
  return accounts.filter((account) => erased.has(account));
}

describe("of a deleted account", () => {
  test("id and address are known, in any spelling, and nobody else's", async () => {
    const bob = await makeUser();
    const ann = await deleted();
    const byId = { id: ann.id };
    const byEmail = { email: " ann@EXAMPLE.test" };
    const others = [{ id: bob._id.toString(), email: bob.email }, { email: "anne@example.test" }];
    expect(await known(byId, ...others, byEmail)).toEqual([byId, byEmail]);
  });

  test("nothing is stored but two hashes and when that was", async () => {
    const { id } = await deleted();
    const stored = await Erasure.find().lean();
    expect(stored).toHaveLength(2);
    for (const one of stored) {
      expect(Object.keys(one).sort()).toEqual(["_id", "erasedAt"]);
      expect(one._id).toMatch(/^[\w-]{43}$/);
      expect(Date.now() - one.erasedAt.getTime()).toBeLessThan(60_000);
    }
    expect(JSON.stringify(stored)).not.toContain(id);
  });

  test("nothing is noted unless the account is gone", async () => {
    const ann = await makeUser({ email: EMAIL });
    const user = (await findUser(ann._id.toString()))!;
    vi.spyOn(AccountDeletion, "create").mockRejectedValueOnce(new Error("cut off"));
    await expect(deleteAccount(user, { password: PASSWORD })).rejects.toThrow("cut off");
    vi.spyOn(Erasure, "updateOne").mockImplementationOnce(() => {
      throw new Error("cut off");
    });
    await expect(deleteAccount(user, { password: PASSWORD })).rejects.toThrow("cut off");
    expect(await Erasure.countDocuments()).toBe(0);
    expect(await Notification.countDocuments()).toBe(0);
    expect(await outcome(EMAIL, PASSWORD)).toBe("in");
  });
});

describe("somebody who has proven the address anew", () => {
  test("by a sign-up is not the one who was deleted", async () => {
    const ann = await deleted();
    await requestSignUp({ email: EMAIL }, { clientAddress: HOME, redirectTo: "/" });
    expect(await known({ email: EMAIL })).toHaveLength(1);
    const form = { name: "Ann", password: "seven blue boats" };
    await signUp(await tokenTo(EMAIL, "sign-up"), form, HOME);
    expect(await known({ email: EMAIL })).toEqual([]);
    expect(await known({ id: ann.id })).toHaveLength(1);
  });

  test("may be deleted again", async () => {
    const first = await deleted();
    await forgetErasures([{ email: EMAIL }]);
    const second = await deleted();
    expect(await known(first, second)).toEqual([first, second]);
  });
});
