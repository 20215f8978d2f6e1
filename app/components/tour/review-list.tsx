import { Link, useFetcher } from "@remix-run/react";
import { useState } from "react";
import type { ReviewPage } from "~/services/reviews/list.server";
import type { TourPage } from "~/services/tours/tours.server";
import { DeleteReviewLink } from "../delete-review";
import { OwnReviewLinks, Review } from "../review";
import { reviewsAddress, type Selection } from "./address";

/** The visitor's own review of the tour. */
export interface OwnReview {
  id: string;
  /** How long it can still be edited, in words; null when it no longer can. */
  left: string | null;
}

interface Props extends Selection {
  tour: TourPage;
  page: ReviewPage;
  isFirstPage: boolean;
  own: OwnReview | null;
}

/** One page of a tour's reviews; where scripts run, "More reviews" adds the next one below. */
export function ReviewList({ tour, page, stars, sort, isFirstPage, own }: Props) {
  // Pages that a script has added below the one that the server sent.
  const fetcher = useFetcher<{ page: ReviewPage }>();
  const [added, setAdded] = useState<ReviewPage[]>([]);
  const [seen, setSeen] = useState<{ page: ReviewPage }>();
  if (fetcher.data && fetcher.data !== seen) {
    setSeen(fetcher.data);
    setAdded([...added, fetcher.data.page]);
  }
  const reviews = [page, ...added].flatMap((part) => part.reviews);
  const { next } = added.at(-1) ?? page;
  const more = next && reviewsAddress(tour.slug, { stars, sort, after: next });
  if (tour.reviewCount === 0) return <p className="empty">Nobody has reviewed this tour yet.</p>;
  return (
    <>
      {!isFirstPage && (
        <p>
          <Link to={reviewsAddress(tour.slug, { stars, sort })}>Back to the first reviews</Link>
        </p>
      )}
      {reviews.length === 0 && <p className="empty">There are no reviews with this rating.</p>}
      <ul className="reviews">
        {reviews.map((review) => (
          <li key={review.id}>
            <Review review={review}>
              {own?.id === review.id && (
                <OwnReviewLinks
                  reviewId={own.id}
                  left={own.left}
                  deleteLink={<DeleteReviewLink reviewId={own.id} />}
                />
              )}
            </Review>
          </li>
        ))}
      </ul>
      {more && (
        <p className="no-print">
          <Link
            className="button button-quiet"
            to={more}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              if (fetcher.state === "idle") fetcher.load(more.split("#")[0]!);
            }}
          >
            {fetcher.state === "idle" ? "More reviews" : "One moment …"}
          </Link>
        </p>
      )}
    </>
  );
}
