export function Verified({ completedHere }: { completedHere: boolean }) {
  return (
    <p className="hint" id="verified">
      <strong>Verified booking:</strong> the explorer had a completed booking of this tour. Nobody
      can write a review here without one.{" "}
      <span>
        {completedHere
          ? "The guide marks a booking as completed; otherwise this happens automatically 24 hours after the tour."
          : "The platform where the tour was booked marks a booking as completed."}
      </span>{" "}
      <strong>Booking not checked:</strong> the review comes from elsewhere, and we have not found
      such a booking. Guides can neither review their own tours nor remove reviews.
    </p>
  );
}
