import { describe, expect, test } from "vitest";
import { browserName } from "~/accounts/log-in/browser.server";

describe("what a browser is called", () => {
  test.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
      "Microsoft Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:131.0) Gecko/20100101 Firefox/131.0",
      "Firefox on macOS",
    ],
    ["curl/8.5.0", null],
    ["   ", null],
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
