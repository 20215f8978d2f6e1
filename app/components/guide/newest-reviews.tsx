import { Form, Link, useSearchParams } from "@remix-run/react";
import { isolated } from "~/infra/text";
import type {
  GuideOverview,
  GuideReview,
  ReviewFilter,
} from "~/services/tours/guide-overview.server";
import { SelectField } from "../forms";
import { CursorLinks } from "../page-links";
import { ReplyForm, replyFieldId } from "../reply";
import { nameOf } from "../review";
import { countOf, reviewsInWords } from "../stars";
import { guideQueryOf, useGuideAddress } from "./address";
import { ReviewOfTour } from "./review-of-tour";

/** Reviews that are seen at once; those behind them are folded. */
const SHOWN = 3;

/** The reviews of all the guide's tours or of those that are chosen, and which of them are new. */
export function NewestReviews({
  reviews,
  filter,
  news,
}: Pick<GuideOverview, "reviews" | "filter" | "news">) {
  const [shown] = useSearchParams();
  const isFirstPage = guideQueryOf(shown).after === null;
  const answered = shown.get("reply");
  const isFiltered = filter.tour !== null || filter.stars !== null;
  // A guide who has chosen some, or opens another page, wants to see them.
  const first = isFiltered || !isFirstPage ? reviews.items : reviews.items.slice(0, SHOWN);
  const more = reviews.items.slice(first.length);
  const list = (items: typeof reviews.items) => (
    <ul className="reviews">
      {items.map((review) => (
        <li key={review.id}>
          <ReviewOfTour review={review} isNew={review.createdAt > news.since}>
            {review.reply === null ? (
              <ReplyHere review={review} isOpen={answered === review.id} />
            ) : null}
          </ReviewOfTour>
        </li>
      ))}
    </ul>
  );
  const pages = (
    <CursorLinks
      param="after"
      next={reviews.next}
      hash="newest"
      newest="Newest reviews"
      older="Earlier reviews"
    />
  );
  return (
    <section className="stack" aria-labelledby="newest">
      <div>
        <h2 id="newest">Newest reviews</h2>
        <p className="muted">{summaryOf({ reviews, filter, news }, isFiltered, isFirstPage)}</p>
      </div>
      {(isFiltered || !isFirstPage || reviews.items.length > 0) && (
        <Filter key={`${filter.tour} ${filter.stars}`} filter={filter} isFiltered={isFiltered} />
      )}
      {first.length > 0 && list(first)}
      {more.length > 0 ? (
        <details className="fold" open={more.some(({ id }) => id === answered) || undefined}>
          <summary>Earlier reviews</summary>
          <div className="stack">
            {list(more)}
            {pages}
          </div>
        </details>
      ) : (
        pages
      )}
    </section>
  );
}

/** The form of the reply to the review that the address names; for another, the link to its form. */
function ReplyHere({ review, isOpen }: { review: GuideReview; isOpen: boolean }) {
  const address = useGuideAddress();
  const name = nameOf(review);
  if (isOpen) return <ReplyForm reviewId={review.id} reply={null} of={name} />;
  return (
    <p className="own-review no-print">
      <Link
        className="button button-quiet button-small"
        to={address({ reply: review.id }, replyFieldId(review.id))}
      >
        Reply
        <span className="visually-hidden">
          {" to "}
          <bdi translate="no">{name}</bdi>
        </span>
      </Link>
    </p>
  );
}

function summaryOf(
  { reviews, filter, news }: Pick<GuideOverview, "reviews" | "filter" | "news">,
  isFiltered: boolean,
  isFirstPage: boolean,
): string {
  const { stars, all, byStars } = filter;
  if (reviews.items.length === 0)
    return isFiltered
      ? "There are no such reviews."
      : isFirstPage
        ? "Nobody has reviewed your tours yet."
        : "There are no earlier reviews.";
  if (stars) return `${countOf(byStars, stars).toLocaleString("en-GB")} of ${reviewsInWords(all)}`;
  if (isFiltered) return reviewsInWords(all);
  return `${news.count === 0 ? "No reviews" : reviewsInWords(news.count)} in the last 7 days.`;
}

/** The parameters of the page's other lists, which stay as they are. */
const OTHERS = ["tours", "open", "upcoming", "past"];

/** Chooses reviews by tour and by stars. */
function Filter({ filter, isFiltered }: { filter: ReviewFilter; isFiltered: boolean }) {
  const [shown] = useSearchParams();
  const address = useGuideAddress();
  const { tour, tours, stars, byStars } = filter;
  return (
    <Form action="/guide#newest" className="search">
      {OTHERS.map((name) => {
        const value = shown.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
      {tours.length > 1 && (
        <SelectField label="Tour" name="tour" idPrefix="reviews-" defaultValue={tour ?? ""}>
          <option value="">All tours</option>
          {tours.map(({ id, title }) => (
            <option key={id} value={id}>
              {isolated(title)}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField label="Stars" name="stars" idPrefix="reviews-" defaultValue={stars ?? ""}>
        <option value="">All</option>
        {([5, 4, 3, 2, 1] as const).map((value) => (
          <option key={value} value={value}>
            {`${value} ${value === 1 ? "star" : "stars"} (${byStars[value].toLocaleString("en-GB")})`}
          </option>
        ))}
      </SelectField>
      <button type="submit" className="button button-quiet">
        Show
      </button>
      {isFiltered && (
        <Link to={address({ tour: null, stars: null, after: null }, "newest")}>
          Show all reviews
        </Link>
      )}
    </Form>
  );
}
