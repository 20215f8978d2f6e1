import { Written } from "./comment";
import { ReviewStars } from "./stars";

/** A review as its form has it. */
export interface ReviewInput {
  /** 0 when none was chosen. */
  rating: number;
  comment: string;
}

/**
 * Shows a text that its author cannot send from this page, so that they can copy it; renders
 * nothing without a text.
 */
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
