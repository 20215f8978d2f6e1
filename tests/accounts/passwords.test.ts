import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { changePassword, WRONG_PASSWORD } from "~/accounts/log-in/passwords.server";
import { findUser } from "~/accounts/users.server";
import { logIn } from "~/accounts/log-in/log-in.server";
import { WRONG_PASSWORDS } from "~/db/limits.server";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { fail, HOME, outcome, WAIT } from "../support/services";

useDatabase();
describe("changing the password", () => {
  const NEW = "seven blue boats";
  const change = async (user: { _id: Types.ObjectId }, currentPassword: string, next = NEW) =>
    changePassword((await findUser(user._id.toString()))!, { currentPassword, newPassword: next });

  test("counts wrong ones apart from log-ins, which anybody can send", async () => {
    const gwen = await makeUser();
    await fail(gwen.email, WRONG_PASSWORDS);
    await expect(logIn(gwen.email, PASSWORD, HOME)).rejects.toMatchObject(WAIT);
    for (let time = 0; time < WRONG_PASSWORDS - 1; time++)
      await expect(change(gwen, "wrong")).rejects.toMatchObject({ message: WRONG_PASSWORD });
    await change(gwen, PASSWORD);
    // Forgotten after the right one.
    for (let time = 0; time < WRONG_PASSWORDS; time++)
      await expect(change(gwen, "wrong")).rejects.toMatchObject({ message: WRONG_PASSWORD });
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
