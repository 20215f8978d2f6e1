/**
 * Whether the path is answered in JSON, errors included. Remix finds a route by the decoded path and
 * ignores case and a slash at the end; so does this.
 */
export function isApi(path: string): boolean {
  return /^\/(api(\/|$)|healthz\/?$)/i.test(decoded(path) ?? path);
}

/** The path as it goes on to Remix, without what would reach Remix's own addresses. */
export function remixPathOf(path: string, api: boolean): string {
  // A path that cannot be decoded or has a line break is an unknown path; left as it is, Express or
  // Remix would answer it in their own words.
  const name = decoded(path);
  const plain =
    name === null || /[\r\n\u2028\u2029]/.test(name) ? path.replaceAll("%", "%25") : path;
  // `.data` is how the scripts of pages ask for a page; the API has no such thing.
  return api ? plain.replace(/\.data$/, "%2Edata") : plain;
}

/** The query as it goes on to Remix, with its question mark; empty when there is none. */
export function queryOf(parameters: URLSearchParams): string {
  // Remix lets `_data` name a route that answers in place of the path's own. No page of ours sends it.
  parameters.delete("_data");
  return parameters.size > 0 ? `?${parameters.toString()}` : "";
}

/** The path with its escapes decoded, or null when they are malformed. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
