import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Session } from "#models/session";
import { call, sessionOf, startApp, type App } from "../support/app";
import { databaseUri } from "../support/database";
import { app, expectStrict, useApp } from "../support/shared-app";
import { PASSWORD } from "../support/factories";
import { makeWorld, type World } from "../support/world";

// The session cookie.

useApp();

/** The same app as it runs behind TLS. */
let secureApp: App;

beforeAll(async () => {
  secureApp = await startApp(databaseUri(), { APP_URL: "https://reviews.example.com" });
});

afterAll(() => secureApp.stop());
let world: World;

beforeEach(async () => {
  world = await makeWorld();
});

describe.each([
  ["http", () => app],
  ["https", () => secureApp],
])("the session over %s", (_, server) => {
  const post = (path: string, fields: Record<string, string>, shown?: string) =>
    call(server(), "POST", path, { cookie: shown, raw: new URLSearchParams(fields) });
  const enter = (email: string, shown?: string) =>
    post("/login", { email, password: PASSWORD }, shown);
  const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(";")[0] ?? "";
  /** Whether the cookie logs its sender in, on pages and by the API. */
  const isSomebody = async (shown: string) => {
    const api = await call(server(), "PATCH", "/api/reviews/x", { cookie: shown, body: {} });
    const page = await call(server(), "GET", "/me", { cookie: shown });
    expect([[400, 200], [401, 302]]).toContainEqual([api.status, page.status]); // prettier-ignore
    return page.status === 200;
  };

  it("is in a cookie that is hidden from scripts and other sites", async () => {
    const { status, headers } = await enter(world.author.email);
    expect([status, headers.get("location")]).toEqual([302, "/"]);
    expectStrict(server(), headers.getSetCookie()[0]!);
    expect(cookieOf(headers)).toMatch(/=[^;]{60,}$/);
    expect(await isSomebody(cookieOf(headers))).toBe(true);
  });

  it("is in a cookie of the same kind after a sign-up and a change of the password", async () => {
    const entered = cookieOf((await enter(world.author.email)).headers);
    const change = { currentPassword: PASSWORD, newPassword: "seven blue boats" };
    for (const { headers } of [
      await post(`/signup/${world.links["sign-up"]}`, { name: "Nina", password: PASSWORD }),
      await post("/me/account", { intent: "password", ...change }, entered),
    ]) {
      expect(headers.getSetCookie()).toHaveLength(1);
      expectStrict(server(), headers.getSetCookie()[0]!);
    }
  });

  it("has a new id after every log-in, whatever the client sends", async () => {
    const name = cookieOf((await enter(world.author.email)).headers).split("=")[0]!;
    await Session.deleteMany({});
    const loggedOut = cookieOf((await enter(world.booked.email)).headers);
    await post("/logout", {}, loggedOut);
    const nobodys = (await sessionOf(null)).replace(/^session/, name);
    const planted = "A".repeat(43);
    await Session.create({ _id: planted, data: {}, expiresAt: new Date(Date.now() + 60_000) });
    const encoded = encodeURIComponent(Buffer.from(JSON.stringify(planted)).toString("base64"));
    const forged = `${name}=${encoded}.${nobodys.split(".")[1]!}`;
    for (const brought of [loggedOut, nobodys, `${name}=${planted}`, forged]) {
      const known = (await Session.find().lean()).map(({ _id }) => _id);
      const { headers } = await enter(world.author.email, brought);
      const fresh = (await Session.find({ userId: world.author._id }).lean()).at(-1)!;
      expect(known).not.toContain(fresh._id);
      expect(fresh._id).toMatch(/^[\w-]{43}$/);
      expect([brought, await isSomebody(cookieOf(headers))]).toEqual([brought, true]);
      expect([brought, await isSomebody(brought)]).toEqual([brought, false]);
      await Session.deleteMany({ userId: world.author._id });
    }
    // Only the planted session is left, for which nobody could sign a cookie.
    expect((await Session.find().lean()).map(({ _id }) => _id)).toEqual([planted]);
  });

  it("is kept when another log-in fails", async () => {
    const entered = cookieOf((await enter(world.author.email)).headers);
    const answer = await post("/login", { email: world.author.email, password: "wrong" }, entered);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await isSomebody(entered)).toBe(true);
  });

  it("ends with the log-out on the server too, and no other session does", async () => {
    const entered = cookieOf((await enter(world.author.email)).headers);
    const elsewhere = cookieOf((await enter(world.author.email)).headers);
    const sessions = await Session.countDocuments();
    // A link or a picture does not end it.
    for (const method of ["GET", "HEAD"])
      await call(server(), method, "/logout", { cookie: entered });
    expect(await isSomebody(entered)).toBe(true);
    const { status, headers } = await post("/logout", {}, entered);
    expect([status, headers.get("location")]).toEqual([302, "/"]);
    // The browser is told to forget the cookie.
    expectStrict(server(), headers.getSetCookie()[0]!);
    expect(headers.getSetCookie()[0]).toMatch(/^\S+=;.*Expires=Thu, 01 Jan 1970/);
    expect(await isSomebody(entered)).toBe(false);
    expect(await isSomebody(elsewhere)).toBe(true);
    expect(await Session.countDocuments()).toBe(sessions - 1);
  });
});
