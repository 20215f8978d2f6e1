import { once } from "node:events";
import { createServer } from "node:net";
import { type Env, isMissingAddress } from "~/config/env.server";
import { UsageError } from "./command";

/** Throws `UsageError` if the site cannot listen where its settings say. */
export async function checkPort({ port, metricsPort, hosts }: Env): Promise<void> {
  await checkOne("PORT", port, hosts);
  if (metricsPort !== undefined) await checkOne("METRICS_PORT", metricsPort, hosts);
}

async function checkOne(name: string, port: number, hosts: readonly string[]): Promise<void> {
  const [host, ...others] = hosts;
  const problems = [await listenOnce(port, host)];
  // The app can do without a further address that this machine does not have.
  for (const other of others) {
    const problem = await listenOnce(port, other);
    if (problem && !isMissingAddress(problem)) problems.push(problem);
  }
  const problem = problems.find((one) => one !== null);
  if (!problem) return;
  const { code, message } = problem;
  if (code === "EADDRINUSE") throw new UsageError(`${name} ${port} is in use by another program`);
  if (isMissingAddress(problem) || problem.syscall === "getaddrinfo")
    throw new UsageError(`HOST ${host} is no address of this machine: ${message}`);
  throw new UsageError(`${name} ${port} cannot be used: ${message}`);
}

/** Listens for a moment; returns the error if that fails. */
async function listenOnce(port: number, host?: string): Promise<NodeJS.ErrnoException | null> {
  const server = createServer().listen({ port, host });
  try {
    await once(server, "listening");
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  server.close();
  await once(server, "close");
  return null;
}

/**
 * Below the ports that a system gives to outgoing connections and to programs that ask for any port: these could take
 * it first.
 */
const FREE_PORTS = [20_000, 32_000] as const;

/** A place of this process's own: another one that looks as well must not find the same port before it is used. */
let next = process.pid * 97;

/** A TCP port of this machine that no program is using. */
export async function freePort(): Promise<number> {
  let problem: Error | null = null;
  for (let tries = 0; tries < 100; tries++) {
    const [first, end] = FREE_PORTS;
    const port = first + (next++ % (end - first));
    problem = await listenOnce(port);
    if (!problem) return port;
  }
  throw problem!;
}
