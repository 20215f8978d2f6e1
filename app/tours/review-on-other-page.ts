import { reviewAddress } from "~/ui/paths";

/**
 * The page of the review that the fragment names, where the document does not have that review; null for any other
 * fragment, and for a deleted review, which is nowhere: its tour's page is as near as can be.
 */
export async function findReviewOnOtherPage(
  hash: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const [, id] = /^#review-([0-9a-f]{24})$/.exec(hash) ?? [];
  if (!id || document.getElementById(`review-${id}`)) return null;
  const answer = await fetch(`/api/reviews/${id}`, { signal: signal ?? null }).catch(() => null);
  return answer?.ok ? reviewAddress(id) : null;
}
