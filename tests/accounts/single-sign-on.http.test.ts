import { randomBytes } from "node:crypto";
import { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { platformId } from "~/db/platform-ids.server";
import { Notification } from "#models/notification";
import { Operator } from "#models/operator";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { SpentNonce } from "#models/spent-nonce";
import { User, type UserDocument } from "#models/user";
import {
  type Answer,
  type App,
  call,
  cookieOf,
  inputs,
  shown,
  startApp,
  tokenOf,
} from "../support/app";
import { databaseUri, stored, useDatabase } from "../support/database";
import { makeBookedExplorer, makeTour, makeUser, PASSWORD } from "../support/factories";
import {
  type Claims,
  claimsOf,
  logInOnPlatform,
  inSeconds,
  LOGIN_SECRET,
  signed,
} from "../support/single-sign-on";
import { addressOf, caseOf, makeCaseScene, report } from "../support/cases";
import { get } from "../support/shared-app";

// A site whose users log in on the platform (docs/rules/accounts.md, Users of a platform).

useDatabase();

const PLATFORM = "https://platform.example.com/log-in?from=reviews";
const SITE = "https://reviews.example.com";
const EXPIRED = "This log-in has expired. Log in again.";

let app: App;
let other: App;
beforeAll(async () => {
  // Two processes of one site.
  const mails = { SENDGRID_API_KEY: "key", SENDGRID_BASE_URL: "http://127.0.0.1:9" };
  const settings = { ...logInOnPlatform(PLATFORM), ...mails, MAIL_FROM: "a@b.test", APP_URL: SITE };
  [app, other] = await Promise.all([
    startApp(databaseUri(), settings),
    startApp(databaseUri(), settings),
  ]);
});
afterAll(() => Promise.all([app.stop(), other.stop()]));

let ann: Pick<UserDocument, "_id" | "name" | "email">;
beforeEach(() => {
  const _id = new Types.ObjectId();
  ann = { _id, name: "Ann", email: `${_id.toString()}@example.test` };
});

/** A token's name, what else it says, made when it is sent, and how it is signed. */
type Refused = [string, () => Claims, Parameters<typeof signed>[1]?];

const path = ({ headers }: Answer) => headers.get("location");

/** Sends the browser to the platform: the nonce, and the browser's cookies. */
async function leave(address = "/login", cookie?: string) {
  const answer = await call(app, "GET", address, { cookie });
  return leaving(answer, cookie);
}

function leaving(answer: Answer, cookie = "") {
  expect(answer.status).toBe(302);
  const to = new URL(path(answer)!);
  expect(to.origin).toBe("https://platform.example.com");
  return {
    to,
    nonce: to.searchParams.get("nonce")!,
    cookie: [cookie, cookieOf(answer)].filter(Boolean).join("; "),
  };
}

const comeBack = (token: string, cookie: string, site = app) =>
  call(site, "GET", `/login/return?token=${token}`, { cookie });

/** Logs a user of the platform in, with what the token says further. */
async function handOver(user = ann, more: Claims = {}, address = "/login", from?: string) {
  const { nonce, cookie } = await leave(address, from);
  return comeBack(signed(claimsOf(user, SITE, { nonce, ...more })), cookie);
}

const sessionIn = (answer: Answer) =>
  cookieOf(answer).replace(/__Host-single-sign-on-[^;]*(; )?/g, "");

const post = (to: string, form: Record<string, string>, cookie?: string) =>
  call(app, "POST", to, { cookie, raw: new URLSearchParams(form) });

describe("the log-in page", () => {
  it("leads to the platform, with a nonce and the site's own address, whatever its own address says", async () => {
    const answer = await call(app, "GET", "/login?return=https://evil.example&nonce=known");
    const { to, nonce } = leaving(answer);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      from: "reviews",
      nonce: expect.stringMatching(/^[\w-]{22}$/),
      return: `${SITE}/login/return`,
    });
    expect(nonce).not.toBe("known");
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-single-sign-on-[\w-]{8}=[^;]+; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    // A user who does not come back has left nothing.
    expect(await stored()).toBe("{}");
  });

  it("takes no password, and neither do the forms that set one", async () => {
    const user = await makeUser();
    const form = { email: user.email, password: PASSWORD, name: "Ann", newPassword: PASSWORD };
    const before = await stored();
    expect(leaving(await post("/login", form)).to.pathname).toBe("/log-in");
    for (const page of ["/signup", "/reset", "/signup/token", "/reset/token"])
      for (const answer of [await call(app, "GET", page), await post(page, form)])
        expect([page, answer.status, path(answer)]).toEqual([page, 302, "/login"]);
    expect(await stored()).toBe(before);
  });
});

