import { Link } from "@remix-run/react";
import type { ReviewEligibility } from "~/reviews/may-review.server";
import { ErrorSummary } from "~/ui/forms";
import { reviewAddress, tourPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import type { TourPage } from "./tours.server";

type Refused<Kind extends ReviewEligibility["kind"]> = Extract<ReviewEligibility, { kind: Kind }>;

interface Props {
  tour: TourPage;
  eligibility: Exclude<ReviewEligibility, { kind: "eligible" }>;
  completedHere: boolean;
  error: string | undefined;
}

export function writingTitle(standing: ReviewEligibility["kind"]): string {
  if (standing === "eligible") return "Write a review";
  return standing === "ownTour" ? "Your tour" : "Your review";
}

/** Why the visitor cannot review the tour, in the API's words, and the next step. */
export function WhyNot({ tour, eligibility, completedHere, error }: Props) {
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
  return (
    <div className="stack">
      {error && error !== eligibility.text && <ErrorSummary errors={{ form: error, fields: {} }} />}
      {eligibility.kind === "notCompleted" && <NotCompleted tour={tour} {...eligibility} />}
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
      {eligibility.kind === "alreadyReviewed" && <Reviewed {...eligibility} />}
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

function Reviewed({ text, reviewId, deadline }: Refused<"alreadyReviewed">) {
  return (
    <>
      <p>{`${text}.`}</p>
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
}: Refused<"notCompleted"> & { tour: Pick<TourPage, "timeZone"> }) {
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
      <p className={booked ? "muted small" : undefined}>{text}</p>
      <p>
        <Link to="/me">Tours waiting for your review</Link>
      </p>
    </>
  );
}
