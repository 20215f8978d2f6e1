import { once } from "node:events";
import { request as httpRequest } from "node:http";
import mongoose, { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { Layout } from "#models/layout";
import { logIn } from "../support/app";
import { api, app, refusal, refused, scene, useApp } from "../support/shared-app";
import { enqueue } from "../support/mail";

useApp();
const unknownId = () => new Types.ObjectId().toString();

describe("GET /healthz", () => {
  it.each(["/healthz", "/livez"])("is answered, as %s is", async (path) => {
    const answer = await api("GET", path);
    expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await api("HEAD", path)).status).toBe(200);
  });

  it("shows the state of the site to a program of this machine, and to nobody else", async () => {
    await enqueue({ state: "dead" });
    await Layout.create({ _id: "layout", number: 3, leasedUntil: new Date(0) });
    const answer = await api("GET", "/healthz?verbose");
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        status: "ok",
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        database: { version: expect.stringMatching(/^\d+\./), layout: 3 },
        outbox: { pending: 0, sent: 0, captured: 0, dead: 1, oldestPendingSeconds: 0 },
        jobs: { accountDeletions: 0 },
      },
    ]);
    for (const name of ["x-forwarded-for", "forwarded", "via"]) {
      const answer = await api("GET", "/healthz?verbose", { headers: { [name]: "for=1.2.3.4" } });
      expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
    }
  });

  it("answers 503 when the database can read but not write", async () => {
    await Layout.create({ _id: "layout", number: 3, leasedUntil: new Date(0) });
    const health = async () => (await api("GET", "/healthz")).status;
    const session = await mongoose.startSession();
    session.startTransaction();
    // While this transaction is open, nobody else can change what it has changed.
    const hold = () => Layout.updateOne({ _id: "layout" }, { $inc: { number: 1 } }, { session });
    const refused = async () => {
      await hold();
      return (await health()) === 503;
    };
    try {
      await expect.poll(refused, { timeout: 30_000 }).toBe(true);
    } finally {
      await session.endSession();
    }
    await expect.poll(health, { timeout: 30_000 }).toBe(200);
    expect((await Layout.findById("layout").lean())?.writtenAt).toBeInstanceOf(Date);
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
  test.each([
    ["/api/reviews", ["GET", "HEAD", "POST"]],
    [`/api/reviews/${unknownId()}`, ["GET", "HEAD", "PATCH", "DELETE"]],
    ["/healthz", ["GET", "HEAD"]],
    ["/livez", ["GET", "HEAD"]],
  ])("405 for %s with another method", async (path, methods) => {
    const usual = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    const rare = ["TRACE", "PROPFIND", "SEARCH", "LINK", "PURGE", "QUERY"];
    for (const method of [...usual, ...rare].filter((name) => !methods.includes(name))) {
      const { status, headers, text } = await odd(method, path);
      expect([method, status, headers.allow]).toEqual([method, 405, methods.join(", ")]);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(text).toBe('{"error":"Method not allowed"}');
    }
  });

  it("405 is decided before the caller and the body are looked at", async () => {
    const { guest } = await scene();
    const cookie = await logIn(app, guest.email);
    for (const options of [{}, { cookie }, { token: "trv_unknown" }, { raw: "{nonsense" }])
      expect(refusal(await api("PUT", "/api/reviews", options))).toEqual(
        refused(405, "Method not allowed"),
      );
  });

  test.each([
    "/api/nope",
    `/api/reviews/${unknownId()}/x`,
    `/api/tours/${unknownId()}/reviews`,
    "/api/%",
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
