import { Link } from "@remix-run/react";
import { useHasDraft } from "~/ui/browser/drafts";
import { CursorLinks } from "~/ui/page-links";
import { tourPath } from "~/ui/paths";
import { Star, starsInWords } from "~/ui/stars";
import { Time } from "~/ui/time";
import { ToldApart } from "~/ui/told-apart";
import { TourLink } from "~/ui/tour-link";
import type { toursToReview } from "./my-reviews.server";

export function WaitingTours({ items, next }: Awaited<ReturnType<typeof toursToReview>>) {
  return (
    <section className="stack" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for your review</h2>
      <ul className="plain-list card">
        {items.map(({ slug, title, date, timeZone }) => (
          <li key={slug}>
            <div>
              <h3>
                <TourLink slug={slug} title={title} />
              </h3>
              {date && (
                <p className="muted small">
                  You took this tour on <Time at={date} zone={timeZone} form="departure" />
                </p>
              )}
            </div>
            <div className="row spread">
              <StarLinks slug={slug} title={title} />
              <WriteLink slug={slug} title={title} />
            </div>
          </li>
        ))}
      </ul>
      <CursorLinks
        param="waiting"
        next={next}
        hash="waiting"
        newest="Latest tours"
        older="Earlier tours"
      />
    </section>
  );
}

function WriteLink({ slug, title }: { slug: string; title: string }) {
  const hasDraft = useHasDraft(tourPath(slug));
  return (
    <Link to={`${tourPath(slug)}#write`} className="button button-quiet button-small">
      <span>{hasDraft ? "Continue your draft" : "Write a review"}</span>
      <ToldApart words=" of " title={title} />
    </Link>
  );
}

function StarLinks({ slug, title }: { slug: string; title: string }) {
  return (
    <span className="star-links">
      {[1, 2, 3, 4, 5].map((stars) => (
        <Link key={stars} to={`${tourPath(slug)}?rating=${stars}#write`}>
          <Star />
          <ToldApart words={`${starsInWords(stars)} for `} title={title} />
        </Link>
      ))}
    </span>
  );
}
