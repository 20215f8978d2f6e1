import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { settings as schema } from "~/config/settings.server";
import { freePort } from "../../scripts/lib/ports";

// The commands of package.json as people run them, each in a process of its own.

export const checkout = fileURLToPath(new URL("../..", import.meta.url));
/** The folder of everything that these tests write. A process with its name in the environment is one of ours. */
export let folder: string;
const running = new Set<ChildProcess>();

/** Makes a folder for this file's tests, and ends the processes that they leave running. */
export function useCommands(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tour-reviews-commands-"));
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGTERM");
    await nothingLeft(folder).catch(() => running.forEach((child) => child.kill("SIGKILL")));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** Every setting, empty, because otherwise a developer's .env would fill it. */
const UNSET = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, ""]));

export interface Command {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/**
 * Runs `npm run <name>`, either with npm or, faster, without it. Settings that are not given are empty, which means
 * unset.
 */
export function run(
  [name, ...args]: [string, ...string[]],
  settings: Record<string, string>,
  { cwd = checkout, npm = false, uid }: { cwd?: string; npm?: boolean; uid?: number } = {},
): Command {
  const environment: Partial<NodeJS.ProcessEnv> = {
    ...process.env,
    ...UNSET,
    ...settings,
  };
  delete environment.NODE_ENV;
  const [program, ...before] = npm
    ? ["npm", "run", "--silent", name.replace("-", ":"), "--"]
    : [process.execPath, "scripts/run.mjs", name];
  const child = spawn(program, [...before, ...args], {
    cwd,
    // The leader of a process group, as in a shell: Ctrl-C reaches the whole group.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment as NodeJS.ProcessEnv,
    uid,
    gid: uid,
  });
  running.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** A checkout of its own with these sources, their build and links to these packages; returns its folder. */
export async function copyCheckout(name: string): Promise<string> {
  const copy = join(folder, name);
  const folders = ["app", "models", "emails", "public", "scripts", "build"];
  const files = ["remix.config.js", "tsconfig.json", "package.json", "package-lock.json"];
  for (const name of [...folders, ...files])
    await cp(join(checkout, name), join(copy, name), {
      recursive: true,
      // Files that another test makes there and removes again (tests/server/remix-serve.http.slow.test.ts).
      filter: (path) => !/\bpublic\/(api$|test-)/.test(path),
    });
  // A folder of links: files that are written next to the packages must not reach the real ones.
  await mkdir(join(copy, "node_modules"));
  for (const name of await readdir(join(checkout, "node_modules")))
    await symlink(join(checkout, "node_modules", name), join(copy, "node_modules", name));
  return copy;
}

export interface Outcome {
  code: number | NodeJS.Signals;
  stdout: string;
  /** Its lines on standard error, without progress bars. */
  errors: string[];
  last: string | undefined;
}

export async function outcome(...of: Parameters<typeof run>): Promise<Outcome> {
  const { ended, stdout, stderr } = run(...of);
  const code = await ended;
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  return {
    code,
    stdout: stdout(),
    errors: lines(stderr()).filter((line) => !line.endsWith("…")),
    last: lines(stdout()).pop(),
  };
}

/** Waits for the condition, for far longer than a busy machine needs. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  seconds = 120,
): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never: ${String(condition)}`);
    await delay(50);
  }
}

/** The command lines of the running processes that contain that text, or have it in their environment. */
export function processesOf(text: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const all = commandLine + readFileSync(`/proc/${pid}/environ`, "utf8");
      return all.includes(text) ? [commandLine.replaceAll("\0", " ")] : [];
    } catch {
      return []; // It has ended meanwhile, or belongs to another user.
    }
  });
}

/** Waits until the last process of that data folder has ended; helpers end a moment after their command. */
export async function nothingLeft(dataDir: string): Promise<void> {
  await until(() => processesOf(dataDir).length === 0).catch(() =>
    expect(processesOf(dataDir)).toEqual([]),
  );
}

export interface Site extends Command {
  url: string;
  /** The settings that make every command use the same database. */
  settings: Record<string, string>;
}

/** `npm start`, returned when it says that the site is ready. */
export async function start(
  given: Record<string, string>,
  options?: Parameters<typeof run>[2],
): Promise<Site> {
  const settings = { ...given, PORT: String(await freePort()) };
  const site = run(["start"], settings, options);
  let gone = false;
  void site.ended.then(() => (gone = true));
  // A fresh clone installs and builds first.
  await until(() => gone || /^Tour Reviews is at .*\n\n$/ms.test(site.stdout()), 600);
  if (gone) throw new Error(`npm start ended:\n${site.stderr()}`);
  return { ...site, url: `http://localhost:${settings.PORT}`, settings };
}

/** Stops a site as a service manager would, and waits until nothing is left of it. */
export async function stop({ child, ended, settings, url }: Site): Promise<void> {
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  await nothingLeft(settings.DATA_DIR ?? url);
}

/** Writes a file into the folder of the tests; returns its path. */
export async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
