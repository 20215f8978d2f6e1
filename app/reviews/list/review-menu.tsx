import { Link } from "@remix-run/react";
import { type MouseEvent, useState } from "react";
import { COPIED, opensElsewhere, shareAddress } from "~/ui/browser/share";
import { reportPath, replyAddress, reviewPath } from "~/ui/paths";
import { AccessibleSuffix } from "~/ui/accessible-suffix";

interface Props {
  reviewId: string;
  name: string;
  hasReply: boolean;
  /** Whether the review is the reader's own, who does not report it. */
  isOwn: boolean;
}

/** Folded away, so that a page of reviews is not one of links. */
export function ReviewMenu({ reviewId, name, hasReply, isOwn }: Props) {
  return (
    <details className="review-menu no-print">
      <summary>
        <span aria-hidden="true">•••</span>
        <AccessibleSuffix words="More about the review by " name={name} />
      </summary>
      <ul className="plain-list">
        <li>
          <ShareLink reviewId={reviewId} name={name} />
        </li>
        {!isOwn && (
          <li>
            <Link to={reportPath(reviewPath(reviewId))} rel="nofollow">
              Report
              <AccessibleSuffix words=" the review by " name={name} />
            </Link>
          </li>
        )}
        {hasReply && (
          <li>
            <Link to={reportPath(replyAddress(reviewId))} rel="nofollow">
              Report the reply
              <AccessibleSuffix words=" to the review by " name={name} />
            </Link>
          </li>
        )}
      </ul>
    </details>
  );
}

/** Where scripts run, it shares the review's address; on a page without React app/entry.reader.ts sees to it. */
function ShareLink({ reviewId, name }: Pick<Props, "reviewId" | "name">) {
  const [copied, setCopied] = useState(false);
  const share = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    setCopied(await shareAddress(event.currentTarget.href));
  };
  return (
    <>
      <Link to={reviewPath(reviewId)} data-share="" onClick={(event) => void share(event)}>
        Share
        <AccessibleSuffix words=" the review by " name={name} />
      </Link>
      <span aria-live="polite">{copied && COPIED}</span>
    </>
  );
}
