import { describe, expect, it, test } from "vitest";
import { AccessToken } from "#models/access-token";
import { Session } from "#models/session";
import { User } from "#models/user";
import { call, logIn, tokenOf } from "../support/app";
import { makeUser } from "../support/factories";
import {
  api,
  app,
  list,
  type Options,
  refusal,
  refused,
  reviewed,
  useApp,
} from "../support/shared-app";

useApp();
const UNAUTHORIZED = "Unauthorized";
const NOT_YOURS_TO_EDIT = "You can only edit your own reviews";
const ago = (ms: number) => new Date(Date.now() - ms);

const rate = (path: string, options: Options) =>
  api("PATCH", path, { ...options, body: { rating: 1 } });
const BASIC = "Basic YW5uOnBhc3N3b3Jk";

describe("the caller is", () => {
  it("the user of a session cookie", async () => {
    const { path, guest } = await reviewed();
    expect((await rate(path, { cookie: await logIn(app, guest.email) })).status).toBe(200);
  });

  it("the user of a personal access token, however its scheme is written, from any origin", async () => {
    const { path, token } = await reviewed();
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
      expect((await rate(path, { headers: { authorization } })).status).toBe(200);
    const headers = { origin: "https://other.example", "sec-fetch-site": "cross-site" };
    expect((await rate(path, { token, headers })).status).toBe(200);
  });

  it("the token's user, even if the cookie is another user's", async () => {
    const { path, token, guest } = await reviewed();
    const other = await makeUser();
    const [own, foreign] = [await logIn(app, guest.email), await logIn(app, other.email)];
    expect((await rate(path, { token, cookie: foreign })).status).toBe(200);
    const answer = await rate(path, { token: await tokenOf(other), cookie: own });
    expect(refusal(answer)).toEqual(refused(403, NOT_YOURS_TO_EDIT));
  });

  it("the cookie's user if Authorization is of another scheme, as of a proxy in front", async () => {
    const { path, guest } = await reviewed();
    const cookie = await logIn(app, guest.email);
    for (const authorization of [BASIC, "trv_unknown", "Bearers trv_unknown", ""]) {
      const headers = { authorization };
      expect([authorization, (await rate(path, { cookie, headers })).status]).toEqual([
        authorization,
        200,
      ]);
      expect(refusal(await rate(path, { headers }))).toEqual(refused(401, UNAUTHORIZED));
    }
  });

  it("the cookie's user on pages, whatever Authorization says", async () => {
    const { guest } = await reviewed();
    const cookie = await logIn(app, guest.email);
    const other = await tokenOf(await makeUser({ name: "Otto Other" }));
    for (const authorization of [BASIC, "Bearer trv_unknown", `Bearer ${other}`]) {
      const page = await call(app, "GET", "/me/account", { cookie, headers: { authorization } });
      expect(page.status).toBe(200);
      expect(page.text).toContain(guest.email);
      expect(page.text).not.toContain("Otto Other");
    }
  });
});

describe("nobody is logged in", () => {
  it("by a Bearer that is no valid token, even with a valid cookie", async () => {
    const { path, guest, tour, token, tourId } = await reviewed();
    const cookie = await logIn(app, guest.email);
    const unknown = ["Bearer", "Bearer trv_unknown", "Bearer trv_a b"];
    const near = [`Bearer ${token} x`, `Bearer ${token}x`, `Bearer ${token.toUpperCase()}`];
    for (const authorization of [...unknown, ...near]) {
      const answer = await rate(path, { cookie, headers: { authorization } });
      expect([authorization, ...refusal(answer)]).toEqual([
        authorization,
        ...refused(401, UNAUTHORIZED),
      ]);
    }
    const headers = { authorization: "Bearer trv_unknown" };
    const others = [
      await api("DELETE", path, { cookie, headers }),
      await api("POST", "/api/reviews", { cookie, headers, body: { tourId, rating: 5 } }),
      await rate(path, { headers: { authorization: token } }),
      await rate(path, { headers: { authorization: `Token ${token}` } }),
    ];
    for (const answer of others) expect(refusal(answer)).toEqual(refused(401, UNAUTHORIZED));
    expect(await list(tour)).toMatchObject([{ rating: 4 }]);
  });

  it("by a token on a page", async () => {
    const { token, guest } = await reviewed();
    for (const path of ["/me", "/me/data.json", "/me/account"]) {
      const answer = await call(app, "GET", path, { token });
      expect([path, answer.status]).toEqual([path, 302]);
    }
    const raw = new URLSearchParams({ intent: "create-token", tokenName: "Mine" });
    expect((await call(app, "POST", "/me/account", { token, raw })).status).toBe(302);
    expect(await AccessToken.countDocuments({ userId: guest._id })).toBe(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["has expired", () => AccessToken.updateMany({}, { $set: { expiresAt: ago(1) } })],
    ["was revoked", () => AccessToken.deleteMany({})],
    ["is of a user who no longer exists", () => User.deleteMany({ name: "Ann" })],
  ])("by a token that %s, even with a valid cookie", async (_, end) => {
    const { path, token, guest } = await reviewed();
    const cookie = await logIn(app, guest.email);
    expect((await rate(path, { token })).status).toBe(200);
    // The token itself is not stored.
    expect(JSON.stringify(await AccessToken.find().lean())).not.toContain(token);
    await end();
    expect(refusal(await rate(path, { token, cookie }))).toEqual(refused(401, UNAUTHORIZED));
  });

  test.each<[string, (cookie: string) => string]>([
    ["signed wrong", (cookie) => `${cookie.slice(0, -6)}AAAAAA`],
    ["changed", (cookie) => cookie.replace(/=./, (start) => (start === "=A" ? "=B" : "=A"))],
    ["nonsense", () => "session=%E0%A4%A; session; ;=;"],
  ])("by a cookie that is %s", async (_, spoil) => {
    const { path, guest } = await reviewed();
    const cookie = await logIn(app, guest.email);
    expect(spoil(cookie)).not.toBe(cookie);
    const answer = await rate(path, { cookie: spoil(cookie) });
    expect(refusal(answer)).toEqual(refused(401, UNAUTHORIZED));
    expect((await rate(path, { cookie })).status).toBe(200);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["session has expired", () => Session.updateMany({}, { $set: { expiresAt: ago(1) } })],
    ["user no longer exists", () => User.deleteMany({ name: "Ann" })],
  ])("by a cookie whose %s", async (_, end) => {
    const { path, guest } = await reviewed();
    const cookie = await logIn(app, guest.email);
    await end();
    expect(refusal(await rate(path, { cookie }))).toEqual(refused(401, UNAUTHORIZED));
  });
});
