import { Link } from "@remix-run/react";
import { PageLinks } from "~/ui/page-links";
import { tourPath } from "~/ui/paths";
import { Rating } from "~/ui/stars";
import type { GuideOverview } from "./guide-overview.server";
import { pageParam, useGuideAddress } from "./guide-address";
import { RatingChart } from "./rating-chart";

export function RatedTours({ tours }: Pick<GuideOverview, "tours">) {
  const address = useGuideAddress();
  return (
    <section aria-labelledby="tours" className="stack">
      <div>
        <h2 id="tours">Tours</h2>
        <p className="muted">
          How they were rated month by month. The numbers below a chart say how many reviews each
          point stands on. A line joins months with five reviews or more.
        </p>
      </div>
      <ul className="tours">
        {tours.items.map((tour) => (
          <li key={tour.id} className="card stack">
            <h3>
              <Link to={tourPath(tour.slug)}>
                <bdi>{tour.title}</bdi>
              </Link>
            </h3>
            <p>
              <Rating mean={tour.avgRating} count={tour.reviewCount} />
            </p>
            <RatingChart
              id={`chart-${tour.id}`}
              tourTitle={tour.title}
              months={tour.months}
              recent={tour.recent}
            />
          </li>
        ))}
      </ul>
      <PageLinks
        {...tours}
        label="Pages of tours"
        to={(page) => address({ tours: pageParam(page) }, "tours")}
      />
    </section>
  );
}
