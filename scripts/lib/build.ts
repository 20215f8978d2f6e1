import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { DAY_MS, HOUR_MS } from "~/lib/durations";
import { say, UsageError } from "./command";
import { buildFolder, FOR_DEVELOPMENT, isWritable } from "./freshness.mjs";
import { removeLeftovers } from "./leftovers";

/** The files for browsers, of all builds; the hash in a name tells the files of one build from those of others. */
const BROWSER_FILES = "public/build";

/** The list of the files for browsers of one build, in its folder. */
const LIST = "browser-files.json";

/** How long a build and its files for browsers are kept after their last use, in milliseconds. */
const KEPT_MS = DAY_MS;

/** How often a running site says that its build is in use, in milliseconds. */
const IN_USE_MS = HOUR_MS;

/**
 * Builds the app for production unless that is done. Returns the file of the server, which a later build does not
 * change while `keepInUse` reports its use. Throws `UsageError`.
 */
export async function buildIfStale(): Promise<string> {
  const folder = buildFolder();
  const server = join(folder, "index.js");
  const isThere = await markUsed(folder);
  if (!isThere) await build(folder);
  // This file leads to the newest build, for programs to which it does not matter which one they use.
  const current = `export * from "./${folder.split("/").pop()!}/index.js";\n`;
  if ((await readFile("build/index.js", "utf8").catch(() => "")) !== current && isWritable("build"))
    await writeWhole("build/index.js", current);
  return server;
}

/** Keeps the build of that server and its files for browsers from being removed while this process runs. */
export function keepInUse(server: string): void {
  setInterval(() => void markUsed(dirname(server)), IN_USE_MS).unref();
}

/**
 * Builds the app next to the existing builds. It gets its folder's final name, and so comes into existence, in one
 * step.
 */
async function build(folder: string): Promise<void> {
  for (const target of ["build", BROWSER_FILES])
    if (!isWritable(existsSync(target) ? target : dirname(target)))
      throw new UsageError(
        `The app is not built from the sources in ${process.cwd()}, and this user cannot write there: run npm run build there as their owner.`,
      );
  say("Building the app …");
  await mkdir("build", { recursive: true });
  await removeLeftovers("build", /^\.part\.(\d+)$/);
  const part = `build/.part.${process.pid}`;
  try {
    await compile(part);
    await compileReader(part);
    await compileCommands(part);
    await publish(part);
    await rename(part, folder).catch(async (error: unknown) => {
      // Another command has just built the same.
      if (!(await markUsed(folder))) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  await removeUnused(folder);
}

/** Lets Remix' compiler write to that folder; remix.config.js reads its name. */
async function compile(folder: string): Promise<void> {
  const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
  const child = spawn(process.execPath, [remix, "build"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", BUILD_FOLDER: folder },
  });
  const end = () => child.kill();
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  process.off("exit", end);
  if (code !== 0) throw new UsageError(`The build failed:\n${output}`);
}

/** Compiles the script of the pages that are sent without React, which the server writes into them. */
async function compileReader(folder: string): Promise<void> {
  const { buildSync } = await import("esbuild");
  buildSync({
    entryPoints: { reader: "app/entry.reader.ts" },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome119", "firefox119", "safari17"],
    logLevel: "warning",
  });
}

/** Compiles the commands for operation, which scripts/run.mjs then loads from that folder. */
async function compileCommands(folder: string): Promise<void> {
  const { buildSync } = await import("esbuild");
  const { dependencies, devDependencies } = JSON.parse(await readFile("package.json", "utf8")) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const names = (await readdir("scripts"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .filter((name) => !FOR_DEVELOPMENT.includes(name));
  // A build that is not synchronous would leave a process of the compiler running.
  buildSync({
    entryPoints: [...names, "lib/command"].map((name) => `scripts/${name}.ts`),
    outbase: "scripts",
    outdir: join(folder, "commands"),
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    external: Object.keys({ ...dependencies, ...devDependencies }),
    logLevel: "warning",
  });
}

/** Adds a build's files for browsers to those of the other builds, and makes its server serve all of them. */
async function publish(part: string): Promise<void> {
  const from = join(part, BROWSER_FILES);
  await compressFiles(from);
  const files = await filesIn(from);
  for (const file of files) {
    const target = join(BROWSER_FILES, file);
    await mkdir(dirname(target), { recursive: true });
    await writeWhole(target, await readFile(join(from, file)));
  }
  await rm(join(part, "public"), { recursive: true });
  await writeFile(join(part, LIST), JSON.stringify(files));
  const server = join(part, "index.js");
  const code = await readFile(server, "utf8");
  const changed = code.replace(
    `assetsBuildDirectory = "${from}"`,
    `assetsBuildDirectory = "${BROWSER_FILES}"`,
  );
  if (changed === code) throw new Error(`${server} does not say where its browser files are`);
  await writeFile(server, changed);
}

/** Adds each text's compressed form, which the server sends (app/server/guard/built-files.server.ts). */
async function compressFiles(folder: string): Promise<void> {
  for (const file of await filesIn(folder))
    if (/\.(js|css)$/.test(file))
      await writeFile(
        join(folder, `${file}.br`),
        brotliCompressSync(await readFile(join(folder, file))),
      );
}

/**
 * Removes the other builds that nothing has used for a day, and the files for browsers that belong to no remaining
 * build.
 */
async function removeUnused(newest: string): Promise<void> {
  const isOld = async (path: string) => (await stat(path)).mtimeMs < Date.now() - KEPT_MS;
  const wanted = new Set<string>();
  for (const name of await readdir("build")) {
    const folder = join("build", name);
    if (!/^[0-9a-f]{16}$/.test(name)) continue;
    if (folder !== newest && (await isOld(folder))) await rm(folder, { recursive: true });
    else {
      const files = JSON.parse(await readFile(join(folder, LIST), "utf8")) as string[];
      files.forEach((file) => wanted.add(file));
    }
  }
  // A build that is being made has new files that are in no list yet.
  for (const file of await filesIn(BROWSER_FILES))
    if (!wanted.has(file) && (await isOld(join(BROWSER_FILES, file))))
      await rm(join(BROWSER_FILES, file));
}

/** Notes that a build is in use, if that can be written. Returns whether the build exists. */
async function markUsed(folder: string): Promise<boolean> {
  const now = new Date();
  return utimes(folder, now, now).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT",
  );
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

/** Writes a file that other processes may be reading: they get either the old or the new content. */
async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  const part = `${file}.part.${process.pid}`;
  await writeFile(part, content);
  await rename(part, file);
}
