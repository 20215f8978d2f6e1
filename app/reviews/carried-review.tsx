import { useErrorTitle } from "~/ui/browser/error-title";
import { useFocused } from "~/ui/focused";
import { CommentField } from "./review-fields";

// What the log-in page says and keeps of a review or reply that was sent without a log-in.

/** Takes the focus unless errors below do. */
export function LoggedOut({ takesFocus, kept }: { takesFocus: boolean; kept: "review" | "reply" }) {
  useErrorTitle(true);
  return (
    <div className="note" role="status" {...useFocused("logged out", takesFocus)}>
      <strong>You were logged out.</strong>{" "}
      <span>{`Log in and your ${kept} will be waiting.`}</span>
    </div>
  );
}

interface Carried {
  rating: string;
  comment: string;
  tag: string;
  /** Says so of the comment, which is shown then. */
  tooLong: string | undefined;
}

export const CarriedFields = ({ rating, comment, tag, tooLong }: Carried) => (
  <>
    <input type="hidden" name="rating" value={rating} />
    <input type="hidden" name="tag" value={tag} />
    {tooLong ? (
      <CommentField defaultValue={comment} error={tooLong} />
    ) : (
      <input type="hidden" name="comment" value={comment} />
    )}
  </>
);
