/**
 * Resource routes answer in JSON whatever they are asked. Remix finds them by the decoded path,
 * without regard to case and to a slash at the end.
 */
export function isApi(path: string): boolean {
  return /^\/(api(\/|$)|healthz\/?$)/i.test(decoded(path) ?? path);
}

/** The address as it goes on to Remix, which has addresses of its own beside the routes'. */
export function forRemix(path: string, parameters: URLSearchParams, api: boolean): string {
  // A name that cannot be decoded, or is more than a line, is unknown like any other; Express or Remix
  // would answer it in their own words.
  const name = decoded(path);
  let plain = name === null || /[\r\n\u2028\u2029]/.test(name) ? path.replaceAll("%", "%25") : path;
  // What scripts ask pages for is nothing that the API has.
  if (api) plain = plain.replace(/\.data$/, "%2Edata");
  // Older scripts named any route to answer in place of the path's own. No page of ours sends it.
  parameters.delete("_data");
  return parameters.size > 0 ? `${plain}?${parameters.toString()}` : plain;
}

/** The path with its escapes decoded, or null when they are malformed. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
