import { Written } from "~/reviews/list/comment";
import { ReviewStars } from "~/ui/stars";

interface Props {
  kind: "review" | "reply";
  /** Who wrote it; empty for a former account, absent where nobody is to know. */
  author?: string;
  rating: number | null;
  text: string | null;
}

/** A review or a reply that is reported, in short. */
export function ReportedText({ kind, author, rating, text }: Props) {
  return (
    <div className="stack">
      {author !== undefined && (
        <p className="muted small">
          <span>{kind === "review" ? "A review by " : "A reply by "}</span>
          <strong>
            <bdi translate="no">
              {author || (kind === "review" ? "a former explorer" : "a former guide")}
            </bdi>
          </strong>
        </p>
      )}
      {kind === "review" && (
        <p>
          <ReviewStars rating={rating} />
        </p>
      )}
      {text ? <Written text={text} /> : <p className="muted">It has no words.</p>}
    </div>
  );
}
