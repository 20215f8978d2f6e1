import { useLocation, useNavigate } from "@remix-run/react";
import { type ComponentProps, useEffect } from "react";
import { Verified } from "~/reviews/list/booking-check";
import { Topics } from "~/reviews/topics/topics";
import { useErrorTitle } from "~/ui/browser/error-title";
import { BookingCard, isBookable } from "./booking-card";
import { Description, Facts, isDescribed } from "./facts";
import { Pictures } from "./pictures";
import { TourHead } from "./head";
import { findReviewOnOtherPage } from "./review-on-other-page";
import { ReviewList } from "./review-list";
import { ReviewMenus } from "./review-menus";
import { ReviewSearch } from "./review-search";
import { RatingSummary } from "./summary";
import { reviewsAddress } from "./tour-address";
import { WriteReview } from "./write-review";

type Props = ComponentProps<typeof WriteReview> &
  Omit<ComponentProps<typeof ReviewList>, "children"> &
  ComponentProps<typeof ReviewSearch> &
  Pick<ComponentProps<typeof RatingSummary>, "participation"> &
  Pick<ComponentProps<typeof ReviewMenus>, "inLanguage" | "languages"> &
  ComponentProps<typeof BookingCard>;

/** The page of a tour. */
export function TourAndReviews({ departed, toCome, refused, ...shown }: Props) {
  const { tour, selection, page } = shown;
  const departing = { tour, departed, toCome };
  const topics = (
    <Topics
      topics={shown.mentioned}
      searched={selection.words}
      toAddress={(words) =>
        reviewsAddress(tour.slug, { ...selection, words, stars: null, language: null })
      }
    />
  );
  const pictures = tour.picture ? [tour.picture, ...tour.gallery] : [];
  useReviewElsewhere();
  // The title says so also where the refused form is gone.
  useErrorTitle(refused !== undefined);
  return (
    <div className="stack-l">
      {pictures.length > 0 && <Pictures key={tour.id} tour={tour} pictures={pictures} />}
      <div className="tour-page">
        <TourHead tour={tour} eligibility={shown.eligibility.kind} />
        <div className="tour-side">{isBookable(departing) && <BookingCard {...departing} />}</div>
        <div className="tour-main stack-l">
          <Facts {...departing} />
          {isDescribed(tour) && <Description tour={tour} />}
          {tour.reviewCount > 0 && (
            <RatingSummary tour={tour} selection={selection} participation={shown.participation} />
          )}
          <section className="stack no-print" aria-labelledby="write">
            <WriteReview key={tour.id} {...shown} refused={refused} />
          </section>
          <section className="stack" aria-labelledby="reviews">
            <h2 id="reviews">Reviews</h2>
            <ReviewSearch {...shown} />
            {tour.reviewCount > 0 && <ReviewMenus {...shown} shown={page.reviews.length} />}
            {page.reviews.length > 0 && topics}
            <ReviewList {...shown}>{topics}</ReviewList>
            {tour.reviewCount > 0 && <Verified completedHere={shown.completedHere} />}
          </section>
        </div>
      </div>
    </div>
  );
}

/** Leads to a review's own page when the address names one that this page does not show. */
function useReviewElsewhere(): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const left = new AbortController();
    void findReviewOnOtherPage(hash, left.signal).then(
      (address) => address && navigate(address, { replace: true }),
    );
    return () => left.abort();
  }, [hash, navigate]);
}
