import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { Review } from "../../models/review";
import { Session } from "../../models/session";
import { call, logIn, startApp, tokenOf, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { chunk, exchange, head, speak, type RawAnswer } from "../support/sockets";
import { makeGuest, makeTour, makeUser, PASSWORD } from "../support/factories";

// What every request passes, whatever its route: the built app in a process of its own, spoken to
// over sockets where fetch is too polite.

useDatabase();
let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri());
});
afterAll(() => app.stop());

const LIMIT = 64 * 1024;
const isHtml = (headers: Headers) => /^text\/html\b/.test(headers.get("content-type") ?? "");

describe("the body limit", () => {
  // [kind, method, target, status of a body that is not too large]
  const TARGETS: [string, string, string, number][] = [
    ["an operation", "POST", "/api/reviews", 401],
    ["an operation with an id", "PATCH", "/api/reviews/x", 401],
    ["an operation that needs no body", "DELETE", "/api/reviews/x", 401],
    ["an operation that never has a body", "GET", "/api/reviews?tourId=x", 200],
    ["a method that the path does not have", "PUT", "/api/reviews", 405],
    ["an unknown API path", "POST", "/api/nope", 404],
    ["the API in other letters", "POST", "/%41PI/reviews", 401],
    ["the health check", "POST", "/healthz", 405],
    ["a page", "POST", "/", 405],
    ["a page that is read", "GET", "/", 200],
    ["the log-in form", "POST", "/login", 400],
    ["the log-out form", "POST", "/logout", 302],
    ["a page's data", "POST", "/login.data", 400],
    ["an unknown page", "POST", "/nope", 405],
    ["a static file", "POST", "/favicon.svg", 405],
    ["a static file that is read", "GET", "/favicon.svg", 200],
  ];
  const form = "Content-Type: application/x-www-form-urlencoded";

  const expectTooLarge = ({ status, headers, body }: RawAnswer, target: string) => {
    expect([target, status]).toEqual([target, 413]);
    if (/^\/api\/|^\/%41PI|^\/healthz/.test(target)) {
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(body).toBe('{"error":"Request body too large"}');
    } else {
      expect(isHtml(headers)).toBe(true);
      expect(body).toContain("The request is too large");
    }
  };

  test.each(TARGETS)("declared: %s", async (_, method, target) => {
    for (const length of [LIMIT + 1, 300_000_000, Number.MAX_SAFE_INTEGER]) {
      // Not one byte of the body comes, so an answer can only be due to the declaration.
      const answer = await exchange(app, head(method, target, form, `Content-Length: ${length}`));
      expectTooLarge(answer, target);
      expect(answer.ms).toBeLessThan(2_000);
    }
  });

  test.each(TARGETS)("undeclared: %s", async (_, method, target) => {
    const start = head(method, target, form, "Transfer-Encoding: chunked");
    // No last chunk, so an answer can only be due to what came.
    const answer = await exchange(app, start, chunk(LIMIT), chunk(1));
    expectTooLarge(answer, target);
    expect(answer.ms).toBeLessThan(2_000);
  });

  test.each(TARGETS)("is not reached by 65,536 bytes: %s", async (_, method, target, status) => {
    const declared = head(method, target, form, `Content-Length: ${LIMIT}`);
    expect((await exchange(app, declared, Buffer.alloc(LIMIT, "x"))).status).toBe(status);
    const chunked = head(method, target, form, "Transfer-Encoding: chunked");
    const parts = [chunk(LIMIT - 1), chunk(1), "0\r\n\r\n"];
    expect((await exchange(app, chunked, ...parts)).status).toBe(status);
  });

  it("lets a whole body of 65,536 bytes through unchanged", async () => {
    const tour = await makeTour();
    const token = await tokenOf(await makeGuest(tour));
    const comment = "A comment that must arrive whole 🧭";
    const body = { tourId: tour._id.toString(), rating: 5, comment, padding: "" };
    const bare = Buffer.byteLength(JSON.stringify(body));
    body.padding = "x".repeat(LIMIT - bare);
    const raw = JSON.stringify(body);
    expect(Buffer.byteLength(raw)).toBe(LIMIT);
    const answer = await call<{ review: { comment: string } }>(app, "POST", "/api/reviews", {
      token,
      raw,
    });
    expect([answer.status, answer.json?.review.comment]).toEqual([201, comment]);
  });

  it("is met by clients that ask before they send", async () => {
    const fields = ["Expect: 100-continue", `Content-Length: ${LIMIT + 1}`];
    const { socket, answer } = speak(app, head("POST", "/api/reviews", ...fields));
    // Told to go on or not, the client is refused in the end.
    expect((await answer).status).toBe(413);
    socket.destroy();
  });

  test.each(["a length", "chunks"])("the rest of a body with %s is not read", async (framing) => {
    const declared = framing === "a length";
    const size = 300_000_000;
    const { socket, answer } = speak(
      app,
      head("POST", "/login", declared ? `Content-Length: ${size}` : "Transfer-Encoding: chunked"),
      declared ? Buffer.alloc(1_000) : chunk(LIMIT + 1),
    );
    const closed = new Promise<boolean>((resolve) => socket.once("close", () => resolve(true)));
    const { status, ms } = await answer;
    expect(status).toBe(413);
    expect(ms).toBeLessThan(2_000);

    // A client that goes on as fast as it can gets rid of no more than buffers on the way hold.
    const block = declared ? Buffer.alloc(LIMIT) : chunk(LIMIT);
    let sent = 0;
    const pump = () => {
      while (!socket.destroyed && sent < size) {
        sent += block.length;
        if (!socket.write(block)) return socket.once("drain", pump);
      }
      return socket;
    };
    pump();
    expect(await Promise.race([closed, sleep(3_000).then(() => false)])).toBe(true);
    expect(sent - socket.writableLength).toBeLessThan(16_000_000);
  });

  it.skipIf(process.platform === "win32")("keeps the memory as it is", async () => {
    const resident = () =>
      Number(execFileSync("ps", ["-o", "rss=", "-p", String(app.process.pid)])) * 1_024;
    const before = resident();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, resident())), 50);
    const flood = Array.from({ length: 40 }, async (_, index) => {
      const declared = index % 2 === 0;
      const framing = declared ? "Content-Length: 300000000" : "Transfer-Encoding: chunked";
      const { socket, answer } = speak(app, head("POST", "/api/reviews", framing));
      const block = declared ? Buffer.alloc(1_000_000) : chunk(1_000_000);
      for (let sent = 0; sent < 20 && !socket.destroyed; sent++) {
        if (!socket.write(block))
          await Promise.race([once(socket, "drain"), once(socket, "close"), sleep(1_000)]).catch(
            () => {},
          );
      }
      // A client that never looks up from sending may miss the answer, and is cut off all the same.
      const result = await answer.catch(() => null);
      socket.destroy();
      return result;
    });
    const answers = await Promise.all(flood);
    clearInterval(watch);
    for (const answer of answers) if (answer) expect(answer.status).toBe(413);
    expect(answers.filter(Boolean).length).toBeGreaterThan(20);
    expect(peak - before).toBeLessThan(120_000_000);
    expect((await call(app, "GET", "/healthz")).status).toBe(200);
  });
});

