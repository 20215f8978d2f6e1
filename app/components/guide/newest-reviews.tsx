import type { GuideReview } from "~/services/tours/guide-overview.server";
import type { Page } from "~/services/tours/pages.server";
import { PageLinks } from "../page-links";
import { useGuideAddress } from "./address";
import { ReviewOfTour } from "./review-of-tour";

/** The newest reviews of all the guide's tours. */
export function NewestReviews({ reviews }: { reviews: Page<GuideReview> }) {
  const address = useGuideAddress();
  return (
    <section className="stack" aria-labelledby="newest">
      <h2 id="newest">Newest reviews</h2>
      {reviews.items.length === 0 && <p className="empty">Nobody has reviewed your tours yet.</p>}
      <ul className="reviews">
        {reviews.items.map((review) => (
          <li key={review.id}>
            <ReviewOfTour review={review} />
          </li>
        ))}
      </ul>
      <PageLinks
        {...reviews}
        label="Pages of reviews"
        to={(page) => address("reviews", page, "newest")}
      />
    </section>
  );
}
