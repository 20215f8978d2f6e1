import { Form } from "@remix-run/react";
import type { ReactElement } from "react";
import type { TypedContent } from "~/reviews/content";
import { HiddenContent, WrittenContent } from "./content-fields";

/** The form that edits a review is opened with a text that was typed elsewhere. */
export const OPEN = "open";

/** The values of the field `intent` of the form that edits a review; without it, the form saves. */
export const INTENTS = ["save", OPEN] as const;

interface Props {
  input: TypedContent | null | undefined;
  children?: ReactElement | false;
}

/** Shows a text that its author cannot send from this page, so that they can copy it. */
export function UnsentReview({ input, children }: Props) {
  if (!input || (!input.rating && !input.comment)) return null;
  return (
    <section className="card stack" aria-labelledby="unsent">
      <h3 id="unsent">Your text was not posted</h3>
      <WrittenContent content={input} />
      {children || <p className="muted small">Copy it if you want to keep it.</p>}
    </section>
  );
}

/** Takes what was typed for a new review to the form that edits the stored one, where it can be saved. */
export function EditWithThisText({ reviewId, input }: { reviewId: string; input: TypedContent }) {
  return (
    <Form method="post" action={`/reviews/${reviewId}/edit`}>
      <HiddenContent content={input} />
      <button type="submit" name="intent" value={OPEN} className="button">
        Edit it with this text
      </button>
    </Form>
  );
}
