import { Link } from "@remix-run/react";
import { guidePath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { MOST_BOOKINGS } from "~/moderation/labels";
import { CountsTable } from "./figures";
import type { GuideNoShows } from "./no-shows.server";

/** Shows how often guides say that explorers did not come, and these say that they did. */
export function NoShows({ guides }: { guides: GuideNoShows[] }) {
  if (guides.length === 0) return null;
  return (
    <Section id="no-shows" title="No-shows, by guide">
      <p className="muted small">The last twelve months. Most disputed first.</p>
      <CountsTable
        heads={["Guide", "Marked as no-show", "Disputed"]}
        rows={guides.map(({ guideId, name, noShows, objections, bookings }) => [
          <Link to={guidePath(guideId)!}>
            <bdi translate="no">{name || "Guide"}</bdi>
          </Link>,
          bookings < MOST_BOOKINGS
            ? share(noShows, bookings, " bookings")
            : `${noShows} of over ${MOST_BOOKINGS.toLocaleString("en-GB")} bookings`,
          share(objections, noShows),
        ])}
      />
    </Section>
  );
}

/** "3 of 40 bookings (8%)" */
const share = (count: number, of: number, what = "") =>
  `${count} of ${of}${what} (${Math.round((100 * count) / of)}%)`;
