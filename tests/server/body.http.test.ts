import { describe, expect, it, test } from "vitest";
import { call, tokenOf } from "../support/app";
import { app, useApp } from "../support/shared-app";
import { chunk, exchange, head, speak, type RawAnswer } from "../support/sockets";
import { makeBookedExplorer, makeTour } from "../support/factories";

// That memory does not grow meanwhile is in degradation.slow.test.ts.

useApp();
const LIMIT = 64 * 1024;
const isHtml = (headers: Headers) => /^text\/html\b/.test(headers.get("content-type") ?? "");

describe("the body limit", () => {
  // [kind, method, target, status if the body is not too large]
  const TARGETS: [string, string, string, number][] = [
    ["an operation", "POST", "/api/reviews", 401],
    ["a method that the path does not have", "PUT", "/api/reviews", 405],
    ["the API in other letters", "POST", "/%41PI/reviews", 401],
    ["the log-in form", "POST", "/login", 400],
    ["a page's data", "POST", "/login.data", 400],
  ];
  const form = "Content-Type: application/x-www-form-urlencoded";

  const expectTooLarge = ({ status, headers, body, ms }: RawAnswer, target: string) => {
    expect([target, status]).toEqual([target, 413]);
    expect(ms).toBeLessThan(20_000);
    if (/^\/api\/|^\/%41PI/.test(target)) {
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(body).toBe('{"error":"Request body too large"}');
    } else {
      expect(isHtml(headers)).toBe(true);
      expect(body).toContain("The request is too large");
    }
  };

  test.each(TARGETS)("is declared or reached by %s", async (_, method, target) => {
    // No byte of these bodies is sent, so the answer can only be due to the declared length.
    for (const length of [LIMIT + 1, 300_000_000, Number.MAX_SAFE_INTEGER])
      expectTooLarge(
        await exchange(app, head(method, target, form, `Content-Length: ${length}`)),
        target,
      );
    // No last chunk is sent, so the answer can only be due to the bytes that were.
    const start = head(method, target, form, "Transfer-Encoding: chunked");
    expectTooLarge(await exchange(app, start, chunk(LIMIT), chunk(1)), target);
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
    const token = await tokenOf(await makeBookedExplorer(tour));
    const comment = "A comment that must arrive whole 🧭";
    const body = { tourId: tour._id.toString(), rating: 5, comment, padding: "" };
    body.padding = "x".repeat(LIMIT - Buffer.byteLength(JSON.stringify(body)));
    const answer = await call<{ review: { comment: string } }>(app, "POST", "/api/reviews", {
      token,
      body,
    });
    expect([answer.status, answer.json?.review.comment]).toEqual([201, comment]);
  });

  it("applies to clients that ask before they send", async () => {
    const fields = ["Expect: 100-continue", `Content-Length: ${LIMIT + 1}`];
    const { socket, answer } = speak(app, head("POST", "/api/reviews", ...fields));
    // Whether it is told to go on or not, the client is refused in the end.
    expect((await answer).status).toBe(413);
    socket.destroy();
  });
});
