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

describe("who is asking", () => {
  const rate = (path: string, options: Options) =>
    api("PATCH", path, { ...options, body: { rating: 1 } });

  describe("happy", () => {
    it("the user of a session cookie", async () => {
      const { path, guest } = await reviewed();
      expect((await rate(path, { cookie: await logIn(app, guest.email) })).status).toBe(200);
    });

    it("the user of a personal access token, however its scheme is written", async () => {
      const { path, token } = await reviewed();
      for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
        expect((await rate(path, { headers: { authorization } })).status).toBe(200);
    });

    it("the token's user, even if the cookie is another user's", async () => {
      const { path, token, guest } = await reviewed();
      const other = await makeUser();
      const [own, foreign] = [await logIn(app, guest.email), await logIn(app, other.email)];
      expect((await rate(path, { token, cookie: foreign })).status).toBe(200);
      const answer = await rate(path, { token: await tokenOf(other), cookie: own });
      expect(refusal(answer)).toEqual(refused(403, NOT_YOURS_TO_EDIT));
    });

    test.each([
      ["another scheme, as of a proxy in front of the site", "Basic YW5uOnBhc3N3b3Jk"],
      ["no scheme", "trv_unknown"],
      ["a longer scheme", "Bearers trv_unknown"],
      ["nothing", ""],
    ])("the cookie's user if Authorization is not Bearer: %s", async (_, header) => {
      const { path, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      const headers = { authorization: header };
      expect((await rate(path, { cookie, headers })).status).toBe(200);
      expect(refusal(await rate(path, { headers }))).toEqual(refused(401, UNAUTHORIZED));
    });

    it("the cookie's user on pages, whatever Authorization says", async () => {
      const { guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      const other = await tokenOf(await makeUser({ name: "Otto Other" }));
      for (const authorization of [
        "Basic YW5uOnBhc3N3b3Jk",
        "Bearer trv_unknown",
        `Bearer ${other}`,
      ]) {
        const page = await call(app, "GET", "/me/account", { cookie, headers: { authorization } });
        expect(page.status).toBe(200);
        expect(page.text).toContain(guest.email);
        expect(page.text).not.toContain("Otto Other");
      }
    });

    it("the token's user from any origin", async () => {
      const { path, token } = await reviewed();
      const headers = { origin: "https://other.example", "sec-fetch-site": "cross-site" };
      expect((await rate(path, { token, headers })).status).toBe(200);
    });
  });

  describe("security", () => {
    test.each([
      ["a scheme alone", "Bearer"],
      ["an unknown token", "Bearer trv_unknown"],
      ["a token of another kind", "Bearer nonsense"],
      ["two words", "Bearer trv_a b"],
      ["two schemes", "Bearer Basic YW5uOnBhc3N3b3Jk"],
    ])(
      "nobody, for a Bearer that is no valid token, even with a valid cookie: %s",
      async (_, header) => {
        const { path, guest, tour, tourId } = await reviewed();
        const cookie = await logIn(app, guest.email);
        const headers = { authorization: header };
        expect(refusal(await rate(path, { cookie, headers }))).toEqual(refused(401, UNAUTHORIZED));
        const others = [
          await api("DELETE", path, { cookie, headers }),
          await api("POST", "/api/reviews", { cookie, headers, body: { tourId, rating: 5 } }),
        ];
        for (const answer of others) expect(refusal(answer)).toEqual(refused(401, UNAUTHORIZED));
        expect(await list(tour)).toMatchObject([{ rating: 4 }]);
      },
    );

    it("an expired token logs nobody in, even with a valid cookie", async () => {
      const { path, token, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      expect((await rate(path, { token })).status).toBe(200);
      await AccessToken.updateMany({}, { $set: { expiresAt: ago(1) } });
      expect(refusal(await rate(path, { token, cookie }))).toEqual(refused(401, UNAUTHORIZED));
    });

    it("a token on a page logs nobody in", async () => {
      const { token, guest } = await reviewed();
      for (const path of ["/me", "/me/data.json", "/me/account"]) {
        const answer = await call(app, "GET", path, { token });
        expect([path, answer.status]).toEqual([path, 302]);
      }
      const raw = new URLSearchParams({ intent: "create-token", tokenName: "Mine" });
      expect((await call(app, "POST", "/me/account", { token, raw })).status).toBe(302);
      expect(await AccessToken.countDocuments({ userId: guest._id })).toBe(1);
    });

    it("a valid token with extra characters around it logs nobody in", async () => {
      const { path, token } = await reviewed();
      for (const authorization of [
        token,
        `Token ${token}`,
        `Bearer ${token} x`,
        `Bearer ${token}x`,
        `Bearer "${token}"`,
        `Bearer ${token.toUpperCase()}`,
        `Bearer Bearer ${token}`,
      ])
        expect(refusal(await rate(path, { headers: { authorization } }))).toEqual(
          refused(401, UNAUTHORIZED),
        );
    });

    it("a revoked token logs nobody in, and the token itself is not stored", async () => {
      const { path, token } = await reviewed();
      expect((await rate(path, { token })).status).toBe(200);
      expect(JSON.stringify(await AccessToken.find().lean())).not.toContain(token);
      await AccessToken.deleteMany({});
      expect(refusal(await rate(path, { token }))).toEqual(refused(401, UNAUTHORIZED));
    });

    it("a token and a cookie of a user who no longer exists log nobody in", async () => {
      const { path, token, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      await User.deleteOne({ _id: guest._id });
      for (const options of [{ token }, { cookie }])
        expect(refusal(await rate(path, options))).toEqual(refused(401, UNAUTHORIZED));
    });

    test.each<[string, (cookie: string) => string]>([
      ["signed by nobody", (cookie) => cookie.replace(/\.[^.]*$/, "")],
      ["signed wrong", (cookie) => `${cookie.slice(0, -6)}AAAAAA`],
      ["changed", (cookie) => cookie.replace(/=./, (start) => (start === "=A" ? "=B" : "=A"))],
      ["of another name", (cookie) => cookie.replace("session=", "__Host-session=")],
      ["empty", () => "session="],
      ["nonsense", () => "session=%E0%A4%A; session; ;=;"],
    ])("a cookie %s logs nobody in", async (_, spoil) => {
      const { path, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      expect(spoil(cookie)).not.toBe(cookie);
      const answer = await rate(path, { cookie: spoil(cookie) });
      expect(refusal(answer)).toEqual(refused(401, UNAUTHORIZED));
      expect((await rate(path, { cookie })).status).toBe(200);
    });

    it("a cookie whose session has expired logs nobody in", async () => {
      const { path, guest } = await reviewed();
      const cookie = await logIn(app, guest.email);
      await Session.updateMany({}, { $set: { expiresAt: ago(1) } });
      expect(refusal(await rate(path, { cookie }))).toEqual(refused(401, UNAUTHORIZED));
    });
  });
});
