// What tests read from a page's HTML.

interface Page {
  text: string;
}

export const title = ({ text }: Page) => /<title[^>]*>(.*?)<\/title>/.exec(text)?.[1];

/** The text that a reader sees, on one line. */
export const shown = ({ text }: Page) =>
  text
    .replace(/<(script|style)\b.*?<\/\1>/gs, "")
    .replace(/<!--.*?-->|<[^>]+>/gs, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

/** The words of a page without the markup, with each element's words on lines of their own. */
export const words = ({ text }: Page) =>
  text
    .replace(/<script.*?<\/script>/gs, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, "\n");

export const inputs = ({ text }: Page) => [...text.matchAll(/<input [^>]*>/g)].map(String);

/** The cookies that an answer sets, as a browser sends them back. */
export const cookieOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((value) => value.split(";")[0]!)
    .join("; ");
