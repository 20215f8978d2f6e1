import type { MetaDescriptor } from "@remix-run/react";
import { shortened } from "~/infra/shortened.server";
import { isPicture } from "./picture";

export interface PreviewImage {
  url: string;
  alt: string;
  /** In pixels; null for what is somebody else's. */
  size: { width: number; height: number } | null;
}

interface Described {
  title: string;
  /** Any text; its beginning is used. */
  description: string;
  /** The page's own address, absolute. */
  url: string;
  /** Without it, or null, one of ours, by `seed`. */
  image?: PreviewImage | null;
  /** The same text always gives the same picture. */
  seed?: string;
  type?: "website" | "product" | "profile" | "article";
}

const PICTURES = 6;

const PREVIEW_SIZE = { width: 1_200, height: 630 };

/** How many characters of a text search engines and link previews show. */
const DESCRIPTION_LENGTH = 200;

/** Made by loaders, so that no browser loads the code. */
export function publicMeta({
  title,
  description,
  url,
  image,
  seed = "",
  type = "website",
}: Described): MetaDescriptor[] {
  const text = shortened(description, DESCRIPTION_LENGTH);
  const { url: address, alt, size } = image ?? drawnFor(seed, url);
  return [
    { title: `${title} · Tour Reviews` },
    { name: "description", content: text },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: title },
    { property: "og:description", content: text },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:site_name", content: "Tour Reviews" },
    { property: "og:image", content: address },
    ...(size
      ? [
          { property: "og:image:width", content: String(size.width) },
          { property: "og:image:height", content: String(size.height) },
        ]
      : []),
    { property: "og:image:alt", content: alt },
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
    size: PREVIEW_SIZE,
  };
}

/** A picture of somebody's, of whatever size; null where its address is none of `https://`. */
export const ownPicture = (address: string | null, alt: string): PreviewImage | null =>
  isPicture(address) ? { url: address, alt, size: null } : null;
