import { Link } from "@remix-run/react";
import { reportPath, replyAddress, reviewPath } from "~/ui/paths";
import { ShareLink } from "~/ui/share-link";

interface Props {
  reviewId: string;
  name: string;
  hasReply: boolean;
}

/** Folded away, so that a page of reviews is not one of links. */
export function ReviewMenu({ reviewId, name, hasReply }: Props) {
  const which = (
    <span className="visually-hidden">
      {" the review by "}
      <bdi translate="no">{name}</bdi>
    </span>
  );
  return (
    <details className="review-menu no-print">
      <summary>
        <span aria-hidden="true">•••</span>
        <span className="visually-hidden">
          {"More about the review by "}
          <bdi translate="no">{name}</bdi>
        </span>
      </summary>
      <ul className="plain-list">
        <li>
          <ShareLink reviewId={reviewId} name={name} />
        </li>
        <li>
          <Link to={reportPath(reviewPath(reviewId))} rel="nofollow">
            <span>Report</span>
            {which}
          </Link>
        </li>
        {hasReply && (
          <li>
            <Link to={reportPath(replyAddress(reviewId))} rel="nofollow">
              Report the reply
              <span className="visually-hidden">
                {" to the review by "}
                <bdi translate="no">{name}</bdi>
              </span>
            </Link>
          </li>
        )}
      </ul>
    </details>
  );
}
