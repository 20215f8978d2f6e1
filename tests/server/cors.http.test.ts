import { beforeEach, describe, expect, test } from "vitest";
import { call, sessionOf, tokenOf } from "../support/app";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { isApi, PATTERNS } from "../support/manifest";
import { accessTo, addressOfPattern } from "../support/access-tables";
import { app, useApp } from "../support/shared-app";
import { makeWorld, type World } from "../support/world";

useApp();

let world: World;
beforeEach(async () => void (world = await makeWorld()));

const origin = "https://platform.example";

describe("scripts of other sites", () => {
  const readable = PATTERNS.filter(
    (pattern) =>
      pattern.startsWith("/api/") && !/\*|\/(me|users|bookings|records)\b|\/reply$/.test(pattern),
  );

  test.each(readable)("read %s, also its refusals", async (pattern) => {
    for (const query of ["", "?tourId="]) {
      const { headers } = await call(app, "GET", addressOfPattern(pattern, world) + query, {
        headers: { origin },
      });
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-expose-headers")).toBe("ETag, Link, X-Request-Id");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test("may ask with If-None-Match", async () => {
    const { status, headers, text } = await call(app, "OPTIONS", "/api/reviews?tourId=1", {
      headers: {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "if-none-match",
      },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-headers")).toBe("If-None-Match");
    expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD");
  });

  test("neither read what is a user's own nor change anything", async () => {
    const cookie = await sessionOf(world.author);
    const own = PATTERNS.filter(
      (pattern) => isApi(pattern) && accessTo(pattern).readers === "users",
    );
    expect(own.length).toBeGreaterThan(0);
    for (const path of own) {
      const { status, headers } = await call(app, "GET", path, { cookie, headers: { origin } });
      expect([path, status]).toEqual([path, 401]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      const asked = { origin, "access-control-request-method": "GET" };
      const preflight = await call(app, "OPTIONS", path, { headers: asked });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
        405,
        null,
      ]);
    }
    const body = { tourId: world.tour._id.toString(), rating: 1 };
    const posted = await call(app, "POST", "/api/reviews", { cookie, body, headers: { origin } });
    expect(posted.status).toBe(401);
    expect(posted.headers.get("access-control-allow-origin")).toBeNull();
  });
});

test("every answer to a change says what is left of the limit", async () => {
  const user = await makeUser();
  const tour = await makeTour();
  const review = await makeReview(user, tour);
  const token = await tokenOf(user);
  const path = `/api/reviews/${review._id.toString()}`;
  const edit = (rating: unknown) => call(app, "PATCH", path, { token, body: { rating } });
  const left = (headers: Headers) => {
    expect(headers.get("ratelimit-policy")).toBe('"write";q=600;w=60');
    return /^"write";r=(\d+);t=[1-9]\d?$/.exec(headers.get("ratelimit")!)?.[1];
  };
  expect([left((await edit(4)).headers), left((await edit("bad")).headers)]).toEqual([
    "599",
    "598",
  ]);
  expect((await call(app, "GET", path)).headers.get("ratelimit")).toBeNull();
});
