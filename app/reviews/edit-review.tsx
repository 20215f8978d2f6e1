import { Form, Link } from "@remix-run/react";
import type { TypedContent } from "~/reviews/content";
import type { FormErrors } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { useDraft } from "~/ui/browser/drafts";
import { useErrorTitle } from "~/ui/browser/error-title";
import { SubmitButton } from "~/ui/forms";
import { reviewAddress } from "~/ui/paths";
import { ContentFields, WrittenContent } from "./content-fields";
import { DraftNote } from "./review-fields";
import type { OwnReview } from "./own-review.server";
import { UnsentReview } from "./unsent-review";

interface Props {
  review: OwnReview;
  /** From a form that was refused, or from before a log-in. */
  typed: TypedContent | null;
  /** The tag of the state that it was typed for, if not the present one. */
  tag: string | undefined;
  /** The answer to a form. */
  refused: { errors: FormErrors | undefined; unanswered?: boolean } | undefined;
}

export function EditForm({ review, typed, tag, refused }: Props) {
  const formAction = `/reviews/${review.id}/edit`;
  const draft = useDraft(formAction, typed !== null);
  return (
    <>
      <DraftNote draft={draft}>Others see your changes once you save them.</DraftNote>
      <Form method="post" action={formAction} className="form review-form" {...draft.form}>
        <input type="hidden" name="tag" value={tag ?? draft.found?.tag ?? review.tag} />
        <ContentFields content={typed ?? review} errors={refused?.errors?.fields} />
        <p className="row">
          <SubmitButton action={formAction}>
            {refused?.unanswered ? "Try again" : "Save changes"}
          </SubmitButton>
          <Link className="button button-quiet" to={reviewAddress(review.id)}>
            Cancel
          </Link>
        </p>
      </Form>
    </>
  );
}

/** The review that another form, such as one of another tab, has changed meanwhile. */
export function StoredReview({ review }: { review: OwnReview }) {
  return (
    <section className="card stack" aria-labelledby="stored-title">
      <h2 id="stored-title">The review as it is now</h2>
      <WrittenContent content={review} />
      <p className="muted small">Saving replaces it with your version below.</p>
    </section>
  );
}

/** Stands instead of the form, with what was typed. */
export function NotEditable({ reason, input }: { reason: string; input: TypedContent | null }) {
  useErrorTitle(true);
  return (
    <div className="narrow stack">
      <h1>{notEditableTitle(reason)}</h1>
      <p className="lead">{`${reason}.`}</p>
      <UnsentReview input={input} />
      <p>
        <Link to="/me" className="button">
          See your reviews
        </Link>
      </p>
    </div>
  );
}

export const notEditableTitle = (reason: string) =>
  reason === texts.editTooLate
    ? "This review can no longer be edited"
    : "You cannot edit this review";