describe("a log-in on the platform", () => {
  it("makes an unknown user, and leads to where they wanted to go, never to another site", async () => {
    const image = "https://img.example/ann.png";
    const answer = await handOver(ann, { image }, "/login?redirectTo=/me/account?a=b%23tokens");
    expect([answer.status, path(answer)]).toEqual([302, "/me/account?a=b#tokens"]);
    const made = { ...ann, image, passwordHash: null };
    expect(await User.findById(ann._id).lean()).toMatchObject(made);
    const page = await call(app, "GET", "/me/account", { cookie: sessionIn(answer) });
    expect(shown(page)).toContain(ann.email);
    expect(inputs(page).join()).not.toMatch(/type="password"/);
    for (const name of ["redirectTo", "from"])
      expect(path(await handOver(ann, {}, `/login?${name}=//evil.example`))).toBe("/");
  });

  it("gives a known user the name, picture and address of the platform, and tells the old address", async () => {
    await makeUser({ ...ann, image: "https://img.example/old.png" });
    await handOver({ ...ann, name: "Ann Lee" });
    expect(await User.findById(ann._id).lean()).toMatchObject({
      name: "Ann Lee",
      email: ann.email,
      image: "https://img.example/old.png",
    });
    const changed = { ...ann, email: "new@example.test" };
    await handOver(changed, { image: "javascript:alert(1)" });
    expect(await User.findById(ann._id).lean()).toMatchObject({ ...changed, image: null });
    const mail = await Notification.findOne().lean();
    expect(mail).toMatchObject({ mail: { to: { email: ann.email } } });
  });

  it("leaves what is only spelled in another way", async () => {
    const stored = { name: "Ann  Lee", email: "Ann@Bücher.example", image: "http://img.example/a" };
    await makeUser({ ...ann, ...stored });
    const claims = { ...stored, email: "ann@xn--bcher-kva.example" };
    expect((await handOver(ann, claims)).status).toBe(302);
    expect(await User.findById(ann._id).lean()).toMatchObject(stored);
  });

  it.each(["17", "550e8400-e29b-41d4-a716-446655440000", 17])(
    "knows a user by the platform's own id %j",
    async (sub) => {
      expect((await handOver(ann, { sub })).status).toBe(302);
      expect((await handOver({ ...ann, name: "Ann Lee" }, { sub })).status).toBe(302);
      const token = signed(claimsOf(ann, `${SITE}/api`, { sub }));
      expect((await call(app, "POST", "/api/reviews", { token, body: {} })).status).toBe(400);
      const users = await User.find().lean();
      expect(users).toMatchObject([{ name: "Ann Lee", email: ann.email }]);
      expect(users[0]!._id.toString()).toBe(platformId(sub));
    },
  );

  it("links no account by its address", async () => {
    const known = await makeUser();
    const taken = { email: known.email.toUpperCase() };
    const unknown = await handOver(ann, taken);
    expect([unknown.status, shown(unknown)]).toEqual([
      409,
      expect.stringContaining("Another account here has your e-mail address."),
    ]);
    await makeUser(ann);
    expect((await handOver(ann, taken)).status).toBe(409);
    expect(await User.findById(ann._id).lean()).toMatchObject(ann);
    expect(await Session.countDocuments()).toBe(0);
  });

  it("needs a name, of which it takes 80 characters, an address and an id", async () => {
    for (const [claims, fault] of [
      [{ name: " " }, '"name" cannot be used here'],
      [{ name: undefined }, '"name" is missing'],
      [{ email: "ann" }, '"email" cannot be used here'],
      [{ sub: undefined }, '"sub" is no id'],
    ] as const) {
      const answer = await handOver(ann, claims);
      expect([answer.status, shown(answer)]).toEqual([400, expect.stringContaining(fault)]);
      expect(shown(answer)).toContain("The platform has sent no");
    }
    // Of either secret of the site.
    const { nonce, cookie } = await leave();
    const claims = claimsOf(ann, SITE, { nonce, name: "A".repeat(100) });
    const token = signed(claims, { secret: LOGIN_SECRET.toUpperCase() });
    expect((await comeBack(token, cookie)).status).toBe(302);
    expect((await User.findById(ann._id).lean())!.name).toBe("A".repeat(80));
  });

  it("does not bring a deleted account back", async () => {
    const session = sessionIn(await handOver());
    const deleted = await post("/me/account/delete", {}, session);
    expect([deleted.status, path(deleted)]).toEqual([302, "/"]);
    const { status, text } = await handOver();
    expect([status, text]).toEqual([403, expect.stringContaining("This account was deleted here")]);
    const token = signed(claimsOf(ann, `${SITE}/api`));
    expect((await call(app, "POST", "/api/reviews", { token, body: {} })).status).toBe(401);
    expect(await User.countDocuments()).toBe(0);
    // A new account of the same person is another one.
    expect((await handOver({ ...ann, _id: new Types.ObjectId() })).status).toBe(302);
  });

  it("does not log in to a suspended account", async () => {
    await makeUser({ ...ann, suspendedUntil: new Date(Date.now() + 60_000) });
    const { status, text } = await handOver({ ...ann, name: "Another" });
    expect([status, text]).toEqual([403, expect.stringContaining("Your account is suspended.")]);
    expect(await User.findById(ann._id).lean()).toMatchObject(ann);
    expect(await Session.countDocuments()).toBe(0);
  });
});

