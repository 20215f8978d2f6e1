import { Link, useLoaderData } from "@remix-run/react";
import { Stars } from "~/components/stars";
import { listTours } from "~/services/tours.server";

export async function loader() {
  return { tours: await listTours() };
}

export default function Tours() {
  const { tours } = useLoaderData<typeof loader>();
  return (
    <>
      <h1>Tours</h1>
      {tours.length === 0 && <p>There are no tours yet.</p>}
      <ul className="tours">
        {tours.map((tour) => (
          <li key={tour.id} className="card">
            <h2>
              <Link to={`/tours/${tour.slug}`}>{tour.title}</Link>
            </h2>
            <p>
              {tour.location && `${tour.location}, `}with {tour.guide.name}
            </p>
            <Stars mean={tour.avgRating} count={tour.reviewCount} />
          </li>
        ))}
      </ul>
    </>
  );
}
