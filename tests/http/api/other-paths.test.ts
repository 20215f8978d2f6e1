import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { logIn } from "../../support/app";
import { api, refusal, refused, scene } from "../../support/api";
import { app, useApp } from "../../support/shared-app";

useApp();
const unknownId = () => new Types.ObjectId().toString();

describe("GET /healthz", () => {
  it("tells that the database answers", async () => {
    const answer = await api("GET", "/healthz");
    expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await api("HEAD", "/healthz")).status).toBe(200);
  });
});

/** A request with a method that `fetch` refuses to send. */
async function odd(method: string, path: string) {
  const request = httpRequest(app.url + path, { method });
  const answered = once(request, "response") as Promise<[import("node:http").IncomingMessage]>;
  request.end();
  const [response] = await answered;
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
}

describe("methods and paths", () => {
  const PATHS: [string, string[]][] = [
    ["/api/reviews", ["GET", "HEAD", "POST"]],
    [`/api/reviews/${unknownId()}`, ["GET", "HEAD", "PATCH", "DELETE"]],
    ["/api/tours?slug=x", ["GET", "HEAD"]],
    [`/api/tours/${unknownId()}`, ["GET", "HEAD"]],
    ["/healthz", ["GET", "HEAD"]],
  ];
  const METHODS = [
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    ["TRACE", "PROPFIND", "SEARCH", "LINK", "PURGE", "QUERY"],
  ].flat();
  const others = PATHS.flatMap(([path, methods]) =>
    METHODS.filter((method) => !methods.includes(method)).map(
      (method) => [method, path, methods.join(", ")] as const,
    ),
  );

  test.each(others)("405 for %s %s", async (method, path, allow) => {
    const { status, headers, text } = await odd(method, path);
    expect([status, headers.allow]).toEqual([405, allow]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(text).toBe(method === "HEAD" ? "" : '{"error":"Method not allowed"}');
  });

  it("405 is decided before who the caller is and what they sent", async () => {
    const { guest } = await scene();
    const cookie = await logIn(app, guest.email);
    for (const options of [{}, { cookie }, { token: "trv_unknown" }, { raw: "{nonsense" }])
      expect(refusal(await api("PUT", "/api/reviews", options))).toEqual(
        refused(405, "Method not allowed"),
      );
  });

  test.each([
    "/api",
    "/api/",
    "/api/nope",
    "/api/review",
    "/api/reviewsx",

    `/api/reviews/${unknownId()}/x`,
    `/api/tours/${unknownId()}/reviews`,
    "/api/__proto__",
    "/api/%",
    "/api/%ff/x",
    "/api/v1/reviews?tourId=x",
  ])("404 for %s, whatever the method", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const { status, headers, text } = await odd(method, path);
      expect([method, status, text]).toEqual([method, 404, '{"error":"Not found"}']);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    const head = await odd("HEAD", path);
    expect([head.status, head.text]).toEqual([404, ""]);
  });
});
