// @ts-check
// Plain JavaScript without packages, because it also checks whether they are installed.
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The sources of a build. */
const SOURCES = [
  "app",
  "emails",
  "models",
  "package-lock.json",
  "package.json",
  "remix.config.js",
  "scripts",
  "tsconfig.json",
];

/** The commands that need the packages for development, and are no part of a build. */
export const FOR_DEVELOPMENT = ["bench", "build", "covers", "dev", "test", "test-faults"];

/**
 * The folder of the build that belongs to the present sources, whether or not it exists. Its name is a hash of their
 * content, because the files of a fresh checkout or a copy have new times.
 * @param {string} [root] the checkout
 */
export function buildFolder(root = ".") {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((path) => filesBelow(root, path))) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return `build/${hash.digest("hex").slice(0, 16)}`;
}

/** The folder of the build of the present sources, or null. Only a complete build has that name. */
export function findBuild(root = ".") {
  const folder = buildFolder(root);
  return existsSync(join(root, folder)) ? folder : null;
}

/**
 * Whether `node_modules` has the packages of the lock file in its versions, on request also those for development.
 * Packages for other systems may be missing.
 * @param {{ development: boolean, root?: string }} options
 */
export function isInstalled({ development, root = "." }) {
  // npm writes this copy of the lock file when an installation is complete.
  const copy = join(root, "node_modules/.package-lock.json");
  if (!existsSync(copy)) return false;
  const installed = readPackages(copy);
  return Object.entries(readPackages(join(root, "package-lock.json"))).every(([path, wanted]) => {
    const found = installed[path];
    if (found) return found.version === wanted.version && found.integrity === wanted.integrity;
    if (wanted.dev) return !development || wanted.optional;
    return path === "" || wanted.optional || wanted.devOptional;
  });
}

/** Whether this process may write in a folder. On a read-only disk nobody may, not even root. @param {string} folder */
export function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @typedef {{ version?: string, integrity?: string, dev?: true, optional?: true, devOptional?: true }} Package
 * @param {string} lockFile
 * @returns {Record<string, Package>}
 */
const readPackages = (lockFile) => JSON.parse(readFileSync(lockFile, "utf8")).packages;

/** @param {string} root @param {string} path @returns {string[]} */
function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => !name.startsWith("."));
  return names.sort().flatMap((name) => filesBelow(root, `${path}/${name}`));
}
