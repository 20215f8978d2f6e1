import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../support/app";
import { folder, nothingLeft, processesOf, start, until, useCommands } from "../support/commands";

// A site whose embedded database's keeper ends.

useCommands();

const keeperOf = (dataDir: string) => {
  const state = readFileSync(join(dataDir, "database.json"), "utf8");
  return JSON.parse(state) as { pid: number; serverPid: number };
};

it.skipIf(process.platform === "win32")(
  "a site survives the end of its database's keeper, and ends if that happens again and again",
  async ({ onTestFailed }) => {
    const dataDir = join(folder, "killed-keeper");
    const site = await start({ DATA_DIR: dataDir });
    onTestFailed(() => console.error(site.stderr()));
    let ended = false;
    void site.ended.then(() => (ended = true));
    const keeper = () => keeperOf(dataDir);
    const tour = () => call(site, "GET", "/api/tours?slug=sunset-sail-to-isola-merla");
    const before = await tour();
    expect(before.status).toBe(200);
    // One that is killed before the site knows it is not counted: then the site survives once more.
    for (let kill = 0; !ended; kill++) {
      expect(kill).toBeLessThan(6);
      const { pid, serverPid } = keeper();
      process.kill(pid, "SIGKILL");
      await until(() => (kill >= 3 && ended) || keeper().serverPid !== serverPid, 60);
      if (ended) break;
      await until(async () => (await call(site, "GET", "/healthz")).status === 200, 60);
      expect((await tour()).text).toBe(before.text);
    }
    expect(await site.ended).toBe(1);
    const lines = site.stderr().trim().split("\n");
    const told = lines.filter((line) => line.includes("has ended, another one is started"));
    expect(told).toHaveLength(3);
    expect(lines).toContain(
      "The embedded database ended 4 times within ten minutes (why is in database.log of DATA_DIR).",
    );
    expect(site.stderr()).not.toContain("MONGODB_URI");
    await nothingLeft(dataDir);
  },
);

it.runIf(process.platform === "linux")(
  "a site whose keeper was replaced ends after its database, so that the folder can be copied",
  async () => {
    const dataDir = join(folder, "replaced-keeper");
    const site = await start({ DATA_DIR: dataDir });
    const { pid, serverPid } = keeperOf(dataDir);
    process.kill(pid, "SIGKILL");
    await until(() => keeperOf(dataDir).serverPid !== serverPid, 60);
    await until(async () => (await call(site, "GET", "/healthz")).status === 200, 60);
    site.child.kill("SIGTERM");
    expect(await site.ended).toBe(0);
    const isServer = (line: string) => line.includes("serve.py") || line.includes("secantusd");
    expect(processesOf(dataDir).filter(isServer)).toEqual([]);
  },
);
