import { VerifiedTick } from "../review";

/** Explains once what the tick beside a reviewer's name says, and what there is without one. */
export function Verified({ completedHere }: { completedHere: boolean }) {
  return (
    <p className="hint" id="verified">
      <VerifiedTick /> <strong>is a verified booking:</strong> the explorer had a completed booking
      of this tour, without which nobody can write a review here.{" "}
      <span>
        {completedHere
          ? "The guide marks a booking as completed; otherwise this happens automatically 24 hours after the tour."
          : "The platform where the tour was booked marks a booking as completed."}
      </span>{" "}
      <strong>No tick:</strong> the review comes from elsewhere, and we have not found such a
      booking. Guides can neither review their own tours nor remove reviews.
    </p>
  );
}