const enter = (
  server: Pick<App, "url">,
  fields: Record<string, string>,
  options: Parameters<typeof call>[3] = {},
) => call(server, "POST", "/login", { ...options, raw: new URLSearchParams(fields) });

describe("logging in", () => {
  const cookieOf = (headers: Headers) => headers.getSetCookie()[0]!.split(";")[0]!;

  const EVIL = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "https://evil.example/",
    "https:evil.example",
    "HTTPS:/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "@evil.example",
    " //evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "/ok\r\nSet-Cookie: evil=1",
    "/\u0000/evil.example",
    "/\u001f/evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%2e//evil.example",
    "/x/%2E%2e//evil.example",
    "",
  ];
  const GOOD: [string, string][] = [
    ["/", "/"],
    ["/tours/old-town", "/tours/old-town"],
    [
      "/tours/old-town?sort=new&x=//evil.example#reviews",
      "/tours/old-town?sort=new&x=//evil.example#reviews",
    ],
    ["/tours/caf%C3%A9", "/tours/caf%C3%A9"],
    // A header holds no such letter.
    ["/tours/café-€", "/tours/caf%C3%A9-%E2%82%AC"],
    ["/tours/🧭?q=€", "/tours/%F0%9F%A7%AD?q=%E2%82%AC"],
  ];

  const expectHome = ({ status, headers }: { status: number; headers: Headers }) => {
    expect(status).toBe(302);
    const target = new URL(headers.get("location")!, app.url);
    expect(target.origin).toBe(app.url);
    // A path of two slashes would be another site to the next one who reads it.
    expect(target.pathname).not.toMatch(/^\/[/\\]/);
    expect(headers.get("location")).toMatch(/^\/(?![/\\])/);
  };

  test.each(EVIL.map((to) => [JSON.stringify(to), to]))(
    "goes to no other site: %s",
    async (_, redirectTo) => {
      const { email } = await makeUser();
      const answer = await enter(app, { email, password: PASSWORD, redirectTo });
      expectHome(answer);
      expect(answer.headers.getSetCookie()).toHaveLength(1);
      // The page sends away who is logged in already.
      const cookie = cookieOf(answer.headers);
      const path = `/login?redirectTo=${encodeURIComponent(redirectTo)}`;
      expectHome(await call(app, "GET", path, { cookie }));
    },
  );

  test.each(GOOD)("goes back to %s", async (redirectTo, location) => {
    const { email } = await makeUser();
    const answer = await enter(app, { email, password: PASSWORD, redirectTo });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
    const cookie = cookieOf(answer.headers);
    const path = `/login?redirectTo=${encodeURIComponent(redirectTo)}`;
    expect((await call(app, "GET", path, { cookie })).headers.get("location")).toBe(location);
  });

  test.each([
    ["a wrong password", { password: "Wrong-Password-4711" }],
    ["an unknown address", { email: "nobody@example.test", password: "Wrong-Password-4711" }],
    ["no password", { password: "" }],
    ["another case of the password", { password: PASSWORD.toUpperCase() }],
    ["an address that is markup", { email: `"><script>alert(1)</script>`, password: "x-4711-x" }],
    ["a password of 60,000 characters", { password: "p4711".repeat(12_000) }],
  ])("shows the form again for %s", async (_, fields) => {
    const user = await makeUser();
    const sent = { email: user.email, ...fields };
    const { status, headers, text } = await enter(app, sent);
    expect(status).toBe(400);
    expect(headers.get("set-cookie")).toBeNull();
    expect(text).toContain("The e-mail address or the password is wrong.");
    const [field] = /<input[^>]*name="email"[^>]*>/.exec(text)!;
    const escaped = sent.email
      .replaceAll("&", "&amp;")
      .replaceAll('"', "&quot;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;");
    expect(text).toContain(`value="${escaped}"`);
    if (!sent.email.includes(">")) expect(field).toContain(`value="${escaped}"`);
    expect(text).not.toContain("<script>alert");
    if (sent.password) expect(text).not.toContain(sent.password);
    expect(/<input[^>]*name="password"[^>]*>/.exec(text)![0]).not.toContain("value=");
    expect(await Session.countDocuments()).toBe(0);
  });

  test.each([
    ["nothing", {}],
    ["JSON", { body: { email: "a@example.test", password: PASSWORD } }],
    ["plain text", { raw: "email=a&password=b" }],
    [
      "a broken multipart body",
      { raw: "nonsense", headers: { "content-type": "multipart/form-data; boundary=x" } },
    ],
    [
      "a multipart body without a boundary",
      { raw: "x", headers: { "content-type": "multipart/form-data" } },
    ],
  ])("answers 400 to a body that is no form: %s", async (_, options) => {
    const { status, headers } = await call(app, "POST", "/login", options);
    expect(status).toBe(400);
    expect(isHtml(headers)).toBe(true);
  });

  it("takes no file for a password", async () => {
    const { email } = await makeUser();
    const raw = new FormData();
    raw.set("email", email);
    raw.set("password", new File([PASSWORD], "password.txt"));
    expect((await call(app, "POST", "/login", { raw })).status).toBe(400);
  });

  it("makes an account wait after five wrong passwords, and only that one", async () => {
    const [ann, bob] = [await makeUser(), await makeUser()];
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await enter(app, { email: ann.email, password: "wrong" })).status).toBe(400);
    const right = await enter(app, { email: ann.email.toUpperCase(), password: PASSWORD });
    expect(right.status).toBe(400);
    expect(right.text).toMatch(/Too many wrong passwords for this account. Please wait 15 minutes/);
    expect((await enter(app, { email: bob.email, password: PASSWORD })).status).toBe(302);
  });
});

