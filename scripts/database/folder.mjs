// @ts-check
import { statSync } from "node:fs";

/**
 * Returns what tells a folder from all others that are there now, whatever its path: of a link, the folder it
 * leads to. A copy has another one, a folder that was moved keeps its own.
 * @param {string} path
 * @returns {string}
 */
export function identityOf(path) {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
