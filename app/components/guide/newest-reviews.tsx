import type { GuideOverview } from "~/services/tours/guide-overview.server";
import { PageLinks } from "../page-links";
import { reviewsInWords } from "../stars";
import { useGuideAddress } from "./address";
import { ReviewOfTour } from "./review-of-tour";

/** Reviews that are seen at once; those behind them are folded. */
const SHOWN = 3;

/** The newest reviews of all the guide's tours, and which of them are new. */
export function NewestReviews({ reviews, news }: Pick<GuideOverview, "reviews" | "news">) {
  const address = useGuideAddress();
  const list = (items: typeof reviews.items) => (
    <ul className="reviews">
      {items.map((review) => (
        <li key={review.id}>
          <ReviewOfTour review={review} isNew={review.createdAt > news.since} />
        </li>
      ))}
    </ul>
  );
  const more = reviews.items.slice(SHOWN);
  return (
    <section className="stack" aria-labelledby="newest">
      <div>
        <h2 id="newest">Newest reviews</h2>
        <p className="muted">
          {reviews.items.length === 0
            ? "Nobody has reviewed your tours yet."
            : `${news.count === 0 ? "No reviews" : reviewsInWords(news.count)} in the last 7 days.`}
        </p>
      </div>
      {list(reviews.items.slice(0, SHOWN))}
      {more.length > 0 && (
        // A guide who opens another page wants to see it unfolded.
        <details className="fold" open={reviews.page > 1}>
          <summary>Earlier reviews</summary>
          {list(more)}
          <PageLinks
            {...reviews}
            label="Pages of reviews"
            to={(page) => address("reviews", page, "newest")}
          />
        </details>
      )}
    </section>
  );
}