describe("a token is refused", () => {
  const refused: [...Refused, failure: string][] = [
    ["without a signature", () => ({}), { alg: "none" }, '"alg" must be HS256'],
    ["that takes the secret for a public key", () => ({}), { alg: "RS256" }, '"alg" must be HS256'],
    ["of another algorithm", () => ({}), { alg: "HS512" }, '"alg" must be HS256'],
    ["of another secret", () => ({}), { secret: `${LOGIN_SECRET}!` }, "signature is wrong"],
    ["for another site", () => ({ aud: "https://other.example" }), {}, `"aud" must be ${SITE} and`],
    ["for the API", () => ({ aud: `${SITE}/api` }), {}, `"aud" must be ${SITE} and`],
    ["for nobody", () => ({ aud: undefined }), {}, `"aud" must be ${SITE} and`],
    ["for the site and the API", () => ({ aud: [SITE, `${SITE}/api`] }), {}, "and nothing else"],
    ["for another and the site", () => ({ aud: ["https://a.example", SITE] }), {}, "nothing else"],
    ["that is late", () => ({ exp: inSeconds(-65) }), {}, '"exp" is over'],
    [
      "that ends too late",
      () => ({ exp: inSeconds(190) }),
      {},
      '"exp" is more than 2 minutes away',
    ],
    ["without an end", () => ({ exp: undefined }), {}, 'missing required "exp" claim'],
    ["that is not valid yet", () => ({ nbf: inSeconds(70) }), {}, '"nbf" is in the future'],
    ["that is from the future", () => ({ iat: inSeconds(70) }), {}, '"iat" is in the future'],
    ["of another nonce", () => ({ nonce: "another" }), {}, '"nonce" is not one that this browser'],
    ["without a nonce", () => ({ nonce: undefined }), {}, '"nonce" is not one that this browser'],
  ];
  it.each(refused)("%s, in words for its developer", async (_, claimsNow, options, failure) => {
    const { nonce, cookie } = await leave();
    const content = claimsOf(ann, SITE, { nonce, ...claimsNow() });
    const answer = await comeBack(signed(content, options), cookie);
    expect([answer.status, shown(answer)]).toEqual([400, expect.stringContaining(EXPIRED)]);
    expect(shown(answer)).toContain(failure);
    await expect.poll(app.log).toContain(JSON.stringify(failure).slice(1, -1));
    expect(await stored()).toBe("{}");
    // The same with what is missing is taken.
    const good = signed(claimsOf(ann, SITE, { nonce }));
    expect((await comeBack(good, cookie)).status).toBe(302);
  });

  it("that is no JWT", async () => {
    const { cookie } = await leave();
    for (const token of ["", "a.b", "a.b.c", `${Buffer.from("[]").toString("base64url")}.e30.a`])
      expect(shown(await comeBack(token, cookie))).toContain("its token was refused,");
  });

  it("only past a minute by which the clocks of two machines may differ", async () => {
    const clocks: Record<string, number>[] = [
      { iat: 55, nbf: 55, exp: 170 },
      { iat: -110, exp: -55 },
    ];
    for (const clock of clocks) {
      const times = Object.entries(clock).map(([claim, seconds]) => [claim, inSeconds(seconds)]);
      expect((await handOver(ann, Object.fromEntries(times) as Claims)).status).toBe(302);
    }
  });

  it("a second time, also by another process, at the same moment and with a new token", async () => {
    const { nonce, cookie } = await leave();
    const token = () => signed(claimsOf(ann, SITE, { nonce, jti: randomBytes(4).toString("hex") }));
    const sites = [app, other, app, other, app, other];
    const answers = await Promise.all(sites.map((site) => comeBack(token(), cookie, site)));
    expect(answers.filter((answer) => path(answer) === "/")).toHaveLength(1);
    expect(await Session.countDocuments()).toBe(1);
    // The others lead to the platform once more, each with a nonce of its own; without the cookie nothing does.
    for (const answer of answers.filter((answer) => path(answer) !== "/")) {
      expect(leaving(answer).nonce).not.toBe(nonce);
      expect(answer.headers.getSetCookie().join()).toMatch(
        new RegExp(`-${nonce.slice(0, 8)}=; Max-Age=0`),
      );
    }
    expect((await comeBack(token(), "")).status).toBe(400);
    expect(await Session.countDocuments()).toBe(1);
    const [spent] = await SpentNonce.find().lean();
    expect(spent!.expiresAt.getTime()).toBeGreaterThan(Date.now() + 25 * 60_000);
  });

  it("in a browser that did not ask for it", async () => {
    const { nonce, cookie } = await leave();
    const attacker = signed(claimsOf(ann, SITE, { nonce }));
    for (const victim of ["", (await leave()).cookie, cookie.replace(/=.*/, "=abc")])
      expect((await comeBack(attacker, victim)).status).toBe(400);
    expect((await comeBack("x".repeat(7_000), cookie)).status).toBe(400);
    expect(await Session.countDocuments()).toBe(0);
  });
});

