import { describe, expect, test } from "vitest";
import {
  createSession,
  endSessionOf,
  listSessions,
  readSession,
  SESSIONS_PER_USER,
} from "~/accounts/log-in/sessions.server";
import { Session } from "#models/session";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { as, makeUser, provenUser } from "../support/factories";

useDatabase();

const MINUTE = 60_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const AT_HOME = { userAgent: FIREFOX, network: "192.0.2.0/24" };
const ON_THE_WAY = { userAgent: SAFARI, network: "2001:db8:1::/48" };
const later = () => new Date(Date.now() + 60 * MINUTE);
const create = async (userId: string | undefined, client = AT_HOME, expiresAt = later()) =>
  createSession(
    { ...(userId && { proven: await provenUser(userId) }), notice: "Hello" },
    expiresAt,
    client,
  );
const usedAgo = (_id: string, ms: number) =>
  Session.updateOne({ _id }, { $set: { lastUsedAt: new Date(Date.now() - ms) } });

describe("a session", () => {
  test("knows when it began, and when, with which browser it was last used", async () => {
    const user = as(await makeUser());
    const id = await create(user.id);
    expect(await listSessions(user, id)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        browser: "Firefox on Linux",
        createdAt: expect.stringMatching(/^20\d\d-/),
        lastUsedAt: expect.stringMatching(/^20\d\d-/),
        present: true,
      },
    ]);
    await usedAgo(id, 6 * MINUTE);
    await readSession(id, ON_THE_WAY);
    const [session] = await listSessions(user, id);
    expect(session).toMatchObject({ browser: "Safari on iPhone" });
    expect(Date.parse(session!.createdAt!)).toBeLessThanOrEqual(Date.parse(session!.lastUsedAt!));
    expect(Date.parse(session!.lastUsedAt!)).toBeGreaterThan(Date.now() - MINUTE);
  });

  test("comes with its user, however malformed the record is, and with nobody when the user is gone", async () => {
    const user = await makeUser();
    const id = await create(user._id.toString());
    const { collection } = User;
    await collection.updateOne({ _id: user._id }, { $set: { name: 7, image: ["a"], much: "x" } });
    expect(await readSession(id)).toMatchObject({
      user: { id: user._id.toString(), name: "", email: user.email, image: null },
    });
    await collection.deleteOne({ _id: user._id });
    expect(await readSession(id)).toEqual({ notice: "Hello", userId: user._id.toString() });
    expect(await readSession(await create(undefined))).toEqual({ notice: "Hello" });
  });

  test("of nobody, or that has expired, stores nothing about its user", async () => {
    const nobodys = await create(undefined);
    const user = await makeUser();
    const expired = await create(user._id.toString(), AT_HOME, new Date(Date.now() - 1));
    await readSession(nobodys, ON_THE_WAY);
    expect(await readSession(expired, ON_THE_WAY)).toBeNull();
    expect(await listSessions(as(user), "")).toEqual([]);
    const still = (await Session.findById(nobodys).lean())!;
    expect(Object.keys(still).sort()).toEqual(["_id", "data", "expiresAt"]);
  });
});

test("the list begins with the present one, then the last used, and gives no id away", async () => {
  const user = as(await makeUser());
  const ids = [await create(user.id), await create(user.id), await create(user.id)];
  await usedAgo(ids[0]!, 3 * MINUTE);
  await usedAgo(ids[1]!, 2 * MINUTE);
  await create((await makeUser())._id.toString());
  const listed = await listSessions(user, ids[0]!);
  expect(listed.map(({ present }) => present)).toEqual([true, false, false]);
  const times = listed.slice(1).map(({ lastUsedAt }) => Date.parse(lastUsedAt!));
  expect(times).toEqual([...times].sort((a, b) => b - a));
  for (const id of ids) expect(JSON.stringify(listed)).not.toContain(id);
});

test("a session is ended only by the listed id, and by no other user", async () => {
  const [user, eve] = [as(await makeUser()), as(await makeUser())];
  const id = await create(user.id);
  const [listed] = await listSessions(user, "");
  expect(await endSessionOf(eve, listed!.id)).toBe(false);
  expect(await endSessionOf(user, id)).toBe(false);
  expect(await readSession(id)).not.toBeNull();
});

test("a browser's name is short, whatever a client sends", async () => {
  const user = as(await makeUser());
  for (const userAgent of [`${"x".repeat(20_000)}/1 (`, `${"x".repeat(200)}/1.0 (y)`]) {
    await create(user.id, { ...AT_HOME, userAgent });
  }
  for (const { browser } of await listSessions(user, ""))
    expect((browser ?? "").length).toBeLessThanOrEqual(60);
});

describe("what is stored of a user's log-ins has a bound", () => {
  const count = (userId: string) => Session.countDocuments({ userId });

  test("of 100, of which those end that were not used for longest", async () => {
    const [ann, bob] = [as(await makeUser()), as(await makeUser())];
    const [first, used] = [await create(ann.id), await create(ann.id)];
    await usedAgo(first, 3 * MINUTE);
    const sessions = Array.from({ length: SESSIONS_PER_USER - 2 }, (_, n) => ({
      _id: `session ${n}`,
      userId: ann.id,
      data: {},
      expiresAt: later(),
      // A session of before this was stored was not used for longest.
      ...(n > 0 && { lastUsedAt: new Date(Date.now() - 2 * MINUTE) }),
    }));
    await Session.insertMany(sessions);
    const kept = [used, "session 1", await create(bob.id), await create(ann.id)];
    expect(await count(ann.id)).toBe(SESSIONS_PER_USER);
    expect(await Session.exists({ _id: "session 0" })).toBeNull();
    kept.push(await create(ann.id));
    expect(await Session.exists({ _id: first })).toBeNull();
    expect(await Session.countDocuments({ _id: { $in: kept } })).toBe(kept.length);
    // Many at once.
    await Promise.all(Array.from({ length: 10 }, () => create(ann.id)));
    expect(await count(ann.id)).toBe(SESSIONS_PER_USER);
  });

  test("of one review that waits, that of the newest", async () => {
    const ann = as(await makeUser());
    const waiting = { comment: "x".repeat(5_000) };
    const proven = await provenUser(ann.id);
    const open = await createSession({ proven, waiting, notice: "Hello" }, later());
    const newest = await createSession({ proven, waiting }, later());
    await create(ann.id);
    expect(await readSession(open)).not.toHaveProperty("waiting");
    expect(await readSession(newest)).toMatchObject({ waiting });
  });
});
