// Runs the commands of package.json. Plain JavaScript without dependencies, because in a fresh clone it installs
// them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findBuild, FOR_DEVELOPMENT, isInstalled, isWritable } from "./lib/freshness.mjs";
import { locked } from "./lib/lock.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Node.js 20.19 or newer is needed, this is ${process.version}.\n`);
  process.exit(1);
}

// A command that does not handle a signal itself ends at once; the "exit" event ends the processes that it has
// started.
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    stopping = true;
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });

// npm may have ended without passing a signal on: it was killed, or the shell around it was. A command must not live
// on without npm, for example as a site that nobody can stop.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.emit("SIGTERM", "SIGTERM");
  }, 500);
  watch.unref();
}

// EPIPE: the reader of the output, such as `head`, has ended; so does the command, without a message.
let unread;
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  unread = error;
});

if (existsSync(".env")) process.loadEnvFile(".env");

const [command, ...args] = process.argv.slice(2);

const forDevelopment = FOR_DEVELOPMENT.includes(command);
const build = forDevelopment ? null : findBuild();
// A site that is already built needs no compiler, and so none of the packages for development.
const development = forDevelopment || (command === "start" && !build);
if (!isInstalled({ development })) {
  if (!isWritable(existsSync("node_modules") ? "node_modules" : root)) {
    const all = development ? " --include=dev" : "";
    process.stderr.write(
      `The packages of package-lock.json are not installed in ${root}, and this user cannot write there: run npm ci${all} there as its owner.\n`,
    );
    process.exit(1);
  }
  const work = async () => {
    if (!isInstalled({ development })) await install();
  };
  const onWait = () =>
    process.stderr.write("Waiting for another command, which is installing them …\n");
  try {
    await (isWritable(root) ? locked(".installing", { onWait, work }) : work());
  } catch (error) {
    process.stderr.write(`The packages cannot be installed: ${error.message}\n`);
    process.exit(1);
  }
}

// A build has the commands as JavaScript, which loads in half the time.
if (!build) {
  const { register } = await import("tsx/esm/api");
  register();
}
const load = (name) => import(build ? `../${build}/commands/${name}.js` : `./${name}.ts`);

const { default: run } = await load(command);
// Before the command's work, during which another build may remove the files of this one.
const { ExpectedError, UsageError } = await load("lib/command");
// No command knows this option, so each one prints its usage before it does anything.
const asksForHelp = args.includes("--help");
try {
  process.exitCode = (await run(asksForHelp ? ["--help"] : args)) ?? 0;
} catch (error) {
  // An expected error is one line for a person; any other one is printed with its stack.
  if (asksForHelp && error instanceof UsageError) {
    process.stdout.write(`${error.message}\n`);
    process.exit();
  }
  if (error !== unread)
    process.stderr.write(
      `${error instanceof ExpectedError ? error.message : (error?.stack ?? error)}\n`,
    );
  process.exitCode = 1;
}
if (stopping) process.exit();

/** Installs the packages of the lock file. Ends this process if npm fails, and npm if this process ends. */
async function install() {
  process.stderr.write("Installing the packages of package-lock.json …\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const installation = spawn(npm, ["ci", ...options], {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const end = () => installation.kill();
  process.once("exit", end);
  const [code] = await once(installation, "close");
  process.off("exit", end);
  if (code !== 0) process.exit(code ?? 1);
}
