import { Link } from "@remix-run/react";
import { type MouseEvent, useState } from "react";
import { reportPath, replyAddress, reviewPath } from "~/ui/paths";
import { ToldApart } from "~/ui/told-apart";

interface Props {
  reviewId: string;
  name: string;
  hasReply: boolean;
}

/** Folded away, so that a page of reviews is not one of links. */
export function ReviewMenu({ reviewId, name, hasReply }: Props) {
  return (
    <details className="review-menu no-print">
      <summary>
        <span aria-hidden="true">•••</span>
        <ToldApart words="More about the review by " name={name} />
      </summary>
      <ul className="plain-list">
        <li>
          <ShareLink reviewId={reviewId} name={name} />
        </li>
        <li>
          <Link to={reportPath(reviewPath(reviewId))} rel="nofollow">
            Report
            <ToldApart words=" the review by " name={name} />
          </Link>
        </li>
        {hasReply && (
          <li>
            <Link to={reportPath(replyAddress(reviewId))} rel="nofollow">
              Report the reply
              <ToldApart words=" to the review by " name={name} />
            </Link>
          </li>
        )}
      </ul>
    </details>
  );
}

/** Where scripts run, it opens the system's way of sharing the review's address, or copies it. */
function ShareLink({ reviewId, name }: Omit<Props, "hasReply">) {
  const [copied, setCopied] = useState(false);
  const share = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    // Older browsers, and pages without HTTPS, have neither: they follow the link.
    const { share, clipboard } = navigator as Partial<Navigator>;
    if (!share && !clipboard) return;
    event.preventDefault();
    const { href: url } = event.currentTarget;
    // A visitor who closes the system's window wants nothing else.
    if (share) return share.call(navigator, { url }).catch(() => undefined);
    await clipboard!.writeText(url).then(
      () => setCopied(true),
      () => location.assign(url),
    );
  };
  return (
    <>
      <Link to={reviewPath(reviewId)} onClick={(event) => void share(event)}>
        Share
        <ToldApart words=" the review by " name={name} />
      </Link>
      <span aria-live="polite">{copied && " · Link copied"}</span>
    </>
  );
}
