import type { MetaDescriptor } from "@remix-run/react";
import { shortened } from "~/infra/shortened.server";
import { isPicture } from "./picture";

interface PreviewImage {
  url: string;
  alt: string;
}

interface Described {
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
/** Of ours; the size of others is unknown. */
const SIZE = [
  { property: "og:image:width", content: "1200" },
  { property: "og:image:height", content: "630" },
];

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
}: Described): MetaDescriptor[] {
  const text = shortened(description, DESCRIPTION_LENGTH);
  const shown = image ?? drawnFor(seed, url);
  return [
    { title: `${title} · Tour Reviews` },
    { name: "description", content: text },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: title },
    { property: "og:description", content: text },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:site_name", content: "Tour Reviews" },
    { property: "og:image", content: shown.url },
    ...(image ? [] : SIZE),
    { property: "og:image:alt", content: shown.alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** Few sites show an SVG, so these are files. */
function drawnFor(seed: string, url: string): PreviewImage {
  let sum = 0;
  for (const character of seed) sum += character.codePointAt(0)!;
  return {
    url: new URL(`/share/${1 + (sum % PICTURES)}.png`, url).href,
    alt: "Tour Reviews, over hills in the evening sun",
  };
}

/** Returns a picture of somebody's; null where its address is none of `https://`. */
export const ownPicture = (address: string | null, alt: string): PreviewImage | null =>
  isPicture(address) ? { url: address, alt } : null;
