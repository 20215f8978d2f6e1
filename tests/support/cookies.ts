import { expect } from "vitest";
import type { App } from "./app";
import { app } from "./shared-app";

/** What keeps the cookie from scripts, from other sites, and with https from other hosts and the wire. */
export function expectStrict(server: Pick<App, "url">, setCookie: string): void {
  const [value, ...attributes] = setCookie.split("; ");
  expect(value).toMatch(server === app ? /^session=/ : /^__Host-session=/);
  const flags = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
  const strict = ["HttpOnly", "Path=/", "SameSite=Lax", ...(server === app ? [] : ["Secure"])];
  expect(flags.sort()).toEqual(strict.sort());
}
