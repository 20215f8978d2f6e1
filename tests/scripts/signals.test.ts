import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEMO_PASSWORD } from "~/accounts/log-in/demo-log-ins.server";
import { call, logIn } from "../support/app";
import { demoLogins } from "../../scripts/demo/index";
import { folder, nothingLeft, start, stop, useCommands } from "../support/commands";

// Signals of a container, a service manager or a terminal to npm itself, which must end everything that npm started.

useCommands();
const onPosix = it.skipIf(process.platform === "win32");

/** The site's own log line about an orderly end. */
const SHUTTING_DOWN = /"signal":"[^"]*","msg":"shutting down"/;

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

onPosix(
  "SIGTERM to npm alone ends the site in order, and nothing that was acknowledged is lost",
  async () => {
    const dataDir = join(folder, "npm");
    const site = await start({ DATA_DIR: dataDir }, { npm: true });
    const { email } = demoLogins[0]!;
    const cookie = await logIn(site, email, DEMO_PASSWORD);
    const raw = new URLSearchParams({ intent: "profile", name: "Amelie Nord", image: "" });
    expect((await call(site, "POST", "/me/account", { raw, cookie })).status).toBe(302);

    await stop(site);
    await expect.poll(site.stderr).toMatch(SHUTTING_DOWN);
    await expect(fetch(`${site.url}/healthz`)).rejects.toThrow();

    const again = await start({ DATA_DIR: dataDir }, { npm: true });
    expect(again.stderr()).not.toContain("demo data");
    expect((await call(again, "GET", "/me/account", { cookie })).text).toContain("Amelie Nord");

    // Killed, without a signal to anyone else.
    again.child.kill("SIGKILL");
    await nothingLeft(dataDir);
    await expect.poll(again.stderr).toMatch(SHUTTING_DOWN);
  },
);

it.runIf(process.platform === "linux")("a site whose command was killed ends, too", async () => {
  const dataDir = join(folder, "npm");
  const site = await start({ DATA_DIR: dataDir }, { npm: true });
  const [command] = childrenOf(site.child.pid!);
  process.kill(command!, "SIGKILL");
  await nothingLeft(dataDir);
  await expect.poll(site.stderr).toMatch(SHUTTING_DOWN);
});
