import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { UsageError } from "./command";

/** Throws `UsageError` when the site cannot listen on that port. */
export async function checkPort(port: number): Promise<void> {
  // The address that remix-serve listens on.
  const server = createServer().listen({ port, host: process.env.HOST || undefined });
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "EADDRINUSE"
        ? `PORT ${port} is in use by another program`
        : `PORT ${port} cannot be used: ${message}`,
    );
  }
  server.close();
  await once(server, "close");
}

/** A TCP port of this machine that no program uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