describe("odd requests", () => {
  test.each([
    ["another site", "Host: evil.example"],
    ["another port", "Host: localhost:1"],
    ["a path", "Host: evil.example/path?x#y"],
    ["markup", "Host: <script>alert(1)</script>"],
    ["credentials", "Host: user@evil.example"],
    ["nothing", "Host:"],
    ["a forwarded name", "Host: localhost\r\nX-Forwarded-Host: evil.example:99999"],
  ])("a Host of %s decides nothing", async (_, field) => {
    const request = (method: string, path: string) =>
      [`${method} ${path} HTTP/1.1`, field, "Content-Length: 0", "", ""].join("\r\n");
    for (const path of ["/", "/login", "/nope"]) {
      const { status, body } = await exchange(app, request("GET", path));
      expect([path, status]).toEqual([path, path === "/nope" ? 404 : 200]);
      expect(body).not.toMatch(/evil|alert/);
    }
    const { status, headers } = await exchange(app, request("POST", "/logout"));
    expect([status, headers.get("location")]).toEqual([302, "/"]);
  });

  test.each([
    "http://evil.example/",
    "http://evil.example/api/reviews",
    "https://evil.example//",
    "evil",
    "*",
  ])("the request target %s is a bad request", async (target) => {
    const answer = await exchange(app, head("OPTIONS", target, "Connection: close"));
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain("evil");
  });

  test.each([
    "/tours/%E0%A4%A",
    "/%",
    "/%ff%fe",
    "/build/%",
    "/../../etc/passwd",
    "/build/..%2f..%2fpackage.json",
    "/..%5c..%5cpackage.json",
    "/.env",
    "/%00",
    "//evil.example/",
    "/\\evil.example",
  ])("the address %s is a page that is not there", async (target) => {
    const { status, headers, body } = await exchange(app, head("GET", target));
    expect([status, isHtml(headers)]).toEqual([404, true]);
    expect(body).toContain("Page not found");
    expect(headers.get("location")).toBeNull();
  });

  it("an address of 20 kB is refused, and one of 10 kB is read", async () => {
    const long = await exchange(app, head("GET", `/?${"x".repeat(20_000)}`));
    expect(long.status).toBe(431);
    expect((await exchange(app, head("GET", `/${"x".repeat(10_000)}`))).status).toBe(404);
    expect((await exchange(app, head("GET", `/?${"x".repeat(10_000)}`))).status).toBe(200);
  });

  test.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["an unknown method", "HELLO / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["two lengths", head("POST", "/", "Content-Length: 1", "Content-Length: 2")],
    ["a length and chunks", head("POST", "/", "Content-Length: 1", "Transfer-Encoding: chunked")],
    ["a negative length", head("POST", "/api/reviews", "Content-Length: -1")],
    ["a length that is no number", head("POST", "/api/reviews", "Content-Length: 1e9")],
    ["a broken chunk", head("POST", "/api/reviews", "Transfer-Encoding: chunked") + "zz\r\n"],
  ])("%s is answered with 400", async (_, text) => {
    expect((await exchange(app, text)).status).toBe(400);
    expect((await call(app, "GET", "/healthz")).status).toBe(200);
  });

  it("a client that goes away in the middle of its body harms nobody", async () => {
    const { socket } = speak(app, head("POST", "/api/reviews", "Content-Length: 1000"), "{");
    await sleep(50);
    socket.destroy();
    expect((await call(app, "GET", "/healthz")).status).toBe(200);
    expect(app.process.exitCode).toBeNull();
  });
});

