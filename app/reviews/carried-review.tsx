import { useErrorTitle } from "~/ui/browser/error-title";
import { useFocused } from "~/ui/focused";
import type { Content } from "~/reviews/content";
import { HiddenContent } from "./content-fields";
import { CommentField } from "./review-fields";

// Notes about a review or reply that was sent without a log-in: the log-in page says and keeps it, its form has it
// again.

/** Takes the focus unless errors below do. */
export function LoggedOut({ takesFocus, kept }: { takesFocus: boolean; kept: "review" | "reply" }) {
  useErrorTitle(true);
  return (
    <div className="note" role="status" {...useFocused("logged out", takesFocus)}>
      <strong>You were logged out.</strong>{" "}
      <span>{`Log in to post your ${kept}. We’ve kept it.`}</span>
    </div>
  );
}

/** Says of a form that words from before the log-in are in it and wait for their author; it has the focus. */
export const Kept = ({ children }: { children: string }) => (
  <div className="note" role="status" {...useFocused("kept")}>
    <strong>{children}</strong>
  </div>
);

interface Carried extends Record<keyof Content, string> {
  tag: string;
  /** Says so of the comment, which is shown then. */
  tooLong: string | undefined;
}

export const CarriedFields = ({ tag, tooLong, ...content }: Carried) => (
  <>
    <HiddenContent content={content} except={tooLong !== undefined && "comment"} />
    <input type="hidden" name="tag" value={tag} />
    {tooLong && <CommentField defaultValue={content.comment} error={tooLong} />}
  </>
);
