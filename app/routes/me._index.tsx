import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { tourPath } from "~/components/paths";
import { ReviewStars } from "~/components/stars";
import { Time, timeLeft } from "~/components/time";
import { requireUser } from "~/http/pages.server";
import { type MyReview, myReviews, toursToReview } from "~/services/reviews/my-reviews.server";

export const meta: MetaFunction = () => [{ title: "My reviews · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const now = new Date();
  const [waiting, reviews] = await Promise.all([
    toursToReview(user),
    myReviews(user, { clock: () => now }),
  ]);
  return { waiting, reviews, now: now.toISOString() };
}

export default function MyReviews() {
  const { waiting, reviews, now } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <h1>My reviews</h1>
      {waiting.length > 0 && (
        <section className="stack" aria-labelledby="waiting">
          <h2 id="waiting">Waiting for your review</h2>
          <ul className="plain-list card">
            {waiting.map(({ slug, title, date }) => (
              <li key={slug} className="row spread">
                <div>
                  <h3>
                    <Link to={tourPath(slug)}>{title}</Link>
                  </h3>
                  {date && (
                    <p className="muted small">
                      You took this tour on <Time at={date} />
                    </p>
                  )}
                </div>
                <Link to={`${tourPath(slug)}#write`} className="button button-small">
                  Write a review<span className="visually-hidden"> of {title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="stack" aria-labelledby="written">
        <h2 id="written">Written by me</h2>
        {reviews.length === 0 ? (
          <p className="empty">
            You have not reviewed a tour yet.{" "}
            {waiting.length === 0 &&
              "Once a tour that you booked is completed, you can review it here."}
          </p>
        ) : (
          <ul className="reviews">
            {reviews.map((review) => (
              <Review key={review.id} review={review} now={now} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function Review({ review, now }: { review: MyReview; now: string }) {
  const { id, tour, rating, comment, createdAt, edited, editableUntil } = review;
  const title = tour?.title ?? "A former tour";
  return (
    <li className="stack">
      <h3>{tour ? <Link to={tourPath(tour.slug)}>{title}</Link> : title}</h3>
      <p className="row">
        <ReviewStars rating={rating} />
        <span className="muted small">
          <Time at={createdAt} />
          {edited && " · edited"}
        </span>
        {editableUntil && (
          <span className="badge">{timeLeft(new Date(editableUntil), new Date(now))} to edit</span>
        )}
      </p>
      {comment && <p className="comment">{comment}</p>}
      <p className="row small">
        {editableUntil && (
          <Link to={`/reviews/${id}/edit`}>
            Edit<span className="visually-hidden"> my review of {title}</span>
          </Link>
        )}
        <Link to={`/reviews/${id}/delete`}>
          Delete<span className="visually-hidden"> my review of {title}</span>
        </Link>
      </p>
    </li>
  );
}
