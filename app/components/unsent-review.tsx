import { Written } from "./comment";
import { ReviewStars } from "./stars";

/** A review as its form has it. */
export interface ReviewInput {
  /** 0 when none was chosen. */
  rating: number;
  comment: string;
}

/** What somebody wrote and cannot send from this page, for them to copy; nothing when there is nothing. */
export function UnsentReview({ input }: { input: ReviewInput | null | undefined }) {
  if (!input || (!input.rating && !input.comment)) return null;
  return (
    <section className="card stack" aria-labelledby="unsent">
      <h3 id="unsent">What you wrote was not posted</h3>
      {input.rating > 0 && <ReviewStars rating={input.rating} />}
      {input.comment && <Written text={input.comment} />}
      <p className="muted small">Copy it if you want to keep it.</p>
    </section>
  );
}
