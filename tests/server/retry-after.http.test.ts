import { readFile } from "node:fs/promises";
import mongoose from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { headers } from "~/server/retry-after.server";
import { WRITES_A_MINUTE, WRONG_PASSWORDS_A_DAY } from "~/db/limits.server";
import { buildFolder } from "../../scripts/lib/freshness.mjs";
import { call, sessionOf, tokenOf } from "../support/app";
import { app, useApp } from "../support/shared-app";
import { fillLimit, PASSWORD } from "../support/factories";
import { ROUTES } from "../support/manifest";
import { isApi } from "../support/register";
import { makeWorld, type World } from "../support/world";

// Retry-After reaches the answer together with the refusal, in every kind of request (docs/rules/requests.md, Limits).

describe("the `headers` export, without which Remix drops the Retry-After of an action", () => {
  const pages = ROUTES.filter(({ id, pattern }) => id === "root" || !isApi(pattern));

  test.each(pages.map(({ id, file }) => [id, file]))("%s", async (id, file) => {
    const route = (await import(file)) as Record<string, unknown>;
    const isPage = "default" in route;
    const needsIt = id === "root" || (isPage && "action" in route);
    expect([id, route.headers]).toEqual([id, needsIt ? headers : undefined]);
  });

  test("does not reach browsers", async () => {
    const list = await readFile(`${buildFolder()}/browser-files.json`, "utf8");
    const scripts = (JSON.parse(list) as string[]).filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(0);
    for (const name of scripts)
      expect([name, await readFile(`public/build/${name}`, "utf8")]).toEqual([
        name,
        expect.not.stringContaining("Retry-After"),
      ]);
  });
});

describe("over HTTP", () => {
  useApp();

  let world: World;
  let cookie: string;
  beforeEach(async () => {
    world = await makeWorld();
    cookie = await sessionOf(world.author);
    // Making the world was counted as well.
    await mongoose.connection.collection("tourReviews.rateLimits").deleteMany({});
    await fillLimit("write", world.author._id.toString(), WRITES_A_MINUTE);
  });

  /** The pages whose action counts a change, each with a form. */
  const FORMS: [string, () => string, Record<string, string>][] = [
    ["a new review", () => `/tours/${world.tour.slug}`, { rating: "1", comment: "Another one" }],
    ["an edit", () => `/reviews/${world.review._id.toString()}/edit`, { rating: "1", comment: "" }],
    ["a deletion", () => `/reviews/${world.review._id.toString()}/delete`, {}],
    [
      "a token",
      () => "/me/account",
      { intent: "create-token", tokenName: "Laptop", currentPassword: PASSWORD },
    ],
    ["an account's end", () => "/me/account/delete", { password: PASSWORD }],
    ["a setting", () => "/guide/mail", { reviewMails: "none" }],
  ];

  test.each(FORMS)("%s, posted by a browser and by a page's script", async (_, path, form) => {
    for (const address of [path(), `${path()}.data`]) {
      const answer = await call(app, "POST", address, { cookie, raw: new URLSearchParams(form) });
      expect([address, answer.status]).toEqual([address, 429]);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });

  test("the index page of a guide, whose script names the route", async () => {
    const raw = new URLSearchParams({
      intent: "complete",
      tourId: world.tour._id.toString(),
      date: "",
    });
    for (const address of ["/guide?index", "/guide.data?index"]) {
      const answer = await call(app, "POST", address, { cookie, raw });
      expect([address, answer.status]).toEqual([address, 429]);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });

  test("the API", async () => {
    const token = await tokenOf(world.author);
    const path = `/api/reviews/${world.review._id.toString()}`;
    const answer = await call(app, "PATCH", path, { token, body: { rating: 1 } });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("wrong passwords, which are refused with 400", async () => {
    await fillLimit("login-day", world.author._id.toString(), WRONG_PASSWORDS_A_DAY);
    const raw = new URLSearchParams({ email: world.author.email, password: "wrong" });
    for (const address of ["/login", "/login.data"]) {
      const answer = await call(app, "POST", address, { raw });
      expect([address, answer.status]).toEqual([address, 400]);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });

  test("other refusals have none", async () => {
    const raw = new URLSearchParams({ email: "nobody@example.test", password: "wrong" });
    const answer = await call(app, "POST", "/login", { raw });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([400, null]);
  });
});