describe("several tabs", () => {
  /** The cookies that a browser keeps: those that it had, and what an answer sets or ends. */
  function kept(jar: Map<string, string>, answer?: Answer): string {
    for (const line of answer?.headers.getSetCookie() ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value && !line.includes("Max-Age=0")) jar.set(name!, value);
      else jar.delete(name!);
    }
    return [...jar].map((pair) => pair.join("=")).join("; ");
  }

  it.each(["one after another", "at the same moment"])(
    "leave %s, and each logs in",
    async (how) => {
      const jar = new Map<string, string>();
      const pages = ["/guide", "/me", "/me/account", "/me/sessions", "/operator"];
      const open = (page: string) =>
        call(app, "GET", `/login?redirectTo=${page}`, { cookie: kept(jar) });
      const left: Answer[] = [];
      if (how === "at the same moment") left.push(...(await Promise.all(pages.map(open))));
      else for (const page of pages) left.push(await open(page));
      for (const answer of left) kept(jar, answer);
      for (const [tab, answer] of [...left.entries()].reverse()) {
        const nonce = new URL(path(answer)!).searchParams.get("nonce");
        const token = signed(claimsOf(ann, SITE, { nonce }));
        const back = await comeBack(token, kept(jar));
        expect([back.status, path(back)]).toEqual([302, pages[tab]]);
        kept(jar, back);
      }
      const me = await call(app, "GET", "/me", { cookie: kept(jar) });
      expect([me.status, await Session.countDocuments()]).toEqual([200, 1]);
    },
  );

  it("leave as often as they like, with cookies that fit into a request", async () => {
    const jar = new Map<string, string>();
    for (const length of [...Array<number>(12).fill(10), ...Array<number>(3).fill(1_800)]) {
      const to = `/tours/${"x".repeat(length)}`;
      const cookie = kept(jar);
      expect(cookie.length).toBeLessThan(4_200);
      const answer = await call(app, "GET", `/login?redirectTo=${to}`, { cookie });
      const nonce = new URL(path(answer)!).searchParams.get("nonce");
      kept(jar, answer);
      expect(jar.size).toBeLessThanOrEqual(10);
      // The latest one always works.
      if (length > 10) {
        const token = signed(claimsOf(ann, SITE, { nonce }));
        expect(path(await comeBack(token, kept(jar)))).toBe(to);
      }
    }
  });

  it("lead a second click on that comes before the first one's answer, and end logged in", async () => {
    const { nonce, cookie } = await leave("/login?redirectTo=/me/account");
    const token = signed(claimsOf(ann, SITE, { nonce }));
    // The browser drops the first answer, with its cookies.
    await comeBack(token, cookie);
    const jar = new Map<string, string>();
    const second = await comeBack(token, cookie, other);
    const left = leaving(second);
    const good = signed(claimsOf(ann, SITE, { nonce: left.nonce }));
    const back = await comeBack(good, kept(jar, second));
    expect([back.status, path(back)]).toEqual([302, "/me/account"]);
    expect((await call(app, "GET", "/me/account", { cookie: kept(jar, back) })).status).toBe(200);
  });

  it("lead on with a used token who is logged in as its user, and prove nothing by it", async () => {
    const { nonce, cookie } = await leave("/login?redirectTo=/me/account");
    const token = signed(claimsOf(ann, SITE, { nonce }));
    const first = await comeBack(token, cookie);
    const both = `${cookie}; ${sessionIn(first)}`;
    const sessions = await Session.find().lean();
    // A second click, and a page that is loaded again; then in a browser that has lost the nonce.
    for (const [cookies, to] of [
      [both, "/me/account"],
      [both, "/me/account"],
      [sessionIn(first), "/"],
    ])
      for (const site of [app, other]) {
        const again = await comeBack(token, cookies!, site);
        expect([again.status, path(again)]).toEqual([302, to]);
      }
    expect(await Session.find().lean()).toEqual(sessions);
    // Neither for another user, nor with a token that is not good; after a log-out the platform decides anew.
    const bob = { _id: new Types.ObjectId(), name: "Bob", email: "bob@example.test" };
    const refused = [
      signed(claimsOf(bob, SITE, { nonce })),
      signed(claimsOf(ann, SITE, { nonce, exp: inSeconds(-90) })),
    ];
    for (const used of refused) expect((await comeBack(used, both)).status).toBe(400);
    await call(app, "POST", "/logout", { cookie: both });
    const { cookie: later, nonce: another } = leaving(await comeBack(token, both));
    expect(await Session.countDocuments()).toBe(0);
    const anew = signed(claimsOf(ann, SITE, { nonce: another }));
    expect(path(await comeBack(anew, later))).toBe("/me/account");
    expect(await User.countDocuments()).toBe(1);
  });
});

