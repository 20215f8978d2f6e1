import { ConnectionString } from "mongodb-connection-string-url";

/** Why `loadBalanced=true` is refused. */
export const LOAD_BALANCED =
  "must not have loadBalanced=true, with which the driver does not watch the servers and a failover goes unnoticed: name the hosts of the replica set, or of mongos";

/** Whether MongoDB's driver can parse that text. The reason is not returned, because it may quote a user name. */
export function isMongodbUri(text: string): boolean {
  try {
    databaseNameOf(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a URI asks for the mode in which a load balancer stands before the servers. */
export function isLoadBalanced(uri: string): boolean {
  return new ConnectionString(uri).searchParams.get("loadBalanced")?.toLowerCase() === "true";
}

/** What messages call the database of a URI; the embedded one by the name of its replica set, which is always the same. */
export function describeDatabase(uri: string): string {
  const isEmbedded = new ConnectionString(uri).searchParams.get("replicaSet") === "secantus";
  return isEmbedded ? "The embedded database" : "The database of MONGODB_URI";
}

/** The name of the database that a URI names, or an empty string. */
export function databaseNameOf(uri: string): string {
  return decodeURIComponent(new ConnectionString(uri).pathname.slice(1));
}

/**
 * The URI with another database name. The driver checks a password against the database that the URI
 * names, and against `admin` without one, unless `authSource` or another mechanism says otherwise:
 * that stays as it was.
 */
export function withDatabaseName(uri: string, name: string): string {
  const parts = new ConnectionString(uri);
  const options = parts.searchParams;
  const mechanism = options.get("authMechanism");
  const hasPassword = parts.username !== "" && (mechanism === null || /^SCRAM/i.test(mechanism));
  if (hasPassword && !options.has("authSource"))
    options.set("authSource", databaseNameOf(uri) || "admin");
  parts.pathname = `/${encodeURIComponent(name)}`;
  return parts.toString();
}
