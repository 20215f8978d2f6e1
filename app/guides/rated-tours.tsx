import { Rating } from "~/ui/stars";
import { TourLink } from "~/ui/tour-link";
import type { GuideOverview } from "./guide-overview.server";
import { ListPages } from "./list-pages";
import { RatingChart } from "./rating-chart";

export function RatedTours({ tours }: Pick<GuideOverview, "tours">) {
  return (
    <section aria-labelledby="tours" className="stack">
      <div>
        <h2 id="tours">Tours</h2>
        <p className="muted">
          How they were rated month by month. The numbers below a chart say how many reviews each
          point stands on. A line joins months with five reviews or more. The dashed line is the
          rating that the tour’s page showed at the end of each month; later changes leave it as it
          was.
        </p>
      </div>
      <ul className="tours">
        {tours.items.map((tour) => (
          <li key={tour.id} className="card stack">
            <h3>
              <TourLink {...tour} />
            </h3>
            <p>
              <Rating mean={tour.avgRating} count={tour.reviewCount} />
            </p>
            <RatingChart tour={tour} />
          </li>
        ))}
      </ul>
      <ListPages name="tours" label="Pages of tours" list={tours} />
    </section>
  );
}
