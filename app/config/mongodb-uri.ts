import { ConnectionString } from "mongodb-connection-string-url";

export const LOAD_BALANCED =
  "must not have loadBalanced=true, with which the driver does not watch the servers and a failover goes unnoticed: name the hosts of the replica set, or of mongos";

/** The reason is not returned, because it may quote a user name. */
export function isMongodbUri(text: string): boolean {
  try {
    readDatabaseName(text);
    return true;
  } catch {
    return false;
  }
}

export function isLoadBalanced(uri: string): boolean {
  return new ConnectionString(uri).searchParams.get("loadBalanced")?.toLowerCase() === "true";
}

/** The name of the embedded database's replica set is always the same. */
export function describeDatabase(uri: string): string {
  const isEmbedded = new ConnectionString(uri).searchParams.get("replicaSet") === "secantus";
  return isEmbedded ? "The embedded database" : "The database of MONGODB_URI";
}

export function readDatabaseName(uri: string): string {
  return decodeURIComponent(new ConnectionString(uri).pathname.slice(1));
}

/**
 * The driver checks a password against the database that the URI names, and against `admin` without one, unless
 * `authSource` or another mechanism says otherwise: that stays as it was.
 */
export function withDatabaseName(uri: string, name: string): string {
  const parts = new ConnectionString(uri);
  const options = parts.searchParams;
  const mechanism = options.get("authMechanism");
  const hasPassword = parts.username !== "" && (mechanism === null || /^SCRAM/i.test(mechanism));
  if (hasPassword && !options.has("authSource"))
    options.set("authSource", readDatabaseName(uri) || "admin");
  parts.pathname = `/${encodeURIComponent(name)}`;
  return parts.toString();
}
