import { Link } from "@remix-run/react";
import type { MyRemovedReview } from "~/moderation/removed-reviews.server";
import { Time } from "~/ui/time";
import { ToldApart } from "~/ui/told-apart";

export function RemovedReviews({ reviews }: { reviews: MyRemovedReview[] }) {
  return (
    <section className="stack" aria-labelledby="removed">
      <h2 id="removed">Removed by a decision</h2>
      <ul className="plain-list card">
        {reviews.map(({ id, tourTitle, removedAt, timeZone, path }) => (
          <li key={id}>
            <h3>
              <bdi>{tourTitle}</bdi>
            </h3>
            <p className="muted small">
              {"Your review was removed on "}
              <Time at={removedAt} zone={timeZone} />
            </p>
            <p>
              <Link to={path}>
                See the decision, or appeal
                <ToldApart words=": " title={tourTitle} />
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
