import { beforeAll, expect, test } from "vitest";
import { WRONG_PASSWORDS_A_DAY } from "~/accounts/limits.server";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import { call, sessionOf, tokenOf } from "../support/app";
import { forgetAttempts } from "../support/database";
import { app, useApp } from "../support/shared-app";
import { fillLimit, PASSWORD } from "../support/factories";
import { makeWorld, type World } from "../support/world";

// Retry-After reaches the answer together with the refusal, in every kind of request (docs/rules/requests.md, Limits).

useApp({ emptied: "once" });

let world: World;
let cookie: string;
beforeAll(async () => {
  world = await makeWorld();
  cookie = await sessionOf(world.author);
  await forgetAttempts();
  for (const { _id } of [world.author, world.guide])
    await fillLimit("write", _id.toString(), WRITES_A_MINUTE);
});

const WORDS = "Words that took an evening to write";
const review = () => `/reviews/${world.review._id.toString()}`;
type Fields = Record<string, string>;

/** The pages whose action counts a change, each with a form, and the words of it that the answer shows again. */
test.each<[string, () => string, Fields, string?]>([
  ["a new review", () => `/tours/${world.tour.slug}`, { rating: "1", comment: WORDS }],
  ["an edit", () => `${review()}/edit`, { rating: "1", comment: WORDS }, WORDS],
  ["a deletion", () => `${review()}/delete`, {}],
  ["a name", () => "/me/account", { intent: "profile", name: "Ann", image: "" }],
  ["an address", () => "/me/account", { intent: "address", newEmail: "a@b.test" }],
  ["a token", () => "/me/account", { intent: "create-token", tokenName: "Laptop" }],
  ["a log-out elsewhere", () => "/me/sessions", { intent: "end", session: "" }],
  ["all of them", () => "/me/sessions", { intent: "end-others" }],
  ["an account's end", () => "/me/account/delete", { password: PASSWORD }],
  ["a setting", () => "/guide/mail", { reviewMails: "none" }],
  ["a departure", () => "/guide?index", { intent: "complete", tourId: "", date: "" }],
  ["a departure undone", () => "/guide?index", { intent: "undo", completion: "" }],
])("%s, posted by a browser and by a page's script", async (_, path, form, shown = "") => {
  const raw = new URLSearchParams({ ...form, currentPassword: PASSWORD });
  for (const address of [path(), path().replace(/(?=\?|$)/, ".data")]) {
    const answer = await call(app, "POST", address, { cookie, raw });
    expect([address, answer.status]).toEqual([address, 429]);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.text).toContain("Too many requests");
    if (address === path()) expect(answer.text).toContain(shown);
  }
});

test.each([
  ["POST", "/api/reviews", () => "/api/reviews"],
  ["PATCH", "/api/reviews/{id}", () => `/api${review()}`],
  ["DELETE", "/api/reviews/{id}", () => `/api${review()}`],
  ["PUT", "/api/reviews/{id}/reply", () => `/api${review()}/reply`],
  ["DELETE", "/api/reviews/{id}/reply", () => `/api${review()}/reply`],
])("%s %s", async (method, _, pathOf) => {
  const path = pathOf();
  const token = await tokenOf(world.author);
  const answer = await call(app, method, path, { token, body: { rating: 1 } });
  expect([answer.status, answer.json]).toEqual([429, { error: "Too many requests" }]);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
});

test.each([
  ["a reply", { comment: WORDS }],
  ["a reply withdrawn", { intent: "withdraw" }],
])("%s, posted by a browser", async (_, form) => {
  const options = { cookie: await sessionOf(world.guide), raw: new URLSearchParams(form) };
  const answer = await call(app, "POST", `${review()}/reply`, options);
  expect([answer.status, answer.text]).toEqual([429, expect.stringContaining("Too many requests")]);
});

test("the form of a new review keeps what was written", async () => {
  const { _id } = world.booked;
  await fillLimit("write", _id.toString(), WRITES_A_MINUTE);
  const raw = new URLSearchParams({ rating: "4", comment: WORDS });
  const options = { cookie: await sessionOf(world.booked), raw };
  const answer = await call(app, "POST", `/tours/${world.tour.slug}`, options);
  expect(answer.status).toBe(429);
  expect(answer.text).toContain(WORDS);
  expect(answer.text).toMatch(/<input[^>]*value="4"[^>]*checked=""|checked=""[^>]*value="4"/);
});

test("wrong passwords, which are refused with 400; other refusals say nothing of time", async () => {
  await fillLimit("login-day", world.author._id.toString(), WRONG_PASSWORDS_A_DAY);
  const wrong = (email: string) => ({ raw: new URLSearchParams({ email, password: "wrong" }) });
  for (const [address, email, after] of [
    ["/login", world.author.email, expect.stringMatching(/^[1-9]\d*$/)],
    ["/login.data", world.author.email, expect.stringMatching(/^[1-9]\d*$/)],
    ["/login", "nobody@example.test", null],
  ] as const) {
    const { status, headers } = await call(app, "POST", address, wrong(email));
    expect([address, status, headers.get("retry-after")]).toEqual([address, 400, after]);
  }
});
