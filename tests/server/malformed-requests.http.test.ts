import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, test } from "vitest";
import { call, withoutReaderScript } from "../support/app";
import { app, useApp } from "../support/shared-app";
import { exchange, head, speak } from "../support/sockets";

useApp();

describe("malformed requests", () => {
  test.each([
    ["another site", "Host: evil.example"],
    ["markup", "Host: <script>alert(1)</script>"],
    ["a forwarded name", "Host: localhost\r\nX-Forwarded-Host: evil.example:99999"],
  ])("a Host of %s decides nothing", async (_, field) => {
    const request = (method: string, path: string) =>
      [`${method} ${path} HTTP/1.1`, field, "Content-Length: 0", "", ""].join("\r\n");
    for (const path of ["/", "/login", "/nope"]) {
      const { status, body } = await exchange(app, request("GET", path));
      expect([path, status]).toEqual([path, path === "/nope" ? 404 : 200]);
      expect(withoutReaderScript(body)).not.toMatch(/evil|alert/);
    }
    const { status, headers } = await exchange(app, request("POST", "/logout"));
    expect([status, headers.get("location")]).toEqual([302, "/"]);
  });

  test.each(["*", "evil", "ftp://evil.example/"])(
    "the request target %s is a bad request",
    async (target) => {
      const answer = await exchange(app, head("OPTIONS", target, "Connection: close"));
      expect(answer.status).toBe(400);
      expect(answer.body).not.toContain("evil");
    },
  );

  describe("a target that begins with another site is read as that path of this site", () => {
    const site = "HTTPS://user:secret@evil.example:1";

    test.each([
      ["GET", "?q=tour", 200],
      ["GET", "/api/nope", 404],
      ["GET", "//evil.example/", 404],
      ["GET", "/me", 302],
      ["POST", "/api/reviews", 401],
    ])("%s %s: %i", async (method, path, status) => {
      const absolute = await exchange(app, head(method, site + path, "Content-Length: 0"));
      const origin = path.startsWith("/") ? path : `/${path}`;
      const plain = await exchange(app, head(method, origin, "Content-Length: 0"));
      expect([absolute.status, plain.status]).toEqual([status, status]);
      for (const name of ["content-type", "content-length", "location", "allow", "etag"])
        expect([name, absolute.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
      expect(absolute.body).not.toContain(`${site}/`);
      const id = absolute.headers.get("x-request-id")!;
      await expect.poll(() => app.log()).toContain(id);
      const [line] = app
        .log()
        .split("\n")
        .filter((entry) => entry.includes(id));
      expect(line).not.toMatch(/user|secret/);
    });

    it("does not change the check for other sites", async () => {
      const fields = ["Origin: http://evil.example", "Content-Length: 0"];
      expect((await exchange(app, head("POST", `${site}/logout`, ...fields))).status).toBe(403);
    });
  });

  test.each([
    "/tours/%E0%A4%A",
    "/build/%",
    "/../../etc/passwd",
    "/build/..%2f..%2fpackage.json",
    "//evil.example/",
    "/\\evil.example",
  ])("the address %s is answered with the page for a missing page", async (target) => {
    const { status, headers, body } = await exchange(app, head("GET", target));
    expect(status).toBe(404);
    expect(body).toContain("Page not found");
    expect(headers.get("location")).toBeNull();
  });

  it("an address of 20 kB is refused, and one of 10 kB is read", async () => {
    const long = await exchange(app, head("GET", `/?${"x".repeat(20_000)}`));
    expect(long.status).toBe(431);
    expect((await exchange(app, head("GET", `/${"x".repeat(10_000)}`))).status).toBe(404);
    expect((await exchange(app, head("GET", `/?${"x".repeat(10_000)}`))).status).toBe(200);
  });

  // As many segments as fit; Remix would look for a route segment by segment.
  const deep = "a/".repeat(4_000);
  const long = "x".repeat(10_000);

  test.each([
    ["GET", `/tours/${deep}`, 404, "Page not found"],
    ["GET", `/tours/${deep}.data`, 404, ""],
    ["GET", `/tours/${long}`, 404, "Page not found"],
    ["POST", `/${deep}`, 405, "does not accept"],
    ["GET", `/API/tours/${deep}`, 404, '{"error":"Not found"}'],
    ["GET", `/api/reviews/${long}`, 404, '{"error":"Review not found"}'],
  ])(
    "thousands of segments or characters name nothing (%#)",
    async (method, target, ...expected) => {
      const { status, body } = await exchange(app, head(method, target, "Content-Length: 0"));
      expect([status, body]).toEqual([expected[0], expect.stringContaining(expected[1])]);
      // The code that renders the page never saw the path.
      expect(body).not.toContain(target.slice(0, 200));
    },
  );

  test.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["two lengths", head("POST", "/", "Content-Length: 1", "Content-Length: 2")],
    ["a length and chunks", head("POST", "/", "Content-Length: 1", "Transfer-Encoding: chunked")],
    ["a negative length", head("POST", "/api/reviews", "Content-Length: -1")],
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
  });
});
