import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Written } from "~/components/comment";
import { CursorLinks } from "~/components/page-links";
import { tourPath } from "~/components/paths";
import { ReviewStars, Star, starsInWords } from "~/components/stars";
import { Time, timeLeft } from "~/components/time";
import { requireUser } from "~/http/pages.server";
import { type MyReview, myReviews, toursToReview } from "~/services/reviews/my-reviews.server";
import { comingBookings } from "~/services/tours/coming-bookings.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `My ${data?.isFirst === false ? "older " : ""}reviews · Tour Reviews` },
];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const now = new Date();
  const { searchParams } = new URL(request.url);
  const [waiting, coming, reviews] = await Promise.all([
    toursToReview(user, { after: searchParams.get("waiting") }),
    comingBookings(user, { clock: () => now }),
    myReviews(user, { after: searchParams.get("written"), clock: () => now }),
  ]);
  return {
    waiting,
    coming,
    reviews,
    isFirst: !searchParams.has("written"),
    now: now.toISOString(),
  };
}

export default function MyReviews() {
  const { waiting, coming, reviews, isFirst, now } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <h1>My reviews</h1>
      {waiting.items.length > 0 && (
        <section className="stack" aria-labelledby="waiting">
          <h2 id="waiting">Waiting for your review</h2>
          <ul className="plain-list card">
            {waiting.items.map(({ slug, title, date }) => (
              <li key={slug}>
                <div>
                  <h3>
                    <Link to={tourPath(slug)}>
                      <bdi>{title}</bdi>
                    </Link>
                  </h3>
                  {date && (
                    <p className="muted small">
                      You took this tour on <Time at={date} />
                    </p>
                  )}
                </div>
                <div className="row spread">
                  <StarLinks slug={slug} title={title} />
                  <Link to={`${tourPath(slug)}#write`} className="button button-quiet button-small">
                    Write a review
                    <span className="visually-hidden">
                      {" "}
                      of <bdi>{title}</bdi>
                    </span>
                  </Link>
                </div>
              </li>
            ))}
          </ul>
          <CursorLinks
            param="waiting"
            next={waiting.next}
            hash="waiting"
            newest="Latest tours"
            older="Earlier tours"
          />
        </section>
      )}
      {coming.length > 0 && (
        <section className="stack" aria-labelledby="coming">
          <h2 id="coming">Coming up</h2>
          <ul className="plain-list card">
            {coming.map(({ slug, title, date }) => (
              <li key={`${slug} ${date}`}>
                <h3>
                  <Link to={tourPath(slug)}>
                    <bdi>{title}</bdi>
                  </Link>
                </h3>
                <p className="muted small">
                  You are booked for <Time at={date} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="stack" aria-labelledby="written">
        <h2 id="written">Written by me</h2>
        {reviews.items.length === 0 && !isFirst ? (
          <p className="empty">There are no older reviews.</p>
        ) : reviews.items.length === 0 ? (
          <p className="empty">
            {waiting.items.length > 0
              ? "You have not reviewed a tour yet."
              : "You have not reviewed a tour yet. Once a tour that you have booked is completed, you can review it here."}
          </p>
        ) : (
          <ul className="reviews">
            {reviews.items.map((review) => (
              <Review key={review.id} review={review} now={now} />
            ))}
          </ul>
        )}
        <CursorLinks
          param="written"
          next={reviews.next}
          hash="written"
          newest="Newest reviews"
          older="Older reviews"
        />
      </section>
    </div>
  );
}

/** Five plain links to the form of a review, each with that rating chosen. */
function StarLinks({ slug, title }: { slug: string; title: string }) {
  return (
    <span className="star-links">
      {[1, 2, 3, 4, 5].map((stars) => (
        <Link key={stars} to={`${tourPath(slug)}?rating=${stars}#write`}>
          <Star />
          <span className="visually-hidden">
            <span>{starsInWords(stars)}</span> for <bdi>{title}</bdi>
          </span>
        </Link>
      ))}
    </span>
  );
}

function Review({ review, now }: { review: MyReview; now: string }) {
  const { id, tour, rating, comment, createdAt, edited, editableUntil } = review;
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
          <Time at={createdAt} />
          <span>{edited && " · edited"}</span>
        </span>
        {editableUntil && (
          <span className="badge">{`${timeLeft(new Date(editableUntil), new Date(now))} to edit`}</span>
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
