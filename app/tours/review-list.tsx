import { Link } from "@remix-run/react";
import type { ReactElement } from "react";
import type { ReviewPage } from "~/reviews/list/page.server";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { OwnReviewLinks, Review } from "~/reviews/list/review";
import { tourPath } from "~/ui/paths";
import { reviewsInWords } from "~/ui/stars";
import type { TourPage } from "./tours.server";
import { useAddedReviews } from "./added-reviews";
import { AllReviews } from "./review-menus";
import { isAll, reviewsAddress, type Selection } from "./tour-address";

interface Props {
  tour: TourPage;
  selection: Selection;
  /** Says why the page has no reviews. */
  none: string;
  /** Offered where the page has none. */
  children: ReactElement;
  page: ReviewPage;
  total: number;
  isFirstPage: boolean;
  eligibility: ReviewEligibility;
  /** When the visitor has just posted theirs. */
  posted: PostedNotice | null;
}

interface PostedNotice {
  thanks: string;
  /** Another tour that waits for a review. */
  next: { title: string; slug: string } | null;
}

/** One page of a tour's reviews; where scripts run, "More reviews" adds the next one below. */
export function ReviewList({
  tour,
  selection,
  none,
  children,
  page,
  total,
  isFirstPage,
  eligibility,
  posted,
}: Props) {
  const own = eligibility.kind === "alreadyReviewed" ? eligibility : null;
  const addressAfter = (after: string) => reviewsAddress(tour.slug, { ...selection, after });
  const { parts, cursor, state, more } = useAddedReviews(page, addressAfter);
  const reviews = [page, ...parts].flatMap((part) => part.reviews);
  if (tour.reviewCount === 0) return <p className="empty">Nobody has reviewed this tour yet.</p>;
  return (
    <>
      {!isFirstPage && (
        <p>
          <Link to={reviewsAddress(tour.slug, selection)}>Back to the first reviews</Link>
        </p>
      )}
      {reviews.length === 0 && (
        <div className="empty stack">
          <p>{none}</p>
          {!isAll(selection) && (
            <p>
              <AllReviews tour={tour} selection={selection} />
            </p>
          )}
          {children}
        </div>
      )}
      <ul className="reviews">
        {reviews.map((review) => (
          <li key={review.id}>
            <Review
              review={review}
              timeZone={tour.timeZone}
              isOwn={own?.reviewId === review.id}
              note={posted && own?.reviewId === review.id && <Thanks {...posted} />}
            >
              {own?.reviewId === review.id && (
                <OwnReviewLinks
                  reviewId={own.reviewId}
                  deadline={own.deadline}
                  timeZone={tour.timeZone}
                />
              )}
            </Review>
          </li>
        ))}
      </ul>
      {(total > reviews.length || parts.length > 0) && (
        <p className="muted small" role="status" data-shown="">
          {`Showing ${reviews.length.toLocaleString("en-GB")} of ${reviewsInWords(total)}`}
        </p>
      )}
      {cursor && (
        <p className="no-print">
          <Link
            className="button button-quiet"
            to={addressAfter(cursor)}
            data-more=""
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              void more();
            }}
          >
            {state === "loading" ? "Loading …" : "More reviews"}
          </Link>
          {state === "failed" && (
            <span role="alert"> We got no answer. Check your connection and try again.</span>
          )}
        </p>
      )}
    </>
  );
}

function Thanks({ thanks, next }: PostedNotice) {
  return (
    <div className="note posted" role="status">
      <p>{thanks}</p>
      {next && (
        <p>
          Next:{" "}
          <Link to={`${tourPath(next.slug)}#write`}>
            review <bdi>{next.title}</bdi>
          </Link>
        </p>
      )}
    </div>
  );
}
