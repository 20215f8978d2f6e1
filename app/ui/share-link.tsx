import { Link } from "@remix-run/react";
import { type MouseEvent, useState } from "react";
import { reviewPath } from "./paths";

/** Where scripts run, it opens the system's way of sharing that address, or copies it. */
export function ShareLink({ reviewId, name }: { reviewId: string; name: string }) {
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
        <span className="visually-hidden">
          {" "}
          the review by <bdi translate="no">{name}</bdi>
        </span>
      </Link>
      <span aria-live="polite">{copied && " · Link copied"}</span>
    </>
  );
}
