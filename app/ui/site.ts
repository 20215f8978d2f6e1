import type { MetaDescriptor, MetaFunction } from "@remix-run/node";

const NAME = "application-name";

/** The name of a site without `SITE_NAME`. */
export const OWN_NAME = "Tour Reviews";

interface Site {
  name: string;
  logo: string | null;
  /** The address of what stands in the browser's tab; null for ours. Only the server has it. */
  icon: string | null;
}

/**
 * Name, logo and icon of the site (`SITE_NAME`, `SITE_LOGO`, `SITE_ACCENT`): the server sets them at its start, browsers
 * read them from the page.
 */
export const site: Site =
  typeof document === "undefined" ? { name: OWN_NAME, logo: null, icon: null } : readSite();

function readSite() {
  const { content, dataset } = document.querySelector<HTMLMetaElement>(`meta[name=${NAME}]`)!;
  return { name: content, logo: dataset.logo ?? null, icon: null };
}

/** Returns the tag that tells browsers. */
export const siteTag = () => ({
  name: NAME,
  content: site.name,
  "data-logo": site.logo ?? undefined,
});

/** The `meta` of a page whose loader makes it; where that fails, the site's name. */
export const loadedMeta: MetaFunction = ({ data }) =>
  (data as { meta: MetaDescriptor[] } | undefined)?.meta ?? [{ title: site.name }];

/** Returns the tag of a page's title. */
export const titled = (title: string) => ({ title: `${title} · ${site.name}` });

/** Returns the `meta` of a page that no search engine lists. */
export const unlisted = (title: string) => [titled(title), { name: "robots", content: "noindex" }];

/** The title of the page of a link in an e-mail that does not work. */
export const DEAD_LINK = "This link no longer works";