test("a token is in no line of the log and no Referer, whoever misspells its address", async () => {
  const { nonce, cookie } = await leave();
  const token = signed(claimsOf(ann, SITE, { nonce: `not ${nonce}` }));
  const answer = await comeBack(token, cookie);
  expect(answer.headers.get("referrer-policy")).toBe("strict-origin");
  expect(answer.text).not.toContain(token);
  for (const open of ["/login/return%3Ftoken=", "/login/return%3f%74oken%3d", "/x?a&token="]) {
    const { headers } = await call(app, "GET", open + token);
    await expect.poll(app.log).toContain(headers.get("x-request-id"));
  }
  const [, content] = token.split(".");
  expect(app.log()).not.toContain(content);
  expect(app.log()).not.toContain(LOGIN_SECRET);
});

test("a review that was sent without a log-in waits for strangers up to 60 times an hour, each for an hour", async () => {
  const review = { rating: "4", comment: "Lanterns on the water." };
  const answers: number[] = [];
  for (let time = 0; time < 61; time++) answers.push((await post("/login", review)).status);
  expect(answers).toEqual([...Array<number>(60).fill(302), 429]);
  const [session] = await Session.find().lean();
  expect(session!.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60 * 60 * 1_000);
});

describe("a form that asks for the password elsewhere", () => {
  const FORMS: [string, string, Record<string, string>, string, unknown[]][] = [
    [
      "/me/account",
      "a token",
      { intent: "create-token", tokenName: "Laptop" },
      "/me/account#tokens",
      [200, null],
    ],
    ["/me/account/delete", "a deletion", {}, "/me/account/delete", [302, "/"]],
    ["/operator", "a decision", { to: "" }, "/operator?to=", [302, "/operator"]],
  ];

  it.each(FORMS)(
    "%s takes a fresh log-in on the platform for %s, and leads there and back",
    async (page, _, form, to, answer) => {
      await makeUser(ann);
      await Operator.create({ _id: ann._id, since: new Date() });
      let session = sessionIn(await handOver());
      const ofAnn = { userId: ann._id };
      for (const minutes of [5.1, 1e9]) {
        await Session.updateMany(ofAnn, { "data.handedOffAt": Date.now() - minutes * 60_000 });
        const before = await User.countDocuments();
        // No password counts, not even the right one.
        const sent = { ...form, password: PASSWORD, currentPassword: PASSWORD };
        const { nonce, cookie } = leaving(await post(page, sent, session), session);
        expect(await User.countDocuments()).toBe(before);
        const back = await comeBack(signed(claimsOf(ann, SITE, { nonce })), cookie);
        expect([back.status, path(back)]).toEqual([302, to]);
        session = sessionIn(back);
        expect(shown(await call(app, "GET", page, { cookie: session }))).toContain(
          "You have logged in again. Now send the form.",
        );
      }
      await Session.updateMany(ofAnn, { "data.handedOffAt": Date.now() - 4.9 * 60_000 });
      const done = await post(page, form, session);
      expect([done.status, path(done)]).toEqual(answer);
    },
  );

  it("keeps what an operator has written too late, and nobody else gets it", async () => {
    await makeUser(ann);
    await Operator.create({ _id: ann._id, since: new Date() });
    const { review } = await makeCaseScene();
    await report(addressOf(review));
    const page = `/operator/cases/${(await caseOf(review))._id.toString()}`;
    const explanation = "It was written for half an hour.";
    const another = await makeUser();
    await Operator.create({ _id: another._id, since: new Date() });
    for (const user of [another, ann]) {
      const session = sessionIn(await handOver());
      const sent = await post(page, { action: "keep", ground: "allowed", explanation }, session);
      expect(path(sent)).toBe(`/operator?to=${encodeURIComponent(page)}`);
      await Session.updateMany({ userId: ann._id }, { "data.handedOffAt": 0 });
      const { nonce, cookie } = leaving(await post("/operator", { to: page }, session), session);
      const back = await comeBack(signed(claimsOf(user, SITE, { nonce })), cookie);
      const confirmed = await post("/operator", { to: page }, sessionIn(back));
      expect(path(confirmed)).toBe(page);
      const { text } = await call(app, "GET", page, { cookie: sessionIn(back) });
      expect(text.includes(explanation)).toBe(user === ann);
    }
  });

  it("changes nothing that the platform decides: password, profile and address", async () => {
    await makeUser(ann);
    const session = sessionIn(await handOver());
    const before = await User.findById(ann._id).lean();
    const passwords = { currentPassword: PASSWORD, newPassword: "seven blue boats" };
    const forms: Record<string, string>[] = [
      { intent: "password", ...passwords },
      { intent: "profile", name: "Anna", image: "" },
      { intent: "address", newEmail: "new@example.test", ...passwords },
    ];
    for (const form of forms) expect(path(await post("/me/account", form, session))).toBe("/login");
    expect(await User.findById(ann._id).lean()).toEqual(before);
    const page = shown(await call(app, "GET", "/me/account", { cookie: session }));
    expect(page).toContain("are those of your account where you log in.");
    expect(page).not.toContain("New e-mail address");
  });
});

