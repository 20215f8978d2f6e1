/**
 * Aborts at the first SIGINT or SIGTERM, whose name is its reason. From now on they no longer end this
 * process by themselves. One Ctrl-C comes twice under npm: from the terminal and from npm.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => controller.abort(signal));
  return controller.signal;
}
