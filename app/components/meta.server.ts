import type { MetaDescriptor } from "@remix-run/react";
import { shortened } from "~/infra/shortened.server";

interface Described {
  /** Without the site's name. */
  title: string;
  /** Any text; its beginning is used. */
  description: string;
  /** The page's own address, absolute. */
  url: string;
  /** An address of `https://`; without it, or null, one of ours, by `seed`. */
  image?: string | null;
  /** The same text always gives the same picture. */
  seed?: string;
  type?: "website" | "product" | "profile" | "article";
}

/** How many pictures there are in `public/share`, 1200 by 630 pixels each. */
const PICTURES = 6;

/** How many characters of a text search engines and link previews show. */
const DESCRIPTION_LENGTH = 200;

/**
 * Title, description, canonical address and link preview of a page that everybody may see. Made by its loader, so
 * that no browser loads what makes them.
 */
export function publicMeta({
  title,
  description,
  url,
  image,
  seed = "",
  type = "website",
}: Described): MetaDescriptor[] {
  const text = shortened(description, DESCRIPTION_LENGTH);
  return [
    { title: `${title} · Tour Reviews` },
    { name: "description", content: text },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: title },
    { property: "og:description", content: text },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:site_name", content: "Tour Reviews" },
    { property: "og:image", content: image ?? drawnFor(seed, url) },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** Few sites show an SVG, so these are files. */
function drawnFor(seed: string, url: string): string {
  let sum = 0;
  for (const character of seed) sum += character.codePointAt(0)!;
  return new URL(`/share/${1 + (sum % PICTURES)}.png`, url).href;
}
