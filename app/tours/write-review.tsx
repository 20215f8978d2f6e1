import { Form, Link } from "@remix-run/react";
import { NO_WORDS, type TypedContent } from "~/reviews/content";
import type { FormErrors } from "~/lib/errors.server";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { Kept } from "~/reviews/carried-review";
import { ContentFields } from "~/reviews/content-fields";
import { DraftNote } from "~/reviews/review-fields";
import { useByPlatform } from "~/ui/browser/by-platform";
import { useDraft } from "~/ui/browser/drafts";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH, reviewAddress, tourPath } from "~/ui/paths";
import { EditWithThisText, UnsentReview } from "~/reviews/unsent-review";
import { Time } from "~/ui/time";
import type { TourPage } from "./tours.server";

interface Props {
  tour: TourPage;
  eligibility: ReviewEligibility;
  /** The name that the visitor's review will show. */
  author: string;
  completedHere: boolean;
  /** The answer to a form that was refused, or that got none. */
  refused: { errors: FormErrors; input?: TypedContent; unanswered?: boolean } | undefined;
  /** Typed before a log-in. */
  waiting: TypedContent | null;
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
        <h2 id="write">
          <WritingTitle kind={eligibility.kind} title={tour.title} />
        </h2>
        <NotEligible
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
    <div className="card stack" id="review-form">
      <h2 id="write">
        <WritingTitle kind={eligibility.kind} title={tour.title} />
      </h2>
      {waiting && !refused && <Kept>Not posted yet. Check it and press Post review.</Kept>}
      <DraftNote draft={draft}>What should others know before they go?</DraftNote>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" action={formAction} className="form review-form" {...draft.form}>
        <ContentFields content={input ?? { ...NO_WORDS, rating }} errors={refused?.errors.fields} />
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

type Eligibility<Kind extends ReviewEligibility["kind"]> = Extract<
  ReviewEligibility,
  { kind: Kind }
>;

function Consequences({
  author,
  guide,
  guideIsTold,
}: Eligibility<"eligible"> & { author: string; guide: string }) {
  return (
    <ul className="hint consequences">
      <li>
        <span>
          Your review is public and shows the name{" "}
          <strong>
            <bdi translate="no">{author}</bdi>
          </strong>
          .
        </span>
        {!useByPlatform() && (
          <span>
            {" "}
            <Link to={ACCOUNT_PATH}>Change your name</Link>
          </span>
        )}
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

interface NotEligibleProps {
  tour: TourPage;
  eligibility: Exclude<ReviewEligibility, { kind: "eligible" }>;
  completedHere: boolean;
  error: string | undefined;
}

export function writingTitle(kind: ReviewEligibility["kind"]): string {
  if (kind === "eligible") return "Write a review";
  return kind === "ownTour" ? "Your tour" : "Your review";
}

function WritingTitle({ kind, title }: { kind: ReviewEligibility["kind"]; title: string }) {
  if (kind === "ownTour") return writingTitle(kind);
  return (
    <span key="named">
      <span>{`${writingTitle(kind)} of`}</span> <bdi>{title}</bdi>
    </span>
  );
}

/** Why the visitor cannot review the tour, in the API's words, and the next step. */
function NotEligible({ tour, eligibility, completedHere, error }: NotEligibleProps) {
  if (eligibility.kind === "loggedOut")
    return (
      <p>
        Have you been on this tour?{" "}
        <Link to={`/login?redirectTo=${encodeURIComponent(`${tourPath(tour.slug)}#write`)}`}>
          Log in
        </Link>{" "}
        to review it.
      </p>
    );
  // The same text is not shown twice.
  const unsaid = error === eligibility.text ? "" : eligibility.text;
  return (
    <div className="stack">
      {error && <ErrorSummary errors={{ form: error, fields: {} }} />}
      {eligibility.kind === "notCompleted" && (
        <NotCompleted tour={tour} {...eligibility} text={unsaid} />
      )}
      {eligibility.kind === "ownTour" && (
        <>
          <p>{`${eligibility.text}. Its explorers can, once their departure is completed.`}</p>
          <p>
            <Link to="/guide">
              {completedHere
                ? "See your newest reviews and complete departures"
                : "See your newest reviews"}
            </Link>
          </p>
        </>
      )}
      {eligibility.kind === "alreadyReviewed" && <Reviewed {...eligibility} text={unsaid} />}
      {eligibility.kind === "removed" && (
        <>
          <p>{`${eligibility.text}. Your review was removed by a decision.`}</p>
          <p>
            <Link to="/me">See your reviews and the decision</Link>
          </p>
        </>
      )}
    </div>
  );
}

function Reviewed({ text, reviewId, deadline }: Eligibility<"alreadyReviewed">) {
  return (
    <>
      {text && <p>{`${text}.`}</p>}
      <p className="row">
        <Link to={reviewAddress(reviewId)}>See your review</Link>
        <Link to={`/reviews/${reviewId}/${deadline ? "edit" : "delete"}`}>
          {deadline ? "Edit your review" : "Delete your review"}
        </Link>
        <Link to="/me">All your reviews</Link>
      </p>
    </>
  );
}

/** First the departure that an explorer is booked for, then the rule. */
function NotCompleted({
  tour,
  text,
  booked,
}: Eligibility<"notCompleted"> & { tour: Pick<TourPage, "timeZone"> }) {
  return (
    <>
      {booked && (
        <p>
          <strong>
            <span>{booked.isOver ? "You were booked for" : "You are booked for"}</span>{" "}
            <Time at={booked.date} zone={tour.timeZone} form="departure" />.
          </strong>{" "}
          <span>
            {booked.isOver
              ? "You can review it as soon as it is marked as completed."
              : "You can review it afterwards."}
          </span>
        </p>
      )}
      {text && <p className={booked ? "muted small" : undefined}>{text}</p>}
      <p>
        <Link to="/me">Tours waiting for your review</Link>
      </p>
    </>
  );
}
