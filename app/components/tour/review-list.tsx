import { Link } from "@remix-run/react";
import { useState } from "react";
import type { ReviewPage } from "~/services/reviews/page.server";
import type { TourPage } from "~/services/tours/tours.server";
import { DeleteReviewLink } from "../delete-review";
import { OwnReviewLinks, Review } from "../review";
import { PostedNote } from "./posted-note";
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
  /** Present when the visitor has just posted theirs. */
  posted: { next: { title: string; slug: string } | null } | null;
}

/** What "More reviews" has added below a page. */
interface Added {
  to: ReviewPage;
  parts: ReviewPage[];
  /** Whether the next part is on its way, or did not arrive. */
  next?: "loading" | "failed";
}

/** One page of a tour's reviews; where scripts run, "More reviews" adds the next one below. */
export function ReviewList({ tour, page, stars, sort, isFirstPage, own, posted }: Props) {
  const [stored, setAdded] = useState<Added>({ to: page, parts: [] });
  // Another selection, or a page that was loaded again, begins anew.
  const added = stored.to === page ? stored : { to: page, parts: [] };
  const reviews = [page, ...added.parts].flatMap((part) => part.reviews);
  const { next } = added.parts.at(-1) ?? page;
  const more = next && reviewsAddress(tour.slug, { stars, sort, after: next });
  const loadMore = async (address: string) => {
    const { parts } = added;
    setAdded({ to: page, parts, next: "loading" });
    const part = await fetchPart(address);
    // What arrives after another selection was chosen belongs to the one before.
    setAdded((now) =>
      now.to !== page
        ? now
        : part
          ? { to: page, parts: [...parts, part] }
          : { to: page, parts, next: "failed" },
    );
  };
  if (tour.reviewCount === 0) return <p className="empty">Nobody has reviewed this tour yet.</p>;
  return (
    <>
      {!isFirstPage && (
        <p>
          <Link to={reviewsAddress(tour.slug, { stars, sort })}>Back to the first reviews</Link>
        </p>
      )}
      {reviews.length === 0 && (
        <p className="empty">{stars ? `No ${stars}-star reviews yet.` : "No more reviews."}</p>
      )}
      <ul className="reviews">
        {reviews.map((review, index) => (
          <li key={review.id}>
            <Review
              review={review}
              note={
                posted &&
                own?.id === review.id && (
                  <PostedNote
                    tour={tour}
                    rating={review.rating}
                    isNewest={index === 0}
                    next={posted.next}
                  />
                )
              }
            >
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
              if (added.next !== "loading") void loadMore(more);
            }}
          >
            {added.next === "loading" ? "One moment …" : "More reviews"}
          </Link>{" "}
          {added.next === "failed" && (
            <span role="alert">We got no answer. Check your connection and try again.</span>
          )}
        </p>
      )}
    </>
  );
}

/** The page of reviews at that address of the tour's page; null when there is no answer, or a bad one. */
async function fetchPart(address: string): Promise<ReviewPage | null> {
  const { pathname, search } = new URL(address, location.href);
  try {
    const answer = await fetch(`${pathname}/reviews${search}`);
    return answer.ok ? ((await answer.json()) as ReviewPage) : null;
  } catch {
    return null;
  }
}