describe("the access log", () => {
  it("is one JSON object a line and tells no secret", async () => {
    const start = app.log().length;
    const tour = await makeTour();
    const user = await makeGuest(tour, { email: "log-4711@example.test" });
    const password = "Hunter2-4711";
    const secretQuery = "query-4711";
    const token = await tokenOf(user);
    const cookie = await logIn(app, user.email);
    const tourId = tour._id.toString();
    const answers = [
      await enter(app, { email: user.email, password, redirectTo: `/?${secretQuery}` }),
      await call(app, "GET", `/?${secretQuery}`, { cookie }),
      await call(app, "GET", `/login?redirectTo=${secretQuery}`, {
        headers: { referer: `${app.url}/?${secretQuery}` },
      }),
      await call(app, "POST", "/api/reviews", {
        token,
        body: { tourId, rating: 5, comment: "comment-4711" },
      }),
      await call(app, "GET", `/api/reviews?tourId=${tourId}&x=${secretQuery}`, { cookie, token }),
      await call(app, "GET", `/nope-${tourId}?${secretQuery}`),
      await call(app, "GET", `/favicon.svg?${secretQuery}`),
      await call(app, "GET", `/tours/%ff?${secretQuery}`),
      await call(app, "POST", `/login?${secretQuery}`, { body: { password } }),
      await call(app, "POST", "/login", { raw: `${password}`.repeat(7_000) }),
      await call(app, "POST", "/logout", { cookie }),
    ];
    await expect
      .poll(() => app.log().slice(start))
      .toContain(answers.at(-1)!.headers.get("x-request-id"));

    const lines = app.log().slice(start).trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const answer of answers) {
      const id = answer.headers.get("x-request-id");
      const [entry] = entries.filter((line) => line.requestId === id && "ms" in line);
      expect(entry).toMatchObject({
        method: expect.stringMatching(/^(GET|POST)$/) as string,
        path: expect.stringMatching(/^\/[^?]*$/) as string,
        status: answer.status,
      });
      expect(Date.parse(entry!.time as string)).toBeGreaterThan(Date.now() - 60_000);
    }
    const logged = lines.join("\n");
    for (const secret of ["4711", token, token.slice(4), cookie, cookie.slice(8, 40), PASSWORD])
      expect(logged).not.toContain(secret);
  });

  it("has only JSON in it after everything that these tests do", () => {
    for (const line of app.log().trim().split("\n"))
      expect(() => void JSON.parse(line)).not.toThrow();
  });
});

