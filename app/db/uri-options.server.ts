import { mongo } from "mongoose";
import { ConnectionString } from "mongodb-connection-string-url";

/** Connections of a process to the database. */
export const POOL_SIZE = 50;

const isAbove = (value: string) => Number(value) > POOL_SIZE;
const isNot =
  (...own: string[]) =>
  (value: string) =>
    !own.includes(value.toLowerCase());

/**
 * The options that the site decides itself, in small letters, and which of their values differ. The driver refuses some
 * of them beside ours; others, such as `journal=false`, would have precedence.
 */
const OWN_OPTIONS: Record<string, (value: string) => boolean> = {
  readpreference: isNot("primary"),
  readpreferencetags: () => true,
  maxstalenessseconds: () => true,
  minpoolsize: isAbove,
  maxpoolsize: isNot(String(POOL_SIZE)),
  w: isNot("majority"),
  wtimeout: () => true,
  wtimeoutms: () => true,
  j: isNot("true"),
  journal: isNot("true"),
  fsync: () => true,
};

/** The driver's words for options that it does not know, as those of other languages' drivers. */
const UNKNOWN = /^options? (.+) (?:is|are) not supported$/;

/** Returns the address without the options that cannot be taken, and their names as they stand in it. */
export function takenUri(uri: string): { uri: string; left: string[] } {
  const parts = new ConnectionString(uri);
  const names = [...parts.searchParams.keys()];
  const unknown = new Set(unknownOptions(uri));
  const left = names.filter((name) => {
    const key = name.toLowerCase();
    return unknown.has(key) || OWN_OPTIONS[key]?.(parts.searchParams.get(name) ?? "");
  });
  for (const name of left) parts.searchParams.delete(name);
  return { uri: left.length > 0 ? parts.toString() : uri, left: [...new Set(left)] };
}

/**
 * Returns the options that the driver does not know, in small letters. The driver says when it connects if anything
 * else is wrong with the address.
 */
function unknownOptions(uri: string): string[] {
  try {
    new mongo.MongoClient(uri);
    return [];
  } catch (error) {
    return (error instanceof Error && UNKNOWN.exec(error.message)?.[1]?.split(", ")) || [];
  }
}
