/**
 * Aborts at the first SIGINT or SIGTERM, with the signal's name as its reason. From then on these signals no longer
 * end this process. Under npm one Ctrl-C arrives twice: from the terminal and from npm.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => controller.abort(signal));
  return controller.signal;
}
