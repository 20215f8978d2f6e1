import { useLocation, useNavigate } from "@remix-run/react";
import { type ComponentProps, useEffect } from "react";
import { Verified } from "~/reviews/list/booking-check";
import { useErrorTitle } from "~/ui/browser/error-title";
import { reviewAddress } from "~/ui/paths";
import { Description, isDescribed } from "./facts";
import { Gallery } from "./pictures";
import { TourHead } from "./head";
import { ReviewList } from "./review-list";
import { ReviewSearch } from "./review-search";
import { Order, Summary } from "./summary";
import { WriteReview } from "./write-review";

type Props = ComponentProps<typeof WriteReview> &
  ComponentProps<typeof ReviewList> &
  ComponentProps<typeof ReviewSearch> &
  Pick<ComponentProps<typeof Order>, "inLanguage"> &
  Omit<ComponentProps<typeof TourHead>, "standing">;

/** The page of a tour. */
export function TourAndReviews({ departed, toCome, refused, ...shown }: Props) {
  const { tour, selection, page } = shown;
  useReviewElsewhere();
  // Also where the refused form is gone.
  useErrorTitle(refused !== undefined);
  return (
    <div className="stack-l">
      <TourHead tour={tour} departed={departed} toCome={toCome} standing={shown.eligibility.kind} />
      {tour.gallery.length > 0 && <Gallery pictures={tour.gallery} />}
      <div className="tour-page">
        {isDescribed(tour) && <Description tour={tour} />}
        <div className="stack-l tour-side">
          {tour.reviewCount > 0 && <Summary tour={tour} selection={selection} />}
          <section className="stack no-print" aria-labelledby="write">
            <WriteReview key={tour.id} {...shown} refused={refused} />
          </section>
        </div>
        <section className="stack" aria-labelledby="reviews">
          <h2 id="reviews">Reviews</h2>
          <ReviewSearch {...shown} />
          {tour.reviewCount > 0 && <Order {...shown} shown={page.reviews.length} />}
          <ReviewList {...shown} />
          {tour.reviewCount > 0 && <Verified completedHere={shown.completedHere} />}
        </section>
      </div>
    </div>
  );
}

/** Leads to a review's own page when the address names one that this page does not show. */
function useReviewElsewhere(): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const [, id] = /^#review-([0-9a-f]{24})$/.exec(hash) ?? [];
    if (!id || document.getElementById(`review-${id}`)) return;
    const left = new AbortController();
    // One that was deleted is nowhere: its tour's page is as near as can be.
    fetch(`/api/reviews/${id}`, { signal: left.signal }).then(
      ({ ok }) => ok && navigate(reviewAddress(id), { replace: true }),
      () => undefined,
    );
    return () => left.abort();
  }, [hash, navigate]);
}
