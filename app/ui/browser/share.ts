/**
 * Opens the system's way of sharing the address, or copies it; a browser that may do neither goes there. Returns whether
 * it was copied.
 */
export async function shareAddress(url: string): Promise<boolean> {
  // Older browsers, and pages without HTTPS, have neither.
  const { share, clipboard } = navigator as Partial<Navigator>;
  // A visitor who closes the system's window wants nothing else.
  if (share) return share.call(navigator, { url }).then(notCopied, notCopied);
  const copying = clipboard?.writeText(url) ?? Promise.reject(new Error("cannot copy"));
  return copying.then(
    () => true,
    () => {
      location.assign(url);
      return false;
    },
  );
}

const notCopied = () => false;

/** The text beside the link. */
export const COPIED = "\u00A0· Link copied";

/** Whether a click opens a link elsewhere, as with Ctrl. */
export const opensElsewhere = (event: Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey">) =>
  event.metaKey || event.ctrlKey || event.shiftKey;
