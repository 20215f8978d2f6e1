import { Link, useLocation } from "@remix-run/react";
import { ReviewDates } from "~/reviews/list/booking-check";
import { Written } from "~/reviews/list/comment";
import { useHasDraft } from "~/ui/browser/drafts";
import { receiptPath, reviewPath } from "~/ui/paths";
import { Reply } from "~/reviews/replies/reply";
import { OwnReviewLinks, Redaction } from "~/reviews/list/review";
import { ReviewStars } from "~/ui/stars";
import { AccessibleSuffix } from "~/ui/accessible-suffix";
import { TourLink } from "~/ui/tour-link";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import type { MyRemovedReview, MyReview } from "./my-reviews.server";

/** The element's id of a review of one's own. */
const elementId = (id: string) => `written-${id}`;

interface WrittenReviewProps {
  review: MyReview;
  /** The review that takes its place when it is deleted: the next one, or the one before the last. */
  neighbour: MyReview | undefined;
  now: string;
}

export function WrittenReview({ review, neighbour, now }: WrittenReviewProps) {
  const { search } = useLocation();
  const { id, tour, rating, comment, editedAt, editableUntil, timeZone, reply } = review;
  const { redaction, decisionPath } = review;
  const hasDraft = useHasDraft(`/reviews/${id}/edit`);
  const title = tour?.title ?? "A former tour";
  return (
    <li className="stack" id={elementId(id)}>
      <h3>{tour ? <TourLink {...tour} /> : title}</h3>
      <p className="row">
        <ReviewStars rating={rating} />
        <span className="muted small">
          <ReviewDates of={review} zone={timeZone} />
          <span>{editedAt && "\u00A0· edited"}</span>
          <span className="no-print">
            {"\u00A0· "}
            <Link to={reviewPath(id)}>
              Public page
              <AccessibleSuffix words=" of your review of " title={title} />
            </Link>
            {"\u00A0· "}
            <a href={receiptPath(id)} download>
              Receipt
              <AccessibleSuffix words=" of your review of " title={title} />
            </a>
          </span>
        </span>
        {editableUntil && hasDraft && <span className="badge">Draft of a change</span>}
      </p>
      {comment && <Written text={comment} />}
      {!comment && redaction && decisionPath && (
        <>
          <Redaction redaction={redaction} timeZone={timeZone} />
          <DecisionLink path={decisionPath} title={title} />
        </>
      )}
      {reply && <Reply reply={reply} timeZone={timeZone} />}
      <OwnReviewLinks
        reviewId={id}
        deadline={editableUntil === null ? null : { until: editableUntil, now }}
        timeZone={timeZone}
        tourTitle={title}
        back={`/me${search}#${neighbour ? elementId(neighbour.id) : "written"}`}
      />
    </li>
  );
}

const DecisionLink = ({ path, title }: { path: string; title: string }) => (
  <p>
    <Link to={path}>
      See the decision, or appeal
      <AccessibleSuffix words=": " title={title} />
    </Link>
  </p>
);

export function RemovedReviews({ reviews }: { reviews: MyRemovedReview[] }) {
  return (
    <Section id="removed" title="Removed by a decision">
      <ul className="plain-list card">
        {reviews.map(({ id, tourTitle, removedAt, timeZone, path }) => (
          <li key={id}>
            <h3>
              <bdi>{tourTitle}</bdi>
            </h3>
            <p className="muted small">
              {"Your review was removed on "}
              <Time at={removedAt} zone={timeZone} />
            </p>
            <DecisionLink path={path} title={tourTitle} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
