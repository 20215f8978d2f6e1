import { Link } from "@remix-run/react";
import { guidePath } from "~/ui/paths";
import type { GuideNoShows } from "./no-shows.server";

/** How often guides say that explorers did not come, and these say that they did. */
export function NoShows({ guides, most }: { guides: GuideNoShows[]; most: number }) {
  if (guides.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="no-shows">
      <h2 id="no-shows">No-shows, by guide</h2>
      <p className="muted small">
        The last twelve months. The guides to whom most explorers have objected come first.
      </p>
      <div className="table-scroll">
        <table className="counts">
          <thead>
            <tr>
              <th scope="col">Guide</th>
              <th scope="col">Said not to have come</th>
              <th scope="col">Objected</th>
            </tr>
          </thead>
          <tbody>
            {guides.map(({ guideId, name, noShows, objections, bookings }) => (
              <tr key={guideId}>
                <th scope="row">
                  <Link to={guidePath(guideId)!}>
                    <bdi translate="no">{name || "Guide"}</bdi>
                  </Link>
                </th>
                <td>
                  {bookings < most
                    ? share(noShows, bookings, "bookings")
                    : `${noShows} of over ${most.toLocaleString("en-GB")} bookings`}
                </td>
                <td>{share(objections, noShows, "")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** "3 of 40 bookings (8%)" */
const share = (count: number, of: number, what: string) =>
  `${[count, "of", of, what].join(" ").trim()} (${Math.round((100 * count) / of)}%)`;
