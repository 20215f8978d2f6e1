import { CLOSED } from "~/tours/closed";
import { MeanRating } from "~/ui/stars";
import { TourLink } from "~/ui/tour-link";
import { HowCharted, RatingChart } from "./chart/rating-chart";
import { ListPages } from "./guide-address";
import type { GuideOverview } from "./guide-overview.server";

const guestsInWords = ({
  went,
  asked,
  reviewed,
}: GuideOverview["tours"]["items"][0]["participation"]) =>
  `Guests of the last twelve months: ${[
    `${went.toLocaleString("en-GB")} took part`,
    `${asked.toLocaleString("en-GB")} were asked`,
    `${reviewed.toLocaleString("en-GB")} have reviewed`,
  ].join(", ")}`;

export function RatedTours({ tours }: Pick<GuideOverview, "tours">) {
  return (
    <section aria-labelledby="tours" className="stack">
      <div>
        <h2 id="tours">Tours</h2>
        <HowCharted />
      </div>
      <ul className="tours">
        {tours.items.map((tour) => (
          <li key={tour.id} className="card stack">
            <h3>
              <TourLink {...tour} />
            </h3>
            {tour.isClosed && <p className="muted small">{CLOSED}</p>}
            <p>
              <MeanRating mean={tour.avgRating} count={tour.reviewCount} />
            </p>
            <p className="muted small">{guestsInWords(tour.participation)}</p>
            <RatingChart tour={tour} />
          </li>
        ))}
      </ul>
      <ListPages name="tours" label="Pages of tours" list={tours} />
    </section>
  );
}
