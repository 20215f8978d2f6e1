import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failedLogins, linksByNetwork } from "~/accounts/limits.server";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import type { NetworkLimit } from "~/db/rate-limits.server";
import { EmailLink } from "#models/email-link";
import { RateLimitCount } from "#models/rate-limit";
import { linkTo } from "../support/mail";
import { call, logIn, startApp, tokenOf, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import {
  fillLimit,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";

useDatabase();

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const consume = (limit: NetworkLimit, key: string, count: number) =>
  Array.from({ length: count }, () => limit.consume(key));

// Limits for one account or one recipient are in tests/accounts.
describe("over HTTP", () => {
  /** One app without a proxy, and two behind one that share the work. */
  let app: App;
  let proxied: App[];
  beforeAll(async () => {
    const settings = { TRUST_PROXY: "true" };
    app = await startApp(databaseUri());
    proxied = await times(2, () => startApp(databaseUri(), settings));
  });
  afterAll(() => Promise.all([app, ...proxied].map((one) => one.stop())));
  const either = (index: number) => proxied[index % 2]!;

  const post = (to: App, path: string, fields: Record<string, string>, from: string) =>
    call(to, "POST", path, {
      raw: new URLSearchParams(fields),
      headers: { "x-forwarded-for": from },
    });
  const statuses = (answers: { status: number }[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const secondsOf = ({ headers }: { headers: Headers }) => {
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    return Number(headers.get("retry-after"));
  };

  // Each kind of change is in retry-after.http.test.ts.
  test("600 changes a minute per user, counted over both processes", async () => {
    const tour = await makeTour();
    const [ann, bob] = [await makeBookedExplorer(tour), await makeBookedExplorer(tour)];
    const path = `/api/reviews/${(await makeReview(ann, tour))._id.toString()}`;
    const token = await tokenOf(ann);
    const patch = (index: number, options = {}) =>
      call(either(index), "PATCH", path, { body: {}, ...options });

    // Requests without a log-in are not counted for Ann.
    await times(20, (index) => patch(index));
    await fillLimit("write", ann._id.toString(), WRITES_A_MINUTE - 100);
    const answers = await times(140, (index) => patch(index, { token }));
    expect(statuses(answers)).toEqual({ 400: 100, 429: 40 });
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer.json).toEqual({ error: "Too many requests" });
      expect(secondsOf(answer)).toBeLessThanOrEqual(60);
    }
    const body = { tourId: tour._id.toString(), rating: 4 };
    const others = await call(app, "POST", "/api/reviews", { token: await tokenOf(bob), body });
    expect([others.status, others.headers.get("retry-after")]).toEqual([201, null]);
    const cookie = await logIn(app, ann.email);
    expect((await call(app, "GET", "/me", { cookie })).status).toBe(200);
  });

  test("failed log-ins per address, counted over both processes", async () => {
    const { email } = await makeUser();
    const from = "198.51.100.7";
    await Promise.all(consume(failedLogins, from, 80));
    const guess = (index: number, address: string) => {
      const fields = { email: `nobody${index}@example.test`, password: "wrong" };
      return post(either(index), "/login", fields, address);
    };
    const answers = await times(30, (index) => guess(index, `6.6.6.${index}, ${from}`));
    expect(statuses(answers)).toEqual({ 400: 20, 429: 10 });

    const refused = await post(either(0), "/login", { email, password: PASSWORD }, from);
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(/Too many failed log-ins from your network\. Please wait 15 min/);
    expect(refused.text).toContain(`value="${email}"`);
    expect(refused.text).not.toContain(PASSWORD);
    expect(secondsOf(refused)).toBeGreaterThan(14 * 60);
    expect(secondsOf(refused)).toBeLessThanOrEqual(15 * 60);

    const elsewhere = "198.51.100.8";
    const right = await post(either(0), "/login", { email, password: PASSWORD }, elsewhere);
    expect([right.status, (await guess(1, elsewhere)).status]).toEqual([302, 400]);
  });

  test("correct passwords from one address are never too many", async () => {
    const users = await times(30, () => makeUser());
    const from = "198.51.100.7";
    await fillLimit("login-address", from, 90);
    const answers = await times(users.length, (index) =>
      post(either(index), "/login", { email: users[index]!.email, password: PASSWORD }, from),
    );
    expect(statuses(answers)).toEqual({ 302: 30 });
  });

  test("an address that a client claims changes nothing without a proxy", async () => {
    // Over both loopback addresses, because machines differ in which one they prefer.
    for (const own of ["127.0.0.1", "0:0:0:0::/64"]) await fillLimit("login-address", own, 100);
    for (const from of ["203.0.113.1", "203.0.113.2, 203.0.113.3", "::1"]) {
      const answer = await post(app, "/login", { email: "a@b.test", password: "x" }, from);
      expect([from, answer.status]).toEqual([from, 429]);
    }
    await expect.poll(app.log).toMatch(/TRUST_PROXY must be true/);
    expect(proxied[0]!.log()).not.toMatch(/TRUST_PROXY must be true/);
    expect(app.log()).not.toContain("203.0.113.");
  });

  test("links per network, counted over both processes", async () => {
    const from = "2001:db8:1:2:3::4";
    const form = (index: number) => ({ email: `ann${index}@example.test` });
    await Promise.all(consume(linksByNetwork, "2001:db8:1:2::/64", 54));
    const answers = await times(12, (index) =>
      post(
        either(index),
        index % 2 ? "/signup" : "/reset",
        form(index),
        `2001:db8:1:2::${index + 1}`,
      ),
    );
    expect(statuses(answers)).toEqual({ 200: 6, 429: 6 });
    expect(await EmailLink.countDocuments()).toBe(6);

    const refused = await post(either(0), "/signup", form(99), from);
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(
      /Too many requests for e-mails from your network\. Please wait 60 minutes/,
    );
    expect(refused.text).toContain('value="ann99@example.test"');
    expect(secondsOf(refused)).toBeLessThanOrEqual(60 * 60);
    // A request that fails anyway is refused without being counted.
    const typo = await post(either(0), "/signup", { email: "ann" }, from);
    expect([typo.status, typo.headers.get("retry-after")]).toEqual([400, null]);
    const elsewhere = await post(either(1), "/signup", form(99), "2001:db8:1:3::1");
    expect(elsewhere.status).toBe(200);
  });

  test("one's own link, posted 200 times at once to two processes: each tries it at most once", async () => {
    await post(either(0), "/signup", { email: "ann@example.test" }, "192.0.2.1");
    const link = await linkTo("ann@example.test", "sign-up");
    const form = { name: "Ann", password: "seven blue boats" };
    const answers = await times(200, (index) =>
      post(either(index), link, form, `192.0.2.${index}`),
    );
    const { 302: made, 400: taken = 0, 404: dead } = statuses(answers);
    expect(made).toBe(1);
    // The other process may have found the link just before that, and then finds the new account.
    expect([taken + dead!, taken <= 1]).toEqual([199, true]);
    const tries = (await RateLimitCount.find().lean()).filter(({ key }) =>
      key.startsWith("link-try:"),
    );
    expect(tries.map(({ points }) => points <= 2)).toEqual([true]);
  });
});
