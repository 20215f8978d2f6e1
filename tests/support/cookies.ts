import { expect } from "vitest";
import type { App } from "./app";
import { app } from "./shared-app";

/**
 * Checks that scripts and other sites cannot read the cookie and, with https, that it stays on this host and is
 * encrypted.
 */
export function expectStrict(server: Pick<App, "url">, setCookie: string): void {
  const [value, ...attributes] = setCookie.split("; ");
  expect(value).toMatch(server === app ? /^session=/ : /^__Host-session=/);
  const flags = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
  const strict = ["HttpOnly", "Path=/", "SameSite=Lax", ...(server === app ? [] : ["Secure"])];
  expect(flags.sort()).toEqual(strict.sort());
}
