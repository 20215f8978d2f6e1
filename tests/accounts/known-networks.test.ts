import type { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { deleteAccount } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import {
  isKnownNetwork,
  KNOWN_MS,
  NETWORKS_PER_USER,
  noteNetwork,
} from "~/accounts/log-in/known-networks.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { requestReset, resetPassword } from "~/accounts/log-in/password-reset.server";
import { createSession, readSession } from "~/accounts/log-in/sessions.server";
import { findUser } from "~/accounts/users.server";
import { WRONG_PASSWORDS, WRONG_PASSWORDS_A_DAY } from "~/accounts/limits.server";
import { KnownNetworks } from "#models/known-networks";
import { Session } from "#models/session";
import { tokenTo } from "../support/mail";
import { useDatabase } from "../support/database";
import { fillLimit, makeUser, PASSWORD, provenUser } from "../support/factories";
import { exportOf, fail, HOME, outcome } from "../support/services";
import { moveTime } from "../support/time";

useDatabase();

const EMAIL = "ann@example.test";
const AWAY = "198.51.100.8";
const LOCKED = /^Too many wrong passwords for this account today\./;
const later = () => new Date(Date.now() + 60 * 60 * 1_000);
const current = async ({ _id }: { _id: Types.ObjectId }) => (await findUser(_id.toString()))!;

/** A log-in from there, as the route does it. */
const logInFrom = async ({ _id }: { _id: Types.ObjectId }, clientAddress: string) =>
  createSession({ proven: await provenUser(_id) }, later(), {
    clientAddress,
    network: "192.0.2.0/24",
  });

/** Ann, whose account strangers have locked for the day. */
async function locked() {
  const ann = await makeUser({ email: EMAIL });
  await fillLimit("login-day", ann._id.toString(), WRONG_PASSWORDS_A_DAY);
  return ann;
}

describe("a network that the account has used", () => {
  test("is exempt from the day's lock, and waits only by its own count", async () => {
    const ann = await locked();
    expect(await outcome(EMAIL, PASSWORD)).toMatch(LOCKED);
    const session = await logInFrom(ann, HOME);
    expect(await outcome(EMAIL, PASSWORD)).toBe("in");
    expect(await outcome(EMAIL, PASSWORD, AWAY)).toMatch(LOCKED);
    // The session moves there.
    await Session.updateOne({ _id: session }, { lastUsedAt: new Date(0) });
    await readSession(session, { clientAddress: AWAY, network: "198.51.100.0/24" });
    expect(await outcome(EMAIL, PASSWORD, AWAY)).toBe("in");
    await fail(EMAIL, WRONG_PASSWORDS);
    expect(await outcome(EMAIL, PASSWORD)).toMatch(/^Too many wrong passwords .* Please wait/);
  });

  test("is exempt when strangers of its /48 have guessed, who have 20 attempts between them", async () => {
    const ann = await makeUser({ email: EMAIL });
    const network = (n: number) => `2001:db8:1:${n}::/64`;
    await logInFrom(ann, network(1));
    for (let n = 2; n < 6; n++) await fail(EMAIL, WRONG_PASSWORDS, network(n));
    expect(await outcome(EMAIL, "wrong", network(6))).toMatch(/^Too many wrong .* Please wait 15/);
    expect(await outcome(EMAIL, PASSWORD, network(1))).toBe("in");
    expect(await outcome(EMAIL, PASSWORD, "2001:db8:2:1::/64")).toBe("in");
  });

  test("is nobody else's, and not that of an unknown address", async () => {
    const ann = await locked();
    await logInFrom(await makeUser(), HOME);
    await createSession({ proven: ann }, later(), { clientAddress: "unknown" });
    expect(await outcome(EMAIL, PASSWORD)).toMatch(LOCKED);
    expect(await outcome(EMAIL, PASSWORD, "unknown")).toMatch(LOCKED);
    expect(await isKnownNetwork(null, HOME)).toBe(false);
  });

  test("is known for 90 days after its last use", async () => {
    const { _id } = await makeUser();
    await noteNetwork(_id, HOME);
    moveTime(KNOWN_MS - 1_000);
    expect(await isKnownNetwork(_id, HOME)).toBe(true);
    moveTime(2_000);
    expect(await isKnownNetwork(_id, HOME)).toBe(false);
    await noteNetwork(_id, AWAY);
    expect((await KnownNetworks.findById(_id).lean())!.networks).toHaveLength(1);
  });

  test("is one of at most 20, stored in a form that reveals no location", async () => {
    const [ann, bob, carl] = [await makeUser(), await makeUser(), await makeUser()];
    for (let n = 0; n < NETWORKS_PER_USER + 3; n++) await noteNetwork(ann._id, `192.0.2.${n}`);
    await noteNetwork(ann._id, "192.0.2.9");
    await noteNetwork(bob._id, "192.0.2.9");
    const stored = await KnownNetworks.find().sort({ _id: 1 }).lean();
    expect(stored.map(({ networks }) => networks.length)).toEqual([NETWORKS_PER_USER, 1]);
    expect(stored[1]!.networks[0]!.hash).not.toBe(stored[0]!.networks[0]!.hash);
    expect(JSON.stringify(stored)).not.toContain("192.0.2");
    expect(await isKnownNetwork(ann._id, "192.0.2.2")).toBe(false);
    expect(await isKnownNetwork(ann._id, "192.0.2.3")).toBe(true);
    // Of many at once none is an error.
    await Promise.all(Array.from({ length: 8 }, () => noteNetwork(carl._id, HOME)));
    expect((await KnownNetworks.findById(carl._id).lean())!.networks).toHaveLength(1);
  });

  test("is no longer one with a new password", async () => {
    const ann = await makeUser({ email: EMAIL });
    const passwords = { currentPassword: PASSWORD, newPassword: "seven blue boats" };
    await noteNetwork(ann._id, HOME);
    await changePassword(await current(ann), passwords);
    expect(await isKnownNetwork(ann._id, HOME)).toBe(false);
    await noteNetwork(ann._id, HOME);
    await requestReset({ email: EMAIL }, HOME);
    const form = { newPassword: "nine green boats", revokeTokens: false };
    await resetPassword(await tokenTo(EMAIL, "reset"), form, HOME);
    expect(await isKnownNetwork(ann._id, HOME)).toBe(false);
  });

  test("is deleted with the account, whose export has only its time", async () => {
    const [ann, bob] = [await makeUser({ email: EMAIL }), await makeUser()];
    for (const { _id } of [ann, bob]) await noteNetwork(_id, HOME);
    const user = await current(ann);
    const data = await exportOf(user);
    expect(data.knownNetworks).toEqual([{ usedAt: expect.stringMatching(/^20\d\d-/) }]);
    await deleteAccount(user, { password: PASSWORD });
    // A log-in that was being made.
    await noteNetwork(ann._id, AWAY);
    await continueDeletions();
    expect((await KnownNetworks.find().lean()).map(({ _id }) => _id)).toEqual([bob._id]);
  });
});