describe("the API", () => {
  const apiToken = (more: Claims = {}) => signed(claimsOf(ann, `${SITE}/api`, more));
  const send = (token: string, body: object) => call(app, "POST", "/api/reviews", { token, body });

  it("takes the platform's token for its user, and keeps that the review came so", async () => {
    const tour = await makeTour();
    await makeBookedExplorer(tour, ann);
    const body = { tourId: tour._id.toString(), rating: 5 };
    // A list of one says the same.
    const aud = [`${SITE}/api`];
    const token = apiToken({ aud, name: undefined, email: undefined, exp: inSeconds(299) });
    const { status, text } = await send(token, body);
    expect([status, text]).toEqual([201, expect.not.stringContaining("postedBy")]);
    expect(await Review.findOne().lean()).toMatchObject({ userId: ann._id, postedBy: "platform" });
    const list = await call(app, "GET", `/api/reviews?tourId=${body.tourId}`);
    expect(list.text).not.toContain("postedBy");
    const data = await call(app, "GET", "/me/data.json", { cookie: sessionIn(await handOver()) });
    expect(data.text).toContain('"postedBy":"platform"');
    // Personal tokens work as before.
    expect((await send(await tokenOf(ann), body)).status).toBe(400);
  });

  it("makes an unknown user of whom it says name and address", async () => {
    const body = { tourId: new Types.ObjectId().toString(), rating: 5 };
    const taken = (await makeUser()).email;
    for (const claims of [{ name: undefined }, { email: undefined }, { email: taken }])
      expect((await send(apiToken(claims), body)).status).toBe(401);
    expect(await User.findById(ann._id)).toBeNull();
    expect((await send(apiToken(), body)).status).toBe(404);
    expect(await User.findById(ann._id).lean()).toMatchObject(ann);
  });

  it("leaves name and address of a known one, and knows no suspended one", async () => {
    await makeUser(ann);
    expect((await send(apiToken({ name: "Another" }), {})).status).toBe(400);
    expect(await User.findById(ann._id).lean()).toMatchObject(ann);
    await User.updateOne({ _id: ann._id }, { suspendedUntil: new Date(Date.now() + 60_000) });
    expect((await send(apiToken(), {})).status).toBe(401);
  });

  it.each<Refused>([
    ["for a log-in", () => ({ aud: SITE })],
    ["for the API and a log-in", () => ({ aud: [`${SITE}/api`, SITE] })],
    ["with the nonce of a log-in", () => ({ nonce: randomBytes(16).toString("base64url") })],
    ["that ends too late", () => ({ exp: inSeconds(370) })],
    ["that is late", () => ({ exp: inSeconds(-65) })],
    ["without a signature", () => ({}), { alg: "none" }],
    ["of another secret", () => ({}), { secret: `${LOGIN_SECRET}!` }],
  ])("refuses a token %s", async (_, claimsNow, options) => {
    await makeUser(ann);
    const token = signed(claimsOf(ann, `${SITE}/api`, claimsNow()), options);
    expect((await send(token, {})).status).toBe(401);
    expect((await send(apiToken(), {})).status).toBe(400);
  });
});

