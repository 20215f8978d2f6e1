import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  installChromium,
  installFirefox,
  systemChromium,
  systemFirefox,
} from "../../../scripts/lib/browsers";

let bin: string;
let written: string[];

/** Puts such a program among those of a system, which this test's process finds before its own. */
async function program(name: string, script = ""): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\necho "$1 $2" >> "${bin}/calls"\n${script}\n`);
  await chmod(join(bin, name), 0o755);
}

const calls = async () => (await readFile(join(bin, "calls"), "utf8").catch(() => "")).split("\n");

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), "tour-reviews-bin-"));
  written = [];
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  vi.spyOn(process, "getuid").mockReturnValue(0);
  vi.spyOn(process.stderr, "write").mockImplementation((line) => written.push(String(line)) > 0);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await rm(bin, { recursive: true });
  });
});

test("installs the headless shell beside a Chromium that is there, and prefers it", async () => {
  await program("chromium");
  await program("apt-get", `touch "${bin}/chromium-headless-shell"`);
  await installChromium(bin);
  expect(await calls()).toEqual(["install chromium-headless-shell", ""]);
  expect(written).toHaveLength(1);
  expect(systemChromium(bin)).toBe(join(bin, "chromium-headless-shell"));
  await installChromium(bin);
  expect(await calls(), "It is there now").toHaveLength(2);
});

test("installs nothing from Debian's packages as another user than root", async () => {
  vi.mocked(process.getuid!).mockReturnValue(1000);
  await program("chromium");
  await program("apt-get");
  await installChromium(bin);
  expect(await calls()).toEqual([""]);
  expect(written).toEqual([]);
});

test.each([0, 1000])("says how to install Firefox when user %i cannot", async (user) => {
  vi.mocked(process.getuid!).mockReturnValue(user);
  await program("apt-get", "exit 100");
  installFirefox(bin);
  expect(await calls()).toEqual(user === 0 ? ["install firefox-esr", "update -y", ""] : [""]);
  expect(written.at(-1)).toMatch(/^The tests in Firefox are skipped: .*firefox-esr\.\n$/);
  expect(systemFirefox(bin)).toBeUndefined();
});
