import { Link } from "@remix-run/react";
import { Time } from "~/ui/time";
import type { ListedReview } from "./listed-review.server";

const VERIFIED = "Verified";
const UNCHECKED = "Booking not checked";

/** Says in words whether a review's booking was checked (docs/rules/reviews.md, Reviews). */
export const bookingCheck = (verified: boolean) => (verified ? `${VERIFIED} booking` : UNCHECKED);

type ShownDates = Pick<ListedReview, "createdAt" | "visitedAt">;
type BookingFacts = ShownDates & Pick<ListedReview, "editedAt" | "verified">;

export function ReviewFacts({ of, zone }: { of: BookingFacts; zone: string }) {
  return (
    <p className="muted small review-facts">
      <ReviewDates of={of} zone={zone} />
      <span>{of.editedAt ? "\u00A0· edited\u00A0· " : "\u00A0· "}</span>
      <Link to="/about/reviews#verified">
        {of.verified ? (
          <span key="verified">
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="m2.5 8.5 4 4 7-8" fill="none" stroke="currentColor" strokeWidth="2.4" />
            </svg>
            <span>{VERIFIED}</span>
            <span className="visually-hidden on-phone"> booking</span>
          </span>
        ) : (
          <span key="unchecked">{UNCHECKED}</span>
        )}
      </Link>
    </p>
  );
}

/** Says when a review was posted, and when its author had taken part, by the clocks of the tour's zone. */
export function ReviewDates({ of, zone }: { of: ShownDates; zone: string }) {
  return (
    <span>
      Reviewed <Time at={of.createdAt} zone={zone} form="shortDay" />
      <span>
        {of.visitedAt !== null && (
          <span>
            {"\u00A0· visited "}
            <Time at={of.visitedAt} zone={zone} form="shortDay" />
          </span>
        )}
      </span>
    </span>
  );
}

export function Verified({ completedHere }: { completedHere: boolean }) {
  return (
    <p className="hint" id="verified">
      <strong>Verified booking:</strong> the reviewer booked this tour and took part; nobody can
      post here without that.{" "}
      <span>
        {completedHere
          ? "The guide marks a booking as completed; otherwise this happens automatically 24 hours after the tour."
          : "The platform where the tour was booked marks a booking as completed."}
      </span>{" "}
      <strong>Booking not checked:</strong> the review came from another site and we found no
      booking for it. Guides can neither review their own tours nor remove reviews.
    </p>
  );
}
