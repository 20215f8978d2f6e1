import type { MetaDescriptor, MetaFunction } from "@remix-run/node";

const NAME = "application-name";

/** Of a site without `SITE_NAME`. */
export const OWN_NAME = "Tour Reviews";

/** Name and logo of the site (`SITE_NAME`, `SITE_LOGO`): the server sets them at its start, browsers read them from the page. */
export const site: { name: string; logo: string | null } =
  typeof document === "undefined" ? { name: OWN_NAME, logo: null } : readSite();

function readSite() {
  const { content, dataset } = document.querySelector<HTMLMetaElement>(`meta[name=${NAME}]`)!;
  return { name: content, logo: dataset.logo ?? null };
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
