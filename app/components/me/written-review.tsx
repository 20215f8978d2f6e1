import { Link } from "@remix-run/react";
import type { MyReview } from "~/services/reviews/my-reviews.server";
import { Written } from "../comment";
import { tourPath } from "../paths";
import { ReviewStars } from "../stars";
import { EditableUntil, Time } from "../time";

/** A review in the list of its author, as it was read at `now`. */
export function WrittenReview({ review, now }: { review: MyReview; now: string }) {
  const { id, tour, rating, comment, createdAt, edited, editableUntil, timeZone } = review;
  const title = tour?.title ?? "A former tour";
  return (
    <li className="stack">
      <h3>
        {tour ? (
          <Link to={tourPath(tour.slug)}>
            <bdi>{title}</bdi>
          </Link>
        ) : (
          title
        )}
      </h3>
      <p className="row">
        <ReviewStars rating={rating} />
        <span className="muted small">
          <Time at={createdAt} zone={timeZone} />
          <span>{edited && " · edited"}</span>
        </span>
        {editableUntil && (
          <span className="badge">
            <EditableUntil deadline={{ until: editableUntil, now }} zone={timeZone} />
          </span>
        )}
      </p>
      {comment && <Written text={comment} />}
      <p className="row small">
        {editableUntil && (
          <Link to={`/reviews/${id}/edit`}>
            Edit
            <span className="visually-hidden">
              {" "}
              my review of <bdi>{title}</bdi>
            </span>
          </Link>
        )}
        <Link to={`/reviews/${id}/delete`}>
          Delete
          <span className="visually-hidden">
            {" "}
            my review of <bdi>{title}</bdi>
          </span>
        </Link>
        {!editableUntil && (
          <span className="muted">
            Reviews can be edited for 24 hours. This one can only be deleted.
          </span>
        )}
      </p>
    </li>
  );
}
