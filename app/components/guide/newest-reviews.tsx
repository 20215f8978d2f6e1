import { Link } from "@remix-run/react";
import type { GuideReview } from "~/services/tours/guide-overview.server";
import type { Page } from "~/services/tours/pages.server";
import { Avatar } from "../avatar";
import { PageLinks } from "../page-links";
import { tourPath } from "../paths";
import { ReviewStars } from "../stars";
import { Time } from "../time";
import { useGuideAddress } from "./address";

/** The newest reviews of all the guide's tours. */
export function NewestReviews({ reviews }: { reviews: Page<GuideReview> }) {
  const address = useGuideAddress();
  return (
    <section className="stack" aria-labelledby="newest">
      <h2 id="newest">Newest reviews</h2>
      {reviews.items.length === 0 && <p className="empty">Nobody has reviewed your tours yet.</p>}
      <ul className="reviews">
        {reviews.items.map(({ id, rating, comment, createdAt, user, tour }) => {
          const name = user.name || "An explorer";
          return (
            <li key={id}>
              <div className="review-head">
                <Avatar name={name} image={user.image} />
                <div>
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                  <p className="muted small">
                    <Time at={createdAt} /> · <Link to={tourPath(tour.slug)}>{tour.title}</Link>
                  </p>
                </div>
                <ReviewStars rating={rating} />
              </div>
              {comment && <p className="comment">{comment}</p>}
            </li>
          );
        })}
      </ul>
      <PageLinks
        {...reviews}
        label="Pages of reviews"
        to={(page) => address("reviews", page, "newest")}
      />
    </section>
  );
}
