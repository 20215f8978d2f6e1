import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { call, tokenOf } from "../support/app";
import { makeUser } from "../support/factories";
import { PATTERNS } from "../support/manifest";
import { doc, document } from "../support/openapi";
import { app, useApp } from "../support/shared-app";

useApp();

describe("GET /api/openapi.json", () => {
  it("gives the document with the site's own address", async () => {
    const answer = await call<unknown>(app, "GET", "/api/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toEqual(document(app.url));
    expect((answer.json as typeof doc).servers).toEqual([{ url: app.url }]);
  });

  it("is the same for everybody", async () => {
    const nobody = await call(app, "GET", "/api/openapi.json");
    const token = await tokenOf(await makeUser());
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const somebody = await call(app, "GET", "/api/openapi.json?a=b", { token, headers });
    expect(somebody.text).toBe(nobody.text);
    expect(somebody.headers.get("set-cookie")).toBeNull();
  });
});

/** The pattern of every route under /api. */
const API_PATTERNS = PATTERNS.filter((pattern) => pattern.startsWith("/api/"));

describe("the routes", () => {
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

  it("are the document's paths, and the one that answers for all others", () => {
    const paths = API_PATTERNS.map((pattern) => pattern.replace(/:(\w+)/g, "{$1}"));
    expect(paths.sort()).toEqual([...Object.keys(doc.paths), "/api/*"].sort());
  });

  it.each(Object.keys(doc.paths))("%s has exactly the document's methods", async (path) => {
    const documented = Object.keys(doc.paths[path]!).map((method) => method.toUpperCase());
    if (documented.includes("GET")) documented.push("HEAD");
    const served: string[] = [];
    for (const method of METHODS) {
      const address = path.replace(/\{\w+\}/, new Types.ObjectId().toString());
      const { status, headers } = await call(app, method, address);
      if (status !== 405) served.push(method);
      else expect(headers.get("allow")!.split(", ").sort()).toEqual(documented.sort());
    }
    expect(served.sort()).toEqual(documented.sort());
  });
});
