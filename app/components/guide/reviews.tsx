import { Link, useSearchParams } from "@remix-run/react";
import type { GuideOverview } from "~/services/tours/guide-overview.server";
import type { GuideReview } from "~/services/tours/guide-reviews.server";
import { CursorLinks } from "../page-links";
import { RemovedReply } from "../redaction";
import { ReplyForm, replyFieldId } from "../reply";
import { nameOf } from "../review";
import { countOf, reviewsInWords } from "../stars";
import { guideQueryOf, useGuideAddress } from "./address";
import { ReviewFilter } from "./review-filter";
import { ReviewOfTour } from "./review-of-tour";

/** Reviews that are seen at once; those behind them are folded. */
const SHOWN = 3;

type Shown = Pick<GuideOverview, "reviews" | "filter" | "news">;

interface Props extends Shown {
  /** The id of the guide who reads them. */
  reader: string;
}

/** The reviews of all the guide's tours or of those that are chosen, and which of them are new. */
export function Reviews({ reviews, filter, news, reader }: Props) {
  const [shown] = useSearchParams();
  const { sort, after } = guideQueryOf(shown);
  const isFirstPage = after === null;
  const answered = shown.get("reply");
  const isFiltered = filter.tour !== null || filter.stars !== null;
  // A guide who has chosen some, or opens another page, wants to see them.
  const isChosen = isFiltered || shown.has("sort") || !isFirstPage;
  const { items, next, searched } = reviews;
  const first = isChosen ? items : items.slice(0, SHOWN);
  const more = items.slice(first.length);
  const list = (some: GuideReview[]) => (
    <ul className="reviews">
      {some.map((review) => (
        <li key={review.id} id={elementId(review)}>
          <ReviewOfTour review={review} isNew={review.createdAt > news.since}>
            {review.removedReply ? (
              <RemovedReply
                removed={review.removedReply}
                reader={reader}
                timeZone={review.tour.timeZone}
              />
            ) : review.reply === null ? (
              <ReplyHere
                review={review}
                isOpen={answered === review.id}
                next={sort === "newest" ? review : neighbourOf(review, items)}
              />
            ) : null}
          </ReviewOfTour>
        </li>
      ))}
    </ul>
  );
  const pages = (
    <>
      {searched !== null && (
        <p className="muted">
          {`${reviewsInWords(searched)} were looked through for this page. There are more.`}
        </p>
      )}
      <CursorLinks
        param="after"
        next={next}
        hash="reviews"
        newest={sort === "newest" ? "Newest reviews" : "First reviews"}
        older={
          searched !== null
            ? "Look further"
            : sort === "newest"
              ? "Earlier reviews"
              : "More reviews"
        }
      />
    </>
  );
  return (
    <section className="stack" aria-labelledby="reviews">
      <div>
        <h2 id="reviews">Reviews</h2>
        <p className="muted">{summaryOf({ reviews, filter, news }, isFiltered, isFirstPage)}</p>
      </div>
      {(isChosen || items.length > 0 || searched !== null) && (
        <ReviewFilter
          key={`${filter.tour} ${filter.stars} ${sort}`}
          filter={filter}
          isFiltered={isFiltered}
        />
      )}
      {first.length > 0 && list(first)}
      {more.length > 0 ? (
        // Also after a reply to one of them, which then stands elsewhere.
        <details
          className="fold"
          open={(answered !== null && !first.some(({ id }) => id === answered)) || undefined}
        >
          <summary>More reviews</summary>
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

const elementId = ({ id }: GuideReview) => `review-${id}`;

/** The review after that one, or before it when it is the last one of several. */
function neighbourOf(review: GuideReview, items: GuideReview[]): GuideReview | undefined {
  const index = items.indexOf(review);
  return items[index + 1] ?? items[index - 1];
}

/** The form of the reply to the review that the address names; for another, the link to its form. */
function ReplyHere({
  review,
  isOpen,
  next,
}: {
  review: GuideReview;
  isOpen: boolean;
  /** Where the guide goes on afterwards. */
  next: GuideReview | undefined;
}) {
  const address = useGuideAddress();
  const name = nameOf(review);
  if (isOpen) {
    const back = address({ reply: review.id }, next ? elementId(next) : "reviews");
    return <ReplyForm reviewId={review.id} reply={null} of={name} back={back} />;
  }
  return (
    <p className="no-print">
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
  { reviews, filter, news }: Shown,
  isFiltered: boolean,
  isFirstPage: boolean,
): string {
  const { stars, all, byStars } = filter;
  if (reviews.items.length === 0 && reviews.next === null)
    return isFiltered
      ? "There are no such reviews."
      : isFirstPage
        ? "Nobody has reviewed your tours yet."
        : "There are no more reviews.";
  if (stars) return `${countOf(byStars, stars).toLocaleString("en-GB")} of ${reviewsInWords(all)}`;
  if (isFiltered) return reviewsInWords(all);
  return `${news.count === 0 ? "No reviews" : reviewsInWords(news.count)} in the last 7 days.`;
}
