import { percentDecoded } from "~/lib/percent-encoding";

/** Longest path of a page, in characters: a name of 900 Japanese ones takes 8,100 with its escapes. */
const LONGEST_PATH = 8_192;

const MOST_SEGMENTS = 12;

/** The path that Remix gets for an address beyond these limits: a page that does not exist. */
const NO_PAGE = "/errors/404/-";

/** Remix finds a route by the decoded path and ignores case and a slash at the end; so does this. */
export function isApi(path: string): boolean {
  return /^\/(api\/.|(healthz|livez)\/?$)/i.test(percentDecoded(path) ?? path);
}

/** Whether it is the path by which a program of the platform sends many records. */
export const isForRecords = (path: string) =>
  /^\/api\/records\/?$/i.test(percentDecoded(path) ?? path);

/**
 * The path as it is passed to Remix, changed where it would reach Remix's own addresses. Remix looks for a page's
 * route at every part of its path, so that a path of thousands would cost seconds.
 */
export function toRemixPath(path: string, api: boolean): string {
  const isDeep = path.split("/", MOST_SEGMENTS + 2).length > MOST_SEGMENTS + 1;
  if (api && isDeep) return "/api/-";
  if (!api && (isDeep || path.length > LONGEST_PATH))
    return path.endsWith(".data") ? `${NO_PAGE}.data` : NO_PAGE;
  // A path that cannot be decoded or has a line break is an unknown path; left as it is, Express or
  // Remix would answer it in their own words.
  const name = percentDecoded(path);
  const plain =
    name === null || /[\r\n\u2028\u2029]/.test(name) ? path.replaceAll("%", "%25") : path;
  // `.data` is how the scripts of pages ask for a page; the API has no such thing.
  return api ? plain.replace(/\.data$/, "%2Edata") : plain;
}

/** The query as it is passed to Remix. */
export function toRemixQuery(parameters: URLSearchParams): string {
  // Remix lets `_data` name a route that answers in place of the path's own. No page of ours sends it.
  parameters.delete("_data");
  return parameters.size > 0 ? `?${parameters.toString()}` : "";
}
