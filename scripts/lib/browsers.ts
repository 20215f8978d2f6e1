import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The headless shell takes half the time of the complete browser, because it has no windows to draw.
const SHELL = "chromium-headless-shell";
const FIREFOX = "firefox-esr";

/** The path of the system's Chromium; undefined if only Playwright's own may be there. */
export const systemChromium = (bin = "/usr/bin") =>
  [SHELL, "chromium", "chromium-browser"].map((name) => join(bin, name)).find(existsSync);

const DISABLED = [
  // It would start a second process for the first page of every tab. tests/server/response-headers.http.test.ts proves the
  // header.
  "CrossOriginOpenerPolicy",
  // Of Playwright's own list, which this one replaces, what concerns a browser without a window.
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "PaintHolding",
];

/** How Playwright starts Chromium: the system's, or else the one that Playwright installs. */
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
    `--disable-features=${DISABLED.join(",")}`,
  ],
});

const say = (line: string) => void process.stderr.write(`${line}\n`);

const succeeds = (command: string, args: string[], stdio: "ignore" | "inherit") =>
  spawnSync(command, args, { stdio, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } })
    .status === 0;

/** Whether this process may install Debian's packages. */
const mayInstall = (bin: string) => process.getuid?.() === 0 && existsSync(join(bin, "apt-get"));

/** Installs one of Debian's packages; returns whether it could. */
function install(name: string): boolean {
  const apt = (...args: string[]) =>
    succeeds("apt-get", [...args, "-y", "-qq", "-o", "Acquire::Retries=0"], "ignore");
  return apt("install", name) || (apt("update") && apt("install", name));
}

/**
 * Installs Chromium's headless shell from Debian's packages if it is missing and this process may. Without it, an
 * installed Chromium is used, or else Playwright's. `bin` is the folder of the system's programs.
 */
export async function installChromium(bin = "/usr/bin"): Promise<void> {
  const present = systemChromium(bin);
  if (present?.endsWith(SHELL)) return;
  if (mayInstall(bin)) {
    say(`Installing ${SHELL}, which runs the browser tests in half the time …`);
    if (install(SHELL)) return;
    if (present) say(`It cannot be installed, so ${present} runs them.`);
    else if (install("chromium")) return;
  }
  const { chromium } = await import("@playwright/test");
  if (present ?? existsSync(chromium.executablePath())) return;
  say("Installing Chromium …");
  const playwright = createRequire(import.meta.url).resolve("@playwright/test/cli");
  succeeds(process.execPath, [playwright, "install", "--with-deps", "chromium"], "inherit");
}

/** The path of Debian's Firefox, if it is installed. */
export function systemFirefox(bin = "/usr/bin"): string | undefined {
  const path = join(bin, FIREFOX);
  return existsSync(path) ? path : undefined;
}

/** Installs Firefox from Debian's packages if it is missing and this process may; or else says how to. */
export function installFirefox(bin = "/usr/bin"): void {
  if (systemFirefox(bin)) return;
  if (mayInstall(bin)) {
    say(`Installing ${FIREFOX} …`);
    if (install(FIREFOX)) return;
  }
  say(`The tests in Firefox are skipped: to run them, install Debian's package ${FIREFOX}.`);
}
