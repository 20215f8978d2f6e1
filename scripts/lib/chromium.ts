import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

// Tests with the headless shell, which has no windows to draw, take two thirds of the time.
const PACKAGES = ["chromium-headless-shell", "chromium"];

/** The path of the system's Chromium; undefined where only Playwright may have one. */
export const systemChromium = () =>
  [...PACKAGES, "chromium-browser"].map((name) => `/usr/bin/${name}`).find(existsSync);

/** How Playwright starts Chromium; where the system has none, the one that Playwright installs. */
export const launchOptions = () => ({
  executablePath: systemChromium(),
  args: [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

/** Installs Chromium where there is none: from Debian's packages, or from Playwright. */
export async function installChromium(): Promise<void> {
  const { chromium } = await import("@playwright/test");
  if (systemChromium() ?? existsSync(chromium.executablePath())) return;
  process.stderr.write("Installing Chromium …\n");
  const succeeds = (command: string, args: string[], stdio: "ignore" | "inherit") =>
    spawnSync(command, args, { stdio }).status === 0;
  const apt = (...args: string[]) => succeeds("apt-get", [...args, "-y", "-qq"], "ignore");
  if (process.getuid?.() === 0 && apt("update") && PACKAGES.some((name) => apt("install", name)))
    return;
  const playwright = createRequire(import.meta.url).resolve("@playwright/test/cli");
  succeeds(process.execPath, [playwright, "install", "--with-deps", "chromium"], "inherit");
}
