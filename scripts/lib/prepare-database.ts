import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { demoLogins } from "../demo/index";

interface Options {
  demo: boolean;
  stopped: AbortSignal;
}

/**
 * Runs scripts/prepare.ts in a process of its own, whose memory ends with it: the site's first process lives as long as
 * the site. Returns the demo log-ins that are open, or null when it has failed, after it has said why. Rejects when
 * `stopped` aborts.
 */
export async function prepareDatabase({
  demo,
  stopped,
}: Options): Promise<typeof demoLogins | null> {
  const args = ["scripts/run.mjs", "prepare", ...(demo ? ["--demo"] : [])];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    signal: stopped,
  });
  const [result] = await Promise.all([text(child.stdout), once(child, "close")]);
  return child.exitCode === 0 ? (JSON.parse(result) as typeof demoLogins) : null;
}
