import { policyHash } from "~/lib/digest.server";
import { env } from "~/config/env.server";

/** The content security policy of a page that has these scripts of its own, and these styles. */
export function pagePolicy(scripts: string[], styles = ""): string {
  const { loginUrl } = env();
  return [
    "default-src 'none'",
    // With 'strict-dynamic' a script that is allowed by its hash could not import.
    `script-src 'self' ${scripts.map(policyHash).join(" ")}`,
    `style-src 'self'${styles && ` ${policyHash(styles)}`}`,
    "font-src 'self'",
    // Users' pictures may be anywhere on the web.
    "img-src 'self' data: https:",
    // The development server tells pages over a socket of its own to load again.
    `connect-src 'self'${process.env.NODE_ENV === "development" ? " ws:" : ""}`,
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    // A form that needs a log-in leads there; browsers look at each step of its way.
    `form-action 'self'${loginUrl ? ` ${new URL(loginUrl).origin}` : ""}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}

/**
 * The texts of the inline scripts of a page that React takes over. They stand behind everything that people wrote, the
 * first one at the end of the site's element: an injected script gets no hash.
 */
export function ownScripts(html: string): string[] {
  const own = html.slice(html.lastIndexOf("<script", html.lastIndexOf("</script></div>")));
  const scripts = own.split("<script").slice(1);
  return scripts.map((script) =>
    script.slice(script.indexOf(">") + 1, script.indexOf("</script>")),
  );
}
