import { renderToStaticMarkup } from "react-dom/server";
import { policyHash } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { shortened } from "~/lib/shortened.server";
import { isolated } from "~/lib/text";
import { dayInWords } from "~/config/zones";
import { bookingCheck } from "~/reviews/list/booking-check";
import { authorName } from "~/reviews/list/review";
import type { ListedReview } from "~/reviews/list/listed-review.server";
import { reviewPath, tourPath } from "~/ui/paths";
import { MeanRating, ReviewStars, starsInWords } from "~/ui/stars";
import { CLOSED } from "~/tours/closed";
import { starShares } from "~/tours/summary";
import type { EmbeddedTour } from "./embed.server";

/** Longest comment in characters: five make no long page. */
const COMMENT_LENGTH = 400;

const { light, dark } = env().tones;

const STYLES = `:root{color-scheme:light dark;--ink:#1c2723;--muted:#56635d;--line:#ddd7c9;--accent:${light.accent};--star:#c06a07;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e9eeeb;--muted:#a7b4ae;--line:#333f3a;--accent:${dark.accent};--star:#f3b94d;--paper:#121816}}
*{box-sizing:border-box;margin:0}
body{padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
h1{font-size:1.25rem;line-height:1.2}
ul{padding:0;list-style:none}
header,main,article,footer{display:grid;gap:.5rem}
main{gap:1rem;margin-block:1rem}
article{padding-top:1rem;border-top:1px solid var(--line)}
blockquote{white-space:pre-line}
footer{padding-top:1rem;border-top:1px solid var(--line)}
.rating{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
.stars{width:6.75rem;height:1.25rem;flex:none}
.stars-off{fill:var(--line)}
.stars-on{fill:var(--star)}
.muted{color:var(--muted)}
.small{font-size:.875rem}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bars{max-width:30rem}
.bars li{display:grid;grid-template-columns:4rem 1fr 3.5rem;gap:.5rem;align-items:center;font-size:.875rem}
.bars progress{width:100%;height:.5rem;accent-color:var(--star)}`;

/** Tells the page around the frame how high its content is, whenever that changes. */
const SCRIPT = `new ResizeObserver(()=>parent.postMessage({type:"tour-reviews-height",height:Math.ceil(document.documentElement.getBoundingClientRect().height)},"*")).observe(document.documentElement)`;

/** The policy of the frame's content, and which sites may show it. */
const FRAME_POLICY = [
  "default-src 'none'",
  `style-src ${policyHash(STYLES)}`,
  `script-src ${policyHash(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
  `frame-ancestors ${env().embedOrigins.join(" ") || "'none'"}`,
].join("; ");

export const FRAME_HEADERS = {
  "Content-Security-Policy": FRAME_POLICY,
  // In a sandbox, browsers open no document that asks for a group of windows of its own.
  "Cross-Origin-Opener-Policy": "unsafe-none",
  // A page that embeds only what allows it opens no frame that does not do likewise.
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Returns the HTML of a tour's reviews in a frame of another site: it works without scripts and has no cookies. */
export function renderFrame({ tour, timeZone, isClosed, page }: EmbeddedTour): string {
  const address = env().appUrl + tourPath(tour.slug);
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`Reviews of ${isolated(tour.title)} · ${env().siteName}`}</title>
        <link rel="canonical" href={address} />
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>
        <header>
          <h1>
            <bdi>{tour.title}</bdi>
          </h1>
          {isClosed && <p>{CLOSED}</p>}
          <MeanRating mean={tour.avgRating} count={tour.reviewCount} />
          <Bars tour={tour} />
        </header>
        <main>
          {page.reviews.map((review) => (
            <Review key={review.id} review={review} timeZone={timeZone} />
          ))}
        </main>
        <footer className="small">
          {page.next && <a href={`?after=${encodeURIComponent(page.next)}`}>More reviews</a>}
          <a href={address} target="_blank" rel="noopener">
            {`All reviews on ${env().siteName}`}
          </a>
        </footer>
        <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />
      </body>
    </html>,
  );
  return `<!DOCTYPE html>${html}`;
}

const STARS = [5, 4, 3, 2, 1] as const;

function Bars({ tour: { ratingCounts, reviewCount } }: Pick<EmbeddedTour, "tour">) {
  const shares = starShares(
    STARS.map((stars) => ratingCounts[stars]),
    reviewCount,
  );
  return (
    shares && (
      <ul className="bars">
        {shares.map(({ width, text }, n) => (
          <li key={n}>
            <span>{starsInWords(STARS[n]!)}</span>
            <progress max={100} value={width} aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    )
  );
}

function Review({ review, timeZone }: { review: ListedReview; timeZone: string }) {
  const day = dayInWords(new Date(review.createdAt), timeZone);
  const comment = shortened(review.comment ?? "", COMMENT_LENGTH);
  return (
    <article>
      <p className="rating">
        <ReviewStars rating={review.rating} />
        <strong>
          <bdi translate="no">{authorName(review)}</bdi>
        </strong>
        <span className="muted small">
          {review.verified ? `${day}\u00A0· ${bookingCheck(true)}` : day}
        </span>
      </p>
      <blockquote dir="auto" lang={review.language ?? undefined}>
        {comment}
      </blockquote>
      {comment.endsWith("…") && (
        <a
          className="small"
          href={env().appUrl + reviewPath(review.id)}
          target="_blank"
          rel="noopener"
        >
          Read the whole review
        </a>
      )}
    </article>
  );
}
