import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { changePassword, NO_PASSWORD, WRONG_PASSWORD } from "~/accounts/log-in/passwords.server";
import { createToken, findUserByToken } from "~/accounts/tokens.server";
import { findUser } from "~/accounts/users.server";
import { logIn, WRONG_LOGIN } from "~/accounts/log-in/log-in.server";
import { LOCKOUT_MS, WRONG_PASSWORDS } from "~/db/limits.server";
import { Session } from "#models/session";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { fail, HOME, outcome, WAIT } from "../support/services";

useDatabase();
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

  test("is refused to an account without a password", async () => {
    const bare = await makeUser({ passwordHash: null });
    await expect(change(bare, "anything at all")).rejects.toMatchObject({
      fields: { currentPassword: NO_PASSWORD },
    });
  });
});
