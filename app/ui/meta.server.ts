import type { MetaDescriptor } from "@remix-run/react";
import { shortened } from "~/lib/shortened.server";
import { isPicture } from "./picture";
import { OWN_NAME, site, titled } from "./site";

interface PreviewImage {
  url: string;
  alt: string;
  /** In pixels, where they are known. */
  width?: string;
  height?: string;
}

interface PageDescription {
  title: string;
  /** Any text; its beginning is used. */
  description: string;
  /** The page's own address, absolute. */
  url: string;
  image?: PreviewImage | null;
  /** Chooses one of our pictures where there is no `image`. */
  seed?: string;
  type?: "website" | "product" | "profile" | "article";
}

const PICTURES = 6;
/** The size of our pictures; that of others is unknown. */
const SIZE = { width: "1200", height: "630" };

/** How many characters of a text search engines and link previews show. */
const DESCRIPTION_LENGTH = 200;

/** Returns the tags that describe a public page. Loaders make them, so that no browser loads the code. */
export function publicMeta({
  title,
  description,
  url,
  image,
  seed = "",
  type = "website",
}: PageDescription): MetaDescriptor[] {
  const text = shortened(description, DESCRIPTION_LENGTH);
  const shown = image ?? pictureOfSite(seed, url);
  return [
    titled(title),
    { name: "description", content: text },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: title },
    { property: "og:description", content: text },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:site_name", content: site.name },
    ...(shown ? imageTags(shown) : []),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

function imageTags({ url, width, height, alt }: PreviewImage) {
  const tags = {
    "og:image": url,
    "og:image:width": width,
    "og:image:height": height,
    "og:image:alt": alt,
  };
  return Object.entries(tags).flatMap(([property, content]) =>
    content ? { property, content } : [],
  );
}

/** A picture of ours, which has our name on it, or the logo of a platform. Few sites show an SVG, so ours are files. */
function pictureOfSite(seed: string, url: string): PreviewImage | null {
  if (site.name !== OWN_NAME) return site.logo ? { url: site.logo, alt: site.name } : null;
  let sum = 0;
  for (const character of seed) sum += character.codePointAt(0) ?? 0;
  return {
    url: new URL(`/share/${1 + (sum % PICTURES)}.png`, url).href,
    alt: `${OWN_NAME}, over hills in the evening sun`,
    ...SIZE,
  };
}

/** Returns a picture of somebody's; null where its address is none of `https://`. */
export const ownPicture = (address: string | null, alt: string): PreviewImage | null =>
  isPicture(address) ? { url: address, alt } : null;
