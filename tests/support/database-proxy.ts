import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to the database that can be closed. */
export interface DatabaseProxy {
  uri: string;
  /** Swallows what is sent, both ways, and answers nothing: as a network does that loses packets. */
  hang: () => void;
  /** Ends all connections and takes no new one: as a server does that was killed. */
  cut: () => Promise<void>;
  /** Has the database there again, after either. */
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

/** A proxy in front of the server of a URI, for clients that know it by this address alone. */
export async function startDatabaseProxy(mongodbUri: string): Promise<DatabaseProxy> {
  const [, host, port, name] = /^mongodb:\/\/(?:[^@/]*@)?([^:/,]+):(\d+)[^/]*\/([^?]*)/.exec(
    mongodbUri,
  )!;
  const sockets = new Set<Socket>();
  let hanging = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
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
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    uri: `mongodb://127.0.0.1:${own}/${name}?directConnection=true`,
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
