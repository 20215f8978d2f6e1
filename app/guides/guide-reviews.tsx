import { Form, Link, useSearchParams } from "@remix-run/react";
import { isolated } from "~/lib/text";
import { type Option, SelectField } from "~/ui/forms";
import { CursorLinks } from "~/ui/page-links";
import { replyPath } from "~/ui/paths";
import { ReplyForm, replyFieldId, WithdrawReply } from "~/reviews/replies/reply";
import { authorName, RemovedReply } from "~/reviews/list/review";
import { countForStars, reviewsInWords, starsInWords } from "~/ui/stars";
import { AccessibleSuffix } from "~/ui/accessible-suffix";
import type { GuideOverview, GuideReview } from "./guide-overview.server";
import { readGuideQuery, useGuideAddress } from "./guide-address";
import { ReviewOfTour } from "./review-of-tour";

const SHOWN = 3;

type FilteredReviews = Pick<GuideOverview, "reviews" | "filter" | "figures">;

interface Props extends FilteredReviews {
  /** When the guide's last visit ended (ISO 8601): later reviews are new. */
  newSince: string;
  guideId: string;
}

export function Reviews({ newSince, guideId, ...overview }: Props) {
  const { reviews, filter } = overview;
  const { items, next, searched } = reviews;
  const [shown] = useSearchParams();
  const { sort, after, reply: named } = readGuideQuery(shown);
  const isNewest = sort === "newest";
  const isFiltered = filter.tour !== null || filter.stars !== null;
  // A guide who has chosen some, or opens another page, wants to see them.
  const isChosen = isFiltered || shown.has("sort") || after !== null;
  const first = isChosen ? items : items.slice(0, SHOWN);
  const more = items.slice(first.length);
  const renderReviews = (some: GuideReview[]) => (
    <ul className="reviews">
      {some.map((review) => (
        <li key={review.id} id={elementId(review)}>
          <ReviewOfTour review={review} isNew={review.createdAt > newSince}>
            {review.removedReply ? (
              <RemovedReply
                removed={review.removedReply}
                guideId={guideId}
                timeZone={review.tour.timeZone}
              />
            ) : (
              <ReplyHere review={review} guideId={guideId} isNamed={named === review.id} />
            )}
          </ReviewOfTour>
        </li>
      ))}
    </ul>
  );
  const older = isNewest ? "Earlier reviews" : "More reviews";
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
        newest={isNewest ? "Newest reviews" : "First reviews"}
        older={searched === null ? older : "Look further"}
      />
    </>
  );
  return (
    <section className="stack" aria-labelledby="reviews">
      <div>
        <h2 id="reviews">Reviews</h2>
        <p className="muted">
          {reviewsSummary(overview, { isFiltered, isFirstPage: after === null })}
        </p>
      </div>
      {(isChosen || items.length > 0 || searched !== null) && (
        <ReviewFilter
          key={`${filter.tour} ${filter.stars} ${sort}`}
          filter={filter}
          isFiltered={isFiltered}
        />
      )}
      {first.length > 0 && renderReviews(first)}
      {more.length > 0 ? (
        <details className="fold" open={more.some(({ id }) => id === named) || undefined}>
          <summary>More reviews</summary>
          <div className="stack">
            {renderReviews(more)}
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

interface ReplyHereProps {
  review: GuideReview;
  guideId: string;
  isNamed: boolean;
}

/** Its reply's links; without one its form, for the review that the address names, or the link to that. */
function ReplyHere({ review, guideId, isNamed }: ReplyHereProps) {
  const address = useGuideAddress();
  const of = authorName(review);
  const back = address({ reply: review.id }, elementId(review));
  const { id, reply, replyTag } = review;
  if (reply)
    return (
      <div className="row no-print">
        {reply.userId === guideId && (
          <Link
            className="button button-quiet button-small"
            to={`${replyPath(id)}?${new URLSearchParams({ back }).toString()}`}
          >
            Edit
            <AccessibleSuffix words=" the reply to " name={of} />
          </Link>
        )}
        <WithdrawReply reviewId={id} tag={replyTag} back={back}>
          Withdraw
          <AccessibleSuffix words=" the reply to " name={of} />
        </WithdrawReply>
      </div>
    );
  if (isNamed) return <ReplyForm reviewId={id} reply={null} of={of} back={back} />;
  return (
    <p className="no-print">
      <Link
        className="button button-quiet button-small"
        to={address({ reply: id }, replyFieldId(id))}
      >
        Reply
        <AccessibleSuffix words=" to " name={of} />
      </Link>
    </p>
  );
}

function reviewsSummary(
  { reviews, filter, figures: { unanswered } }: FilteredReviews,
  { isFiltered, isFirstPage }: { isFiltered: boolean; isFirstPage: boolean },
): string {
  const { stars, all, byStars } = filter;
  if (reviews.items.length === 0 && reviews.next === null) {
    if (isFiltered) return "There are no such reviews.";
    return isFirstPage ? "Nobody has reviewed your tours yet." : "There are no more reviews.";
  }
  if (stars)
    return `${countForStars(byStars, stars).toLocaleString("en-GB")} of ${reviewsInWords(all)}`;
  if (isFiltered) return reviewsInWords(all);
  const rest =
    unanswered === 0 ? "all answered" : `${unanswered.toLocaleString("en-GB")} without a reply`;
  return `${reviewsInWords(all)}, ${rest}.`;
}

const STARS = [5, 4, 3, 2, 1];

/** The parameters of the page's other lists, which stay as they are. */
const OTHERS = ["tours", "open", "upcoming", "past"];

function ReviewFilter({
  filter,
  isFiltered,
}: Pick<FilteredReviews, "filter"> & { isFiltered: boolean }) {
  const [shown] = useSearchParams();
  const address = useGuideAddress();
  const { tour, tours, stars, byStars } = filter;
  const withCount = (value: number) =>
    `${starsInWords(value)} (${countForStars(byStars, value).toLocaleString("en-GB")})`;
  return (
    <Form action="/guide#reviews" className="search">
      {OTHERS.map((name) => {
        const value = shown.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
      {tours.length > 1 && (
        <SelectField
          label="Tour"
          name="tour"
          idPrefix="reviews-"
          defaultValue={tour ?? ""}
          options={[
            ["", "All tours"],
            ...tours.map(({ id, title }): Option => [id, isolated(title)]),
          ]}
        />
      )}
      <SelectField
        label="Stars"
        name="stars"
        idPrefix="reviews-"
        defaultValue={stars ?? ""}
        options={[["", "All"], ...STARS.map((value): Option => [value, withCount(value)])]}
      />
      <SelectField
        label="Order"
        name="sort"
        idPrefix="reviews-"
        defaultValue={readGuideQuery(shown).sort}
        options={[
          ["unanswered", "Unanswered first"],
          ["newest", "Newest first"],
        ]}
      />
      <button type="submit" className="button button-quiet">
        Show
      </button>
      {isFiltered && (
        <Link to={address({ tour: null, stars: null, after: null }, "reviews")}>
          Show all reviews
        </Link>
      )}
    </Form>
  );
}
