import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RateLimitError } from "~/lib/errors.server";
import { keysAt } from "~/accounts/log-in/platform-keys.server";
import { makeKey, serveKeys } from "../support/keys";
import { moveTime, setTime } from "../support/time";

// The public keys of a platform (docs/rules/accounts.md, Users of a platform).

let server: Awaited<ReturnType<typeof serveKeys>>;
beforeEach(async () => {
  setTime(Date.now());
  server = await serveKeys();
});
afterEach(() => server.close());

const later = (seconds: number) => moveTime(seconds * 1_000);

const [first, second] = await Promise.all([makeKey("first"), makeKey("second", "ES256")]);

const subjectOf = async (token: string, keys: ReturnType<typeof keysAt>) =>
  (await jwtVerify(token, keys)).payload.sub;

it("asks for the keys once, and again for a token of a key that is new, at most every five seconds", async () => {
  server.show(first);
  const keys = keysAt(server.address);
  const old = await first.sign({ sub: "ann" });
  const rotated = await second.sign({ sub: "bob" });
  for (let time = 0; time < 20; time++) expect(await subjectOf(old, keys)).toBe("ann");
  await expect(subjectOf(rotated, keys)).rejects.toThrow("no applicable key found");
  expect(server.asked()).toBe(1);

  server.show(first, second);
  later(6);
  expect(await subjectOf(rotated, keys)).toBe("bob");
  for (let time = 0; time < 20; time++)
    await expect(subjectOf(await first.sign({}, { kid: "third" }), keys)).rejects.toThrow();
  expect(server.asked()).toBe(2);
  expect(await subjectOf(old, keys)).toBe("ann");

  // A key that was taken away ends within ten minutes.
  server.show(second);
  later(601);
  await expect(subjectOf(old, keys)).rejects.toThrow("no applicable key found");
});

it("needs a kid only where several keys fit, and takes no key for another algorithm", async () => {
  server.show(first, second);
  const keys = keysAt(server.address);
  expect(await subjectOf(await first.sign({ sub: "ann" }, {}), keys)).toBe("ann");
  const other = await makeKey("second");
  await expect(subjectOf(await other.sign({}), keys)).rejects.toThrow("no applicable key found");
  server.show(first, other);
  later(601);
  await expect(subjectOf(await first.sign({}, {}), keys)).rejects.toThrow("multiple matching keys");
});

it("says 503 while the keys cannot be read, and does not ask for each token", async () => {
  const keys = keysAt(server.address);
  const token = await first.sign({ sub: "ann" });
  server.fail();
  for (let time = 0; time < 20; time++)
    await expect(subjectOf(token, keys)).rejects.toThrow(RateLimitError);
  expect(server.asked()).toBe(1);
  server.show(first);
  later(6);
  expect(await subjectOf(token, keys)).toBe("ann");
  expect(server.asked()).toBe(2);
});

it("reads a file, also after it was replaced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tour-reviews-keys-"));
  const path = join(folder, "keys.json");
  const write = (...all: { jwk: object }[]) =>
    writeFileSync(path, JSON.stringify({ keys: all.map(({ jwk }) => jwk) }));
  write(first);
  const keys = keysAt(pathToFileURL(path));
  expect(await subjectOf(await first.sign({ sub: "ann" }), keys)).toBe("ann");
  write(second);
  later(6);
  expect(await subjectOf(await second.sign({ sub: "bob" }), keys)).toBe("bob");
  rmSync(folder, { recursive: true });
  later(601);
  await expect(subjectOf(await second.sign({}), keys)).rejects.toThrow(RateLimitError);
});
