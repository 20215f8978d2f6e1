import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import mongoose from "mongoose";
import { say, UsageError } from "../lib/command";
import { writers } from "./posting";
import { type Program, startApp } from "./programs";
import { embedded } from "./reading";
import type { Bench, Row } from "./row";
import { seed, type Seeded } from "./seed";

const run = promisify(execFile);

/** Another commit of this project, built in a folder of its own. */
export interface Checkout {
  folder: string;
  remove: () => Promise<void>;
}

/** Checks out and builds the commit that `ref` names. Throws `UsageError` if there is none. */
export async function checkOut(ref: string): Promise<Checkout> {
  const parent = await mkdtemp(join(tmpdir(), "tour-reviews-baseline-"));
  const folder = join(parent, "checkout");
  const remove = async () => {
    await run("git", ["worktree", "remove", "--force", folder]).catch(() => {});
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await run("git", ["worktree", "add", "--detach", folder, ref]).catch((error: Error) => {
      throw new UsageError(`--baseline ${ref}: ${error.message.trim().split("\n").pop()}`);
    });
    say(`Building ${ref} …`);
    if (await hasItsPackages(folder))
      await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    else await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
    await run(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "build"], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: "production" },
    });
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Whether this checkout has every package that the other one names, in the same version. */
async function hasItsPackages(folder: string): Promise<boolean> {
  const wanted = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Packages;
  const all = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });
  for (const [name, version] of all) {
    const file = join("node_modules", name, "package.json");
    if (!existsSync(file)) return false;
    const installed = JSON.parse(await readFile(file, "utf8")) as { version: string };
    if (installed.version !== version) return false;
  }
  return true;
}

interface Packages {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * How fast 32 writers post to one tour, here and at another commit of this project. Each has a small database of its
 * own, because the app changes the indexes at its start to those that it knows.
 */
export function baselineRow(bench: Bench, ref: string, checkout: Checkout): Row {
  const sides: Record<
    string,
    { program: Program; seeded: Seeded; connection: mongoose.Connection }
  > = {};
  const measure = (name: string) => () => {
    const { program, ...scene } = sides[name]!;
    return writers(scene, [program.url], [scene.seeded.oneTour], 3 * bench.ms);
  };
  return {
    id: "baseline",
    what: `32 writers on one tour, here and at ${ref}`,
    unit: "a second",
    async prepare() {
      for (const [name, folder] of [
        ["here", process.cwd()],
        [ref, checkout.folder],
      ] as const) {
        const uri = bench.engine.uri(name === "here" ? "here" : "baseline");
        const program = await startApp(uri, { checkout: folder });
        const connection = await mongoose.createConnection(uri).asPromise();
        const options = { huge: false, sizes: [], posts: false, catalogue: false };
        sides[name] = { program, connection, seeded: await seed(connection.db!, options) };
      }
    },
    programs: { here: measure("here"), [ref]: measure(ref) },
    figures: [
      {
        ...{ what: `here / ${ref}`, of: "here", to: ref },
        ...(embedded(bench, { max: 0 }).bound && { bound: { min: 2 } }),
      },
    ],
    async done() {
      for (const { program, connection } of Object.values(sides)) {
        await program.stop();
        await connection.close();
      }
    },
  };
}
