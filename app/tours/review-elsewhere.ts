import { useLocation, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { reviewAddress } from "~/ui/paths";

/** Leads to a review's own page when the address names one that this page does not show. */
export function useReviewElsewhere(): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const [, id] = /^#review-([0-9a-f]{24})$/.exec(hash) ?? [];
    if (!id || document.getElementById(`review-${id}`)) return;
    const left = new AbortController();
    // One that was deleted is nowhere: its tour's page is as near as can be.
    fetch(`/api/reviews/${id}`, { signal: left.signal }).then(
      ({ ok }) => ok && navigate(reviewAddress(id), { replace: true }),
      () => undefined,
    );
    return () => left.abort();
  }, [hash, navigate]);
}
