import { Form, Link } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import type { ReviewEligibility } from "~/services/reviews/eligibility.server";
import { CommentField, ErrorSummary, StarInput, SubmitButton } from "../forms";
import { tourPath } from "../paths";
import type { OwnReview } from "./review-list";

interface Props {
  slug: string;
  eligibility: ReviewEligibility;
  /** The visitor's review, when there is one. */
  own: OwnReview | null;
  /** The answer to a form that was refused. */
  refused: { errors: FormErrors; input: { rating: number; comment: string } } | undefined;
}

/** The form for a review, or why the visitor cannot write one. */
export function WriteReview({ slug, eligibility, own, refused }: Props) {
  if (eligibility.kind !== "eligible")
    return (
      <>
        <h2 id="write">Your review</h2>
        <WhyNot eligibility={eligibility} slug={slug} own={own} error={refused?.errors.form} />
      </>
    );
  const formAction = tourPath(slug);
  return (
    <div className="card stack">
      <h2 id="write">Write a review</h2>
      <p className="muted">You were there. What should others know?</p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" action={formAction} className="form review-form">
        <StarInput defaultValue={refused?.input.rating} error={refused?.errors.fields.rating} />
        <CommentField
          defaultValue={refused?.input.comment}
          error={refused?.errors.fields.comment}
        />
        <div>
          <SubmitButton action={formAction}>Post review</SubmitButton>
        </div>
      </Form>
    </div>
  );
}

interface WhyNotProps {
  eligibility: Exclude<ReviewEligibility, { kind: "eligible" }>;
  slug: string;
  own: OwnReview | null;
  error: string | undefined;
}

/** Why the visitor cannot review the tour, in the API's words, and the next step. */
function WhyNot({ eligibility, slug, own, error }: WhyNotProps) {
  if (eligibility.kind === "loggedOut")
    return (
      <p>
        Have you been on this tour?{" "}
        <Link to={`/login?redirectTo=${encodeURIComponent(`${tourPath(slug)}#write`)}`}>
          Log in
        </Link>{" "}
        to review it.
      </p>
    );
  return (
    <div className="stack">
      {error && error !== eligibility.text && <ErrorSummary errors={{ form: error, fields: {} }} />}
      <p>
        {eligibility.text}
        {eligibility.kind !== "notCompleted" && "."}{" "}
        {eligibility.kind === "alreadyReviewed" && own && (
          <>
            <Link to={`/reviews/${own.id}/${own.left ? "edit" : "delete"}`}>
              {own.left ? "Edit your review" : "Delete your review"}
            </Link>{" "}
            or see <Link to="/me">all your reviews</Link>.
          </>
        )}
        {eligibility.kind === "ownTour" && (
          <Link to="/guide">See what explorers say about your tours.</Link>
        )}
        {eligibility.kind === "notCompleted" && <Link to="/me">Tours waiting for your review</Link>}
      </p>
    </div>
  );
}
