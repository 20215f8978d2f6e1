import { Links, LiveReload, Meta, Scripts } from "@remix-run/react";
import { useLayoutEffect, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useHydrated } from "~/ui/browser/hydrated";
import { usePageRequest } from "~/ui/browser/page-request";
import { siteTag } from "./site";

export const SITE_ID = "site";

/**
 * The HTML document around every page, which the server alone renders. Extensions and translators
 * add elements to it, and React would render again everything that is not as the server sent it. So
 * React takes over only this element.
 */
export function Document({ children }: { children: ReactNode }) {
  const { styles, scripts } = usePageRequest();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta {...siteTag()} />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1a221f" media="(prefers-color-scheme: dark)" />
        <Meta />
        <Links />
        {styles && <style dangerouslySetInnerHTML={{ __html: styles }} />}
      </head>
      <body>
        <div id={SITE_ID}>{children}</div>
        {scripts ? (
          scripts.map(({ type, text }) => (
            <script key={type} type={type} dangerouslySetInnerHTML={{ __html: text }} />
          ))
        ) : (
          <>
            <Scripts />
            <LiveReload />
          </>
        )}
      </body>
    </html>
  );
}

/** `Meta` renders these above. */
const FROM_SERVER =
  'head > [name="theme-color"] ~ :is(title, meta:not([name="theme-color"]), [rel="canonical"], [type="application/ld+json"])';

/** The elements of the page's head that scripts replace. */
export const sentMetadata = () => document.querySelectorAll(FROM_SERVER);

/** Title and description of the page in the browser, in place of those that the server has sent. */
export function Metadata() {
  const [sent] = useState(sentMetadata);
  // React cannot take over a portal.
  const isHydrated = useHydrated();
  useLayoutEffect(() => {
    if (isHydrated) for (const tag of sent) tag.remove();
  }, [isHydrated, sent]);
  return isHydrated && createPortal(<Meta />, document.head);
}
