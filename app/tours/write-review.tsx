import { Form, Link } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { DraftNote } from "~/reviews/draft-note";
import { useDraft } from "~/ui/browser/drafts";
import { CommentField } from "~/reviews/comment-field";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH, tourPath } from "~/ui/paths";
import { StarInput } from "~/reviews/star-input";
import { EditWithThisText, type ReviewInput, UnsentReview } from "~/reviews/unsent-review";
import type { TourPage } from "./tours.server";
import { WhyNot, writingTitle } from "./why-not";

interface Props {
  tour: TourPage;
  eligibility: ReviewEligibility;
  /** The name that the visitor's review will show. */
  author: string;
  completedHere: boolean;
  /** The answer to a form that was refused, or that got none. */
  refused: { errors: FormErrors; input?: ReviewInput; unanswered?: boolean } | undefined;
  /** Typed before a log-in. */
  waiting: ReviewInput | null;
  /** The rating that the form's address chooses. */
  rating: number | null;
}

export function WriteReview(props: Props) {
  const { tour, eligibility, author, completedHere, refused, waiting, rating } = props;
  const input = refused?.input ?? waiting;
  const formAction = tourPath(tour.slug);
  const draft = useDraft(formAction, input !== null);
  if (eligibility.kind !== "eligible")
    return (
      <>
        <h2 id="write">{writingTitle(eligibility.kind)}</h2>
        <WhyNot
          tour={tour}
          eligibility={eligibility}
          completedHere={completedHere}
          error={refused?.errors.form}
        />
        <UnsentReview input={input}>
          {eligibility.kind === "alreadyReviewed" &&
            eligibility.deadline !== null &&
            input !== null && <EditWithThisText reviewId={eligibility.reviewId} input={input} />}
        </UnsentReview>
      </>
    );
  return (
    <div className="card stack">
      <h2 id="write">Write a review</h2>
      <DraftNote draft={draft}>Tell others about this tour.</DraftNote>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" action={formAction} className="form review-form" {...draft.form}>
        <StarInput
          defaultValue={input?.rating ?? rating ?? undefined}
          error={refused?.errors.fields.rating}
        />
        <CommentField defaultValue={input?.comment} error={refused?.errors.fields.comment} />
        <Consequences author={author} guide={tour.guide.name} {...eligibility} />
        <div>
          <SubmitButton action={formAction}>
            {refused?.unanswered ? "Try again" : "Post review"}
          </SubmitButton>
        </div>
      </Form>
    </div>
  );
}

type Eligible = Extract<ReviewEligibility, { kind: "eligible" }>;

function Consequences({
  author,
  guide,
  guideIsTold,
}: Eligible & { author: string; guide: string }) {
  return (
    <ul className="hint consequences">
      <li>
        Your review is public and shows the name{" "}
        <strong>
          <bdi translate="no">{author}</bdi>
        </strong>
        . <Link to={ACCOUNT_PATH}>Change your name</Link>
      </li>
      {guideIsTold !== "none" && (
        <li>
          We’ll e-mail <bdi translate="no">{guide}</bdi>
          <span>{guideIsTold === "daily" ? " about it once a day." : " about it."}</span>
        </li>
      )}
      <li>You can edit it for 24 hours, and delete it at any time.</li>
    </ul>
  );
}
