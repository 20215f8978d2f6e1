import { renderToStaticMarkup } from "react-dom/server";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { percentDecoded } from "~/lib/percent-encoding";
import { getTourBySlug, TourMoved } from "~/tours/tours.server";
import { BADGE_HEIGHT, BADGE_WIDTH, ratingInWords } from "./badge.server";

const LONGEST_ADDRESS = 2_000;
const WIDTH = 600;
const HEIGHT = 800;

/** Largest size of a picture or a frame, in pixels. */
interface FrameSize {
  maxWidth: number;
  maxHeight: number;
}

/**
 * Returns what https://oembed.com has of a tour's page or of its frame (a quotation with a link, and the frame where
 * that may be shown), or of its badge (a picture). Throws `ServiceError` 404 for any other address.
 */
export async function getOEmbed(url: string, { maxWidth, maxHeight }: FrameSize) {
  const [, embed, named, badge] =
    (url.length <= LONGEST_ADDRESS &&
      URL.canParse(url) &&
      new URL(url).origin === env().appUrl &&
      ADDRESS.exec(new URL(url).pathname)) ||
    [];
  if (!named || (embed && badge)) throw new ServiceError(404, texts.tourNotFound);
  const { tour, slug } = await getTourAndSlug(named);
  const { title } = tour;
  const about = { version: "1.0", provider_name: env().siteName, provider_url: env().appUrl };
  const page = `${env().appUrl}/tours/${slug}`;
  const picture = `${page}/badge.svg`;
  const scale = Math.min(1, maxWidth / BADGE_WIDTH, maxHeight / BADGE_HEIGHT);
  const width = Math.floor(BADGE_WIDTH * scale) || 1;
  const height = Math.floor(BADGE_HEIGHT * scale) || 1;
  if (badge) return { ...about, type: "photo", title, url: picture, width, height };
  // Nobody says for which page they ask: on one that may not show the frame, the quotation remains.
  const framed = env().embedOrigins.length > 0;
  const size = framed
    ? { width: Math.min(WIDTH, maxWidth), height: Math.min(HEIGHT, maxHeight) }
    : { width, height };
  const html = renderToStaticMarkup(
    <>
      <blockquote>
        <a href={page}>
          <bdi>{title}</bdi>
        </a>
        <span>{`\u00A0· ${ratingInWords(tour)}`}</span>
      </blockquote>
      {framed ? (
        <iframe
          src={`${env().appUrl}/embed/tours/${slug}`}
          title="Reviews"
          loading="lazy"
          {...size}
        />
      ) : (
        <a href={page}>
          <img src={picture} alt="Reviews" {...size} />
        </a>
      )}
    </>,
  );
  return { ...about, type: "rich", title, html, ...size };
}

/** The addresses of a tour that the site serves, whose case and last slash do not matter. */
const ADDRESS = /^\/(embed\/)?tours\/([^/]+)(\/badge\.svg)?\/?$/i;

/** A former slug stands for the present one, which the answer has. */
async function getTourAndSlug(named: string) {
  try {
    return { tour: await getTourBySlug(percentDecoded(named) ?? ""), slug: named };
  } catch (error) {
    if (!(error instanceof TourMoved)) throw error;
    const tour = await getTourBySlug(error.slug);
    return { tour, slug: encodeURIComponent(tour.slug) };
  }
}
