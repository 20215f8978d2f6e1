import { describe, expect, test } from "vitest";
import { browserName } from "~/accounts/log-in/browser.server";

describe("what a browser is called", () => {
  test.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
      "Microsoft Edge on Windows",
    ],
    ["curl/8.5.0", null],
    ["", null],
    [undefined, null],
  ])("%s", (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });

  test("is short, whatever a client sends", () => {
    const name = browserName(`${"x".repeat(20_000)}/1 (`);
    expect(name === null || name.length <= 60).toBe(true);
    expect(browserName(`${"x".repeat(200)}/1.0 (y)`)).toHaveLength(60);
  });
});
