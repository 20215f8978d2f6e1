import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/lib/ports";
import { expect, notice, postButton, star, test } from "./support";

// docs/adopt.md, followed as it is written but for the ports and the folder of its two files, of which one is
// docs/platform.mjs.

let folder: string;
let platform: string;
const running: ChildProcess[] = [];

/** Runs commands in a shell of their own until the address answers. */
async function start(commands: string, address: string): Promise<void> {
  const { MONGODB_URI: _, APP_URL: __, ...env } = process.env;
  const settings = { DATA_DIR: join(folder, "data"), PORT: new URL(address).port };
  const shell = spawn("bash", ["-euo", "pipefail", "-c", commands], {
    env: { ...env, ...settings, LOG_LEVEL: "silent" },
    detached: true,
  });
  running.push(shell);
  let printed = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (part: Buffer) => (printed += part.toString()));
  const answers = async () => {
    if (shell.exitCode !== null) throw new Error(`It has ended: ${printed}`);
    return (await fetch(address).catch(() => null))?.ok ?? false;
  };
  await expect.poll(answers, { timeout: 100_000 }).toBe(true);
}

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = await mkdtemp(join(tmpdir(), "tour-reviews-adopt-"));
  const site = `http://localhost:${await freePort()}`;
  platform = `http://localhost:${await freePort()}`;
  const read = async (file: string) =>
    (await readFile(file, "utf8"))
      .replaceAll("http://localhost:3000", site)
      .replaceAll("http://localhost:4000", platform)
      .replace("const PORT = 4000", `const PORT = ${new URL(platform).port}`);
  const text = (await read("docs/adopt.md")).replaceAll(
    /(?:docs\/|\.\/)?(platform\.(?:env|mjs))/g,
    (_, name: string) => join(folder, name),
  );
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
  const [startSite, startPlatform] = blocks as [string, string];
  const program = await read("docs/platform.mjs");
  expect(program.trim().split("\n").length).toBeLessThanOrEqual(120);
  await writeFile(join(folder, "platform.mjs"), program);
  await start(startSite, `${site}/healthz`);
  await start(startPlatform, platform);
});

test.afterAll(async () => {
  for (const shell of running.reverse()) {
    if (shell.exitCode !== null) continue;
    const ended = once(shell, "exit");
    process.kill(-shell.pid!, "SIGINT");
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

test("a platform comes from nothing to a posted, verified and embedded review", async ({
  page,
}) => {
  await page.goto(platform);
  await page.getByRole("button", { name: "Book and take part" }).click();
  await page.getByRole("link", { name: "Review this tour" }).click();
  await expect(page).toHaveTitle("Salt pans by boat · Lagoon Tours");
  await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
  await page.getByRole("button", { name: "Log in as Ann" }).click();
  await star(page, 5).check();
  await page.getByLabel("Comment").fill("Herons at arm's length.");
  await postButton(page).click();
  await expect(notice(page)).toContainText("Thank you");
  await expect(page.getByText("Verified booking").first()).toBeVisible();

  await page.goto(platform);
  const badge = page.getByAltText("Reviews");
  expect(await badge.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(260);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("Herons at arm's length.")).toBeVisible();
  await expect(frame.getByText("Verified booking")).toBeVisible();
});
