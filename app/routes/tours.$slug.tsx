import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Stars } from "~/components/stars";
import { orNotFound } from "~/server/pages.server";
import { listReviews } from "~/services/review-list.server";
import { getTourPage } from "~/services/tours.server";

export async function loader({ params }: LoaderFunctionArgs) {
  const tour = await orNotFound(getTourPage(params.slug ?? ""));
  const { reviews } = await listReviews(tour.id);
  return { tour, reviews };
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.tour.title} · Tour Reviews` : "Tour Reviews" },
];

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

export default function Tour() {
  const { tour, reviews } = useLoaderData<typeof loader>();
  return (
    <>
      <h1>{tour.title}</h1>
      <p>
        {tour.location && `${tour.location}, `}with {tour.guide.name}
      </p>
      <Stars mean={tour.avgRating} count={tour.reviewCount} />
      {tour.description.split(/\n{2,}/).map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
      <h2>Reviews</h2>
      {reviews.length === 0 && <p>Nobody has reviewed this tour yet.</p>}
      <ul className="reviews">
        {reviews.map((review) => (
          <li key={review.id} className="card">
            <p>
              <span aria-hidden="true" className="stars">
                {"★".repeat(review.rating)}
                {"☆".repeat(5 - review.rating)}
              </span>{" "}
              <span>{review.rating} out of 5</span>
            </p>
            {review.comment && <p className="comment">{review.comment}</p>}
            <p className="muted">
              {review.user.name || "An explorer"},{" "}
              <time dateTime={review.createdAt}>
                {dateFormat.format(new Date(review.createdAt))}
              </time>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
