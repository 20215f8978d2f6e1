import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { mergeBrowserModules, SERVER_BUILD } from "./browser-modules";
import { say, UsageError } from "./command";

const SOURCES = [
  "app",
  "models",
  "emails",
  "package-lock.json",
  "remix.config.js",
  "scripts/lib/browser-modules.ts",
  "tsconfig.json",
];

/** Builds the app when its build is missing, older than its sources, or a development build. */
export async function buildIfStale(): Promise<void> {
  const built = await stat(SERVER_BUILD).then(
    (file) => file.mtimeMs,
    () => 0,
  );
  const changed = Math.max(...(await Promise.all(SOURCES.map(newest))));
  if (built > changed && !(await isDevelopmentBuild())) return;
  await build();
}

/** Builds the app for production. */
export async function build(): Promise<void> {
  say("Building the app …");
  const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
  const child = spawn(process.execPath, [remix, "build"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const end = () => child.kill();
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  process.off("exit", end);
  if (code !== 0) throw new UsageError(`The build failed:\n${output}`);
  await mergeBrowserModules();
}

/** Whether `npm run dev` made the build. */
async function isDevelopmentBuild(): Promise<boolean> {
  return /^var mode = "development"/m.test(await readFile(SERVER_BUILD, "utf8"));
}

/** When a file, or anything in a folder, last changed, in milliseconds. Removing a file changes its folder. */
async function newest(path: string): Promise<number> {
  const entry = await stat(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inside = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  return Math.max(entry.mtimeMs, ...inside);
}
