import { Link, useLocation } from "@remix-run/react";
import { type ReactElement, useEffect, useRef } from "react";
import { Avatar } from "~/ui/avatar";
import { DeleteReviewLink } from "~/reviews/delete-review";
import { Reply } from "~/reviews/replies/reply";
import { ReviewStars } from "~/ui/stars";
import { AccessibleSuffix } from "~/ui/accessible-suffix";
import { type Deadline, EditableUntil, Time } from "~/ui/time";
import { type Ground, GROUND_TEXTS, rulePath } from "~/ui/grounds";
import type { ListedReview } from "./listed-review.server";
import { ReviewMenu } from "./review-menu";
import { Comment, Written } from "./comment";
import { ReviewFacts } from "./booking-check";

export const authorName = ({ user }: { user: { name: string } }) => user.name || "An explorer";

interface BodyProps {
  review: ListedReview;
  timeZone: string;
  /** Folds a long comment. */
  folds?: boolean;
  replyId?: string;
  /** Stands below the facts. */
  below?: ReactElement;
  /** Stands beside the head. */
  aside?: ReactElement | false;
}

/** The head, the words and the reply of a review. */
export function ReviewBody(props: BodyProps) {
  const { review, timeZone, folds = false, replyId, below, aside } = props;
  const { comment, language, marks, redaction, reply } = review;
  const written = { text: comment ?? "", language, marks };
  const name = authorName(review);
  return (
    <>
      <div className="review-head">
        <Avatar name={name} image={review.user.image} />
        <div>
          <p className="row">
            <strong>
              <bdi translate="no">{name}</bdi>
            </strong>
            <ReviewStars rating={review.rating} />
          </p>
          <ReviewFacts of={review} zone={timeZone} />
          {below}
        </div>
        {aside}
      </div>
      {comment && (folds ? <Comment id={review.id} {...written} /> : <Written {...written} />)}
      {!comment && redaction && <Redaction redaction={redaction} timeZone={timeZone} />}
      {reply && <Reply reply={reply} timeZone={timeZone} {...(replyId && { id: replyId })} />}
    </>
  );
}

interface Props {
  review: ListedReview;
  timeZone: string;
  /** Shows all of the comment, however long. */
  whole?: boolean;
  /** Whether the reader has written it. */
  isOwn?: boolean;
  note?: ReactElement | false | null;
  children?: ReactElement | false | null;
}

export function Review({ review, timeZone, whole = false, isOwn = false, note, children }: Props) {
  const name = authorName(review);
  const id = `review-${review.id}`;
  return (
    <article
      className={review.comment || review.redaction ? "review" : "review review-wordless"}
      id={id}
      ref={useTarget(id)}
      tabIndex={-1}
      aria-label={`Review by ${name}`}
      aria-describedby={note ? `${id}-note` : undefined}
    >
      {note && <div id={`${id}-note`}>{note}</div>}
      <ReviewBody
        review={review}
        timeZone={timeZone}
        folds={!whole}
        {...(whole && { replyId: "reply" })}
        aside={
          <ReviewMenu
            reviewId={review.id}
            name={name}
            hasReply={review.reply !== null}
            isOwn={isOwn}
          />
        }
      />
      {children}
    </article>
  );
}

/** A navigation by script neither focuses nor makes `:target` what the address names: this does both. */
function useTarget(id: string) {
  const { hash, key } = useLocation();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const isNamed = hash === `#${id}`;
    element.current?.classList.toggle("target", isNamed);
    if (isNamed) element.current?.focus({ preventScroll: true });
  }, [hash, key, id]);
  return element;
}

interface OwnProps {
  reviewId: string;
  /** Until when it can be edited; null when it no longer can. */
  deadline: Deadline | null;
  timeZone: string;
  /** Set on a page with reviews of several tours. */
  tourTitle?: string;
  /** The address on `/me` to return to when it is deleted; otherwise to its tour. */
  back?: string;
}

export function OwnReviewLinks({ reviewId, deadline, timeZone, tourTitle, back }: OwnProps) {
  const which = tourTitle ? (
    <AccessibleSuffix words=" your review of " title={tourTitle} />
  ) : (
    <span className="visually-hidden"> your review</span>
  );
  return (
    <p className="row own-review no-print">
      {deadline && (
        <Link className="button button-quiet button-small" to={`/reviews/${reviewId}/edit`}>
          <span>Edit</span>
          {which}
        </Link>
      )}
      <DeleteReviewLink reviewId={reviewId} back={back}>
        {which}
      </DeleteReviewLink>
      <span className="muted small">
        {deadline ? (
          <EditableUntil deadline={deadline} zone={timeZone} />
        ) : (
          "Too late to edit (24 hours)"
        )}
      </span>
    </p>
  );
}

interface Removal {
  at: string;
  ground: Ground;
}

export function Redaction({ redaction, timeZone }: { redaction: Removal; timeZone: string }) {
  return (
    <p className="muted">
      {"The words were removed on "}
      <WhenAndWhy {...redaction} timeZone={timeZone} />
    </p>
  );
}

interface RemovedReplyProps {
  removed: Removal & { userId: string };
  /** The id of the tour's guide. */
  guideId: string;
  timeZone: string;
}

/** Says to a tour's guide that an operator has removed the reply to a review, when and why. */
export function RemovedReply({ removed, guideId, timeZone }: RemovedReplyProps) {
  const { userId, ...removal } = removed;
  return (
    <p className="muted">
      <span>{userId === guideId ? "Your reply" : "The reply of the guide before you"}</span>
      {" was removed by a decision on "}
      <WhenAndWhy {...removal} timeZone={timeZone} />
      {". You cannot reply again until the time for appeals is over."}
    </p>
  );
}

const WhenAndWhy = ({ at, ground, timeZone }: Removal & { timeZone: string }) => (
  <span>
    <Time at={at} zone={timeZone} />
    {": "}
    <Link to={rulePath(ground)}>{GROUND_TEXTS[ground].label}</Link>
  </span>
);
