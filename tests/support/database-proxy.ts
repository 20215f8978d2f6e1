import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { ConnectionString } from "mongodb-connection-string-url";

/** A connection to the database that can be interrupted. */
export interface DatabaseProxy {
  uri: string;
  /** Forwards nothing in either direction and keeps the connections open, as a network that loses packets does. */
  hang: () => void;
  /** Closes all connections and accepts no new ones, as if the server had been killed. */
  cut: () => Promise<void>;
  /** Makes the database reachable again. */
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * A proxy in front of the first server of a URI; `uri` reaches the database through it. `onSent` gets what clients
 * send.
 */
export async function startDatabaseProxy(
  mongodbUri: string,
  onSent: (chunk: Buffer) => void = () => {},
): Promise<DatabaseProxy> {
  const parts = new ConnectionString(mongodbUri);
  const [host, port] = parts.hosts[0]!.split(":");
  const sockets = new Set<Socket>();
  let hanging = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    client.on("data", onSent);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (chunk) => other.write(chunk));
      if (hanging) socket.pause();
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = (server.address() as AddressInfo).port;
  parts.hosts = [`127.0.0.1:${own}`];
  parts.searchParams.delete("replicaSet");
  parts.searchParams.set("directConnection", "true");
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    uri: parts.toString(),
    hang() {
      hanging = true;
      for (const socket of sockets) socket.pause();
    },
    cut,
    async restore() {
      hanging = false;
      for (const socket of sockets) socket.resume();
      if (server.listening) return;
      server.listen(own, "127.0.0.1");
      await once(server, "listening");
    },
    close: cut,
  };
}
