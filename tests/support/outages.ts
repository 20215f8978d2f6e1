import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { statfsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { ConnectionString } from "mongodb-connection-string-url";

/** A connection to the database that can be interrupted. */
export interface DatabaseProxy {
  uri: string;
  /** Forwards nothing in either direction and keeps the connections open, as a network that loses packets does. */
  hang: () => void;
  /** Closes all connections and accepts no new ones, as if the server had been killed. */
  cut: () => Promise<void>;
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

/** A file system of its own at a folder, which can be full. */
export interface SmallDisk {
  /** Uses up all remaining space, or leaves that many megabytes. */
  fill: (left?: number) => Promise<void>;
  left: () => number;
  free: () => Promise<void>;
  makeReadOnly: () => void;
  unmount: () => void;
}

/** Mounts one with that many megabytes of memory, or returns null if this user or system cannot. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    return null;
  }
  const filler = join(folder, "filler");
  const spaceLeft = () => {
    const { bavail, bsize } = statfsSync(folder);
    return (bavail * bsize) / 1024 ** 2;
  };
  return {
    left: spaceLeft,
    async fill(left = 0) {
      const file = await open(filler, "a");
      const block = Buffer.alloc(65_536);
      try {
        while (left === 0 || spaceLeft() > left) await file.write(block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    makeReadOnly: () => void execFileSync("mount", ["-o", "remount,ro", folder]),
    unmount: () => void execFileSync("umount", ["--lazy", folder]),
  };
}
