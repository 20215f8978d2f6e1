import { env } from "~/infra/env.server";
import { ServiceError } from "~/infra/errors.server";
import { texts } from "~/infra/refusal-texts";
import { getTourBySlug, TourMoved } from "~/tours/tours.server";
import { BADGE_HEIGHT, BADGE_WIDTH } from "./badge.server";

const LONGEST_ADDRESS = 2_000;
const [WIDTH, HEIGHT] = [600, 800];

/**
 * Returns what https://oembed.com has of a tour's page (a frame) or of its badge (a picture). Throws `ServiceError` 404
 * for any other address.
 */
export async function oEmbedOf(
  url: string,
  { maxWidth, maxHeight }: { maxWidth: number; maxHeight: number },
) {
  const [, embed, named, badge] =
    (url.length <= LONGEST_ADDRESS &&
      URL.canParse(url) &&
      new URL(url).origin === env().appUrl &&
      /^(\/embed)?\/tours\/([^/]+?)(\/badge\.svg)?$/.exec(new URL(url).pathname)) ||
    [];
  if (!named || (embed && badge)) throw new ServiceError(404, texts.tourNotFound);
  const { title, slug } = await tourOf(named);
  const about = { version: "1.0", provider_name: env().siteName, provider_url: env().appUrl };
  if (badge) {
    const scale = Math.min(1, maxWidth / BADGE_WIDTH, maxHeight / BADGE_HEIGHT);
    const [width, height] = [BADGE_WIDTH, BADGE_HEIGHT].map((px) => Math.floor(px * scale) || 1);
    const picture = `${env().appUrl}/tours/${slug}${badge}`;
    return { ...about, type: "photo", title, url: picture, width, height };
  }
  const [width, height] = [Math.min(WIDTH, maxWidth), Math.min(HEIGHT, maxHeight)];
  const html = `<iframe src="${env().appUrl}/embed/tours/${slug}" title="Reviews" width="${width}" height="${height}" loading="lazy"></iframe>`;
  return { ...about, type: "rich", title, html, width, height };
}

/** A former slug stands for the present one, which the answer has. */
async function tourOf(named: string): Promise<{ title: string; slug: string }> {
  try {
    return { ...(await getTourBySlug(decoded(named))), slug: named };
  } catch (error) {
    if (!(error instanceof TourMoved)) throw error;
    const { title, slug } = await getTourBySlug(error.slug);
    return { title, slug: encodeURIComponent(slug) };
  }
}

/** Empty for what is no percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