test("the rules say that the platform may pass reviews on, where a site has LOGIN_URL", async () => {
  const passedOn = "can pass on a review";
  expect(shown(await call(app, "GET", "/about/reviews"))).toContain(passedOn);
  expect(shown(await get("/about/reviews"))).not.toContain(passedOn);
  expect((await get("/login/return?token=x")).status).toBe(404);
});

test("no page and no e-mail leads to what only the platform changes", async () => {
  const tour = await makeTour();
  const user = await makeBookedExplorer(tour);
  await makeTour({ createdById: user._id });
  const cookie = sessionIn(await handOver(user));
  const form = { intent: "create-token", tokenName: "Laptop", expiry: "90" };
  const made = await post("/me/account", form, cookie);
  expect(shown(made)).toContain("Copy your new token now.");
  const mail = await Notification.findOne().orFail().lean();
  const own = ["", "/account", "/account/delete", "/sessions"].map((page) => `/me${page}`);
  const pages = ["/", `/tours/${tour.slug}`, "/guide", "/guide/mail", "/about/reviews", ...own];
  const answers = await Promise.all(
    [undefined, cookie].flatMap((by) =>
      pages.map(async (page) => [page, (await call(app, "GET", page, { cookie: by })).text]),
    ),
  );
  for (const [page, text] of [
    ...answers,
    ["its e-mail", JSON.stringify(mail.mail).replaceAll("\\n", " ")],
  ]) {
    const there = text!
      .replace(/<script.*?<\/script>/gs, "")
      .replaceAll("change your password where you log in", "");
    const found =
      /(href|action)="\/(signup|reset)[^>]*|#(address|password)|[^.>]*password|Change your name/i;
    expect([page, found.exec(there)?.[0]]).toEqual([page, undefined]);
  }
});