describe("the end", () => {
  it("waits for a request under way and takes no new one", async () => {
    const ending = await startApp(databaseUri());
    const tour = await makeTour();
    const token = await tokenOf(await makeGuest(tour));
    const body = JSON.stringify({ tourId: tour._id.toString(), rating: 5 });
    const fields = [`Authorization: Bearer ${token}`, `Content-Length: ${body.length}`];
    const idle = speak(ending, head("GET", "/healthz"));
    await idle.answer;
    const { socket, answer } = speak(
      ending,
      head("POST", "/api/reviews", ...fields),
      body.slice(0, 10),
    );
    await sleep(200);
    const exited = once(ending.process, "exit") as Promise<[number | null]>;
    const signalled = Date.now();
    ending.process.kill("SIGTERM");
    // The parent's signal and the terminal's may both arrive.
    ending.process.kill("SIGINT");
    await sleep(300);
    await expect(call(ending, "GET", "/healthz")).rejects.toThrow();
    expect(ending.process.exitCode).toBeNull();
    socket.write(body.slice(10));
    const { status, headers } = await answer;
    expect([status, headers.get("connection")]).toEqual([201, "close"]);
    expect((await exited)[0]).toBe(0);
    expect(Date.now() - signalled).toBeLessThan(2_000);
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(1);
  });

  it("does not wait for ever", async () => {
    const ending = await startApp(databaseUri());
    const { socket } = speak(ending, head("POST", "/api/reviews", "Content-Length: 100"), "{");
    await sleep(200);
    const exited = once(ending.process, "exit") as Promise<[number | null]>;
    const signalled = Date.now();
    ending.process.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    expect(Date.now() - signalled).toBeLessThan(5_000);
    socket.destroy();
  });
});

describe.concurrent("a start that cannot be", () => {
  const serve = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");

  async function start(settings: Record<string, string | undefined>) {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      NODE_ENV: "production",
      LOG_LEVEL: "info",
      ...settings,
    };
    const child = spawn(process.execPath, [serve, "build/index.js"], {
      stdio: ["ignore", "pipe", "pipe"],
      env,
    });
    let errors = "";
    let output = "";
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, errors, output };
  }

  test.each<[string, RegExp, Record<string, string | undefined>]>([
    ["a PORT that is no number", /^PORT must be a whole number/, { PORT: "abc" }],
    ["a PORT that is none", /^PORT must be a whole number/, { PORT: "70000" }],
    ["an unknown LOG_LEVEL", /^LOG_LEVEL must be one of/, { LOG_LEVEL: "loud" }],
    ["an APP_URL with a path", /^APP_URL must be an origin/, { APP_URL: "https://x.example/y" }],
    ["a short SESSION_SECRET", /^SESSION_SECRET must have/, { SESSION_SECRET: "short" }],
    ["no SESSION_SECRET", /^SESSION_SECRET is required/, { SESSION_SECRET: undefined }],
    ["no MONGODB_URI", /^MONGODB_URI is not set/, { MONGODB_URI: undefined }],
    ["a MONGODB_URI of another kind", /^MONGODB_URI must start/, { MONGODB_URI: "http://x" }],
    [
      "a database that does not answer",
      /^The database of MONGODB_URI does not answer/,
      { MONGODB_URI: "mongodb://127.0.0.1:1/x" },
    ],
  ])("%s is one line and exit code 1", async (_, line, settings) => {
    const { code, errors, output } = await start({
      PORT: "3999",
      APP_URL: "http://localhost:3999",
      MONGODB_URI: databaseUri(),
      ...settings,
    });
    expect([code, errors.trimEnd().split("\n")]).toEqual([1, [expect.stringMatching(line)]]);
    expect(output).toBe("");
  });
});
