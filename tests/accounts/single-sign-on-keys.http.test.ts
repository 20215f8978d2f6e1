import jsonwebtoken from "jsonwebtoken";
import { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type App, call, cookieOf, shown, startApp } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import {
  type Claims,
  claimsOf,
  logInOnPlatform,
  LOGIN_SECRET,
  signed,
} from "../support/single-sign-on";
import { makeKey, serveKeys } from "../support/keys";

// Tokens that a platform signs with a private key (docs/rules/accounts.md, Users of a platform).

useDatabase();

const SITE = "https://reviews.example.com";

const [rsa, elliptic, unknown] = await Promise.all([
  makeKey("rsa"),
  makeKey("elliptic", "ES256"),
  makeKey("unknown"),
]);

let server: Awaited<ReturnType<typeof serveKeys>>;
/** One that takes both, and one that takes only keys. */
let both: App;
let onlyKeys: App;
beforeAll(async () => {
  server = await serveKeys();
  server.show(rsa, elliptic);
  const { LOGIN_URL, LOGIN_SECRET } = logInOnPlatform("https://platform.example.com/log-in");
  const settings = { LOGIN_URL, LOGIN_JWKS_URL: server.address.href, APP_URL: SITE };
  [both, onlyKeys] = await Promise.all([
    startApp(databaseUri(), { ...settings, LOGIN_SECRET }),
    startApp(databaseUri(), settings),
  ]);
});
afterAll(async () => {
  await Promise.all([both.stop(), onlyKeys.stop()]);
  await server.close();
});

let ann: { _id: Types.ObjectId; name: string; email: string };
beforeEach(() => {
  const _id = new Types.ObjectId();
  ann = { _id, name: "Ann", email: `${_id.toString()}@example.test` };
});

type Sign = (claims: Claims) => Promise<string> | string;

/** The status of a log-in with a token of that signature, and what its page says. */
async function logIn(app: App, sign: Sign): Promise<[number, string]> {
  const left = await call(app, "GET", "/login");
  const nonce = new URL(left.headers.get("location")!).searchParams.get("nonce");
  const token = await sign(claimsOf(ann, SITE, { nonce }));
  const cookie = cookieOf(left);
  const answer = await call(app, "GET", `/login/return?token=${token}`, { cookie });
  return [answer.status, shown(answer)];
}

const post = async (app: App, sign: Sign) =>
  call(app, "POST", "/api/reviews", {
    token: await sign(claimsOf(ann, `${SITE}/api`)),
    body: {},
  });

const byLibrary =
  (key: string, options: jsonwebtoken.SignOptions): Sign =>
  (claims) =>
    jsonwebtoken.sign(claims, key, options);

describe("a token is taken", () => {
  it.each<[string, Sign]>([
    ["by RS256", rsa.sign],
    ["by ES256", elliptic.sign],
    ["of jsonwebtoken by RS256", byLibrary(rsa.pem.private, { algorithm: "RS256", keyid: "rsa" })],
    [
      "of jsonwebtoken by ES256",
      byLibrary(elliptic.pem.private, { algorithm: "ES256", keyid: "elliptic" }),
    ],
  ])("%s, with a shared secret beside the keys or without, also at the API", async (_, sign) => {
    for (const app of [both, onlyKeys]) {
      expect((await logIn(app, sign))[0]).toBe(302);
      expect((await post(app, sign)).status).toBe(400);
    }
  });

  it("by the shared secret only where there is one", async () => {
    const byJsonwebtoken = byLibrary(LOGIN_SECRET, { algorithm: "HS256" });
    for (const sign of [signed, byJsonwebtoken] as Sign[]) {
      expect((await logIn(both, (claims) => sign(claims)))[0]).toBe(302);
      const [status, text] = await logIn(onlyKeys, (claims) => sign(claims));
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('"alg" must be RS256 or ES256'),
      ]);
      expect((await post(onlyKeys, (claims) => sign(claims))).status).toBe(401);
    }
  });
});

describe("a token is refused", () => {
  it.each<[string, Sign, string]>([
    ["of an unknown key", unknown.sign, "no applicable key found"],
    [
      "of another key under that name",
      (claims) => unknown.sign(claims, { kid: "rsa" }),
      "the signature is wrong",
    ],
    [
      "that takes the public key for a secret",
      (claims) => signed(claims, { secret: rsa.pem.public }),
      '"alg" must be',
    ],
    [
      "that takes the key set's number for a secret",
      (claims) => signed(claims, { secret: rsa.jwk.n! }),
      '"alg" must be',
    ],
    ["of another algorithm", byLibrary(rsa.pem.private, { algorithm: "RS512" }), '"alg" must be'],
    ["of PSS", byLibrary(rsa.pem.private, { algorithm: "PS256" }), '"alg" must be'],
    [
      "by the secret that calls itself RS256",
      (claims) => signed(claims, { alg: "RS256" }),
      "the signature is wrong",
    ],
  ])("%s", async (_, sign, failure) => {
    const [status, text] = await logIn(onlyKeys, sign);
    expect([status, text]).toEqual([400, expect.stringContaining(failure)]);
    expect((await logIn(both, sign))[0]).toBe(400);
    for (const app of [both, onlyKeys]) expect((await post(app, sign)).status).toBe(401);
  });
});

it("says that it cannot be checked while the keys cannot be read", async () => {
  const nowhere = await startApp(databaseUri(), {
    LOGIN_URL: "https://platform.example.com/log-in",
    LOGIN_JWKS_URL: "http://127.0.0.1:9/jwks.json",
    APP_URL: SITE,
  });
  try {
    const [status, text] = await logIn(nowhere, rsa.sign);
    expect([status, text]).toEqual([
      503,
      expect.stringContaining("cannot be checked at the moment"),
    ]);
    const answer = await post(nowhere, rsa.sign);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    // Users without such a token notice nothing.
    expect((await call(nowhere, "POST", "/api/reviews", { body: {} })).status).toBe(401);
  } finally {
    await nowhere.stop();
  }
});
