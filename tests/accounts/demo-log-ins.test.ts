import { describe, expect, test, vi } from "vitest";
import { DEMO_PASSWORD, DEMO_PASSWORD_HASH } from "~/accounts/log-in/demo-log-ins.server";
import { newPasswordField } from "~/accounts/fields.server";
import { hashPassword } from "~/accounts/log-in/hashing.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import { createSession, readSession } from "~/accounts/log-in/sessions.server";
import { createToken, findUserByToken } from "~/accounts/tokens.server";
import { makeOperator, appealRefusal } from "~/moderation/operators.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { User } from "#models/user";
import { findDemoUsers } from "../../scripts/lib/demo-data";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD, provenUser } from "../support/factories";
import { outcome } from "../support/services";

// Whether the site is this machine's alone, as the settings of app/config/env.server.ts say.
const site = vi.hoisted(() => ({ local: true }));
vi.mock(import("~/config/env.server"), async (original) => {
  const real = await original();
  return { ...real, env: () => ({ ...real.env(), ...site }) };
});

useDatabase();

const demoUser = (fields = {}) => makeUser({ passwordHash: DEMO_PASSWORD_HASH, ...fields });
const inAnHour = () => new Date(Date.now() + 60 * 60 * 1_000);

/** Everything that the demo password opens, and what was opened with it. */
async function findWaysIn({ _id, email }: { _id: { toString(): string }; email: string }) {
  site.local = true;
  const session = await createSession({ proven: await provenUser(_id.toString()) }, inAnHour());
  const token = await createToken(email, "Laptop");
  return async () => ({
    logIn: await outcome(email, DEMO_PASSWORD),
    question: await requirePassword(_id.toString(), DEMO_PASSWORD, "password").then(
      () => "in",
      (error: Error & { fields?: object }) => error.fields,
    ),
    session: (await readSession(session))!.user?.email,
    token: (await findUserByToken(token))?.email,
  });
}

const open = (email: string) => ({ logIn: "in", question: "in", session: email, token: email });
const CLOSED = {
  logIn: accountTexts.wrongLogin,
  question: { password: accountTexts.wrongPassword },
  session: undefined,
  token: undefined,
};

describe("a demo log-in", () => {
  test("is open on a site of this machine and closed on a public one, by every way to log in", async () => {
    const user = await demoUser();
    const waysIn = await findWaysIn(user);
    expect(await waysIn()).toEqual(open(user.email));
    site.local = false;
    expect(await waysIn()).toEqual(CLOSED);
    // However it is typed, and whoever has hashed it.
    expect(await outcome(user.email, DEMO_PASSWORD.replace("l", "ｌ"))).toBe(
      accountTexts.wrongLogin,
    );
    const other = await makeUser({ passwordHash: await hashPassword(DEMO_PASSWORD) });
    expect(await outcome(other.email, DEMO_PASSWORD)).toBe(accountTexts.wrongLogin);
    // It is an ordinary account once it has a password of its own.
    expect(await findDemoUsers([user.email.toUpperCase(), other.email])).toEqual([user.email]);
    await User.updateOne({ _id: user._id }, { passwordHash: await hashPassword(PASSWORD) });
    expect(await waysIn()).toMatchObject({ session: user.email, token: user.email });
    expect(await outcome(user.email, PASSWORD)).toBe("in");
    expect(await findDemoUsers([user.email])).toEqual([]);
    site.local = true;
    expect(await outcome(other.email, DEMO_PASSWORD)).toBe("in");
  });
});

test("an operator whose demo log-in is closed leaves appeals to the one who decided", async () => {
  site.local = true;
  const [operator, other] = [await makeUser(), await demoUser()];
  for (const { email } of [operator, other]) await makeOperator(email);
  const refusal = () => appealRefusal(operator._id, operator._id, () => Promise.resolve(false));
  expect(await refusal()).toMatch(/^Another operator decides/);
  site.local = false;
  expect(await refusal()).toBeNull();
});

test("the demo password is no new password in any spelling, on any site", () => {
  for (const password of [DEMO_PASSWORD, ` ${DEMO_PASSWORD.toUpperCase()} `])
    for (site.local of [true, false])
      expect(newPasswordField([]).safeParse(password).error?.issues).toMatchObject([
        { message: "Choose another password: everybody knows this one." },
      ]);
});
