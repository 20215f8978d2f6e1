// @ts-check
import { statSync } from "node:fs";

/**
 * Returns the identity of a folder, which differs from that of every other folder that exists now, whatever its path.
 * A link has the identity of the folder that it leads to. A copy gets a new one; a folder that is moved keeps its
 * own.
 * @param {string} path
 */
export function getIdentity(path) {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
