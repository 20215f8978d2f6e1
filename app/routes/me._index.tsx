import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { RemovedReviews } from "~/components/me/removed-reviews";
import { WaitingTours } from "~/components/me/waiting-tours";
import { WrittenReview } from "~/components/me/written-review";
import { CursorLinks } from "~/components/page-links";
import { tourPath } from "~/components/paths";
import { Time } from "~/components/time";
import { requireUser } from "~/http/pages.server";
import { myRemovedReviews } from "~/services/moderation/removed-reviews.server";
import { myReviews, toursToReview } from "~/services/reviews/my-reviews.server";
import { comingBookings } from "~/services/tours/coming-bookings.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `My ${data?.isFirst === false ? "older " : ""}reviews · Tour Reviews` },
];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const now = new Date();
  const { searchParams } = new URL(request.url);
  const [waiting, coming, removed, reviews] = await Promise.all([
    toursToReview(user, { after: searchParams.get("waiting") }),
    comingBookings(user, { clock: () => now }),
    myRemovedReviews(user),
    myReviews(user, { after: searchParams.get("written"), clock: () => now }),
  ]);
  return {
    waiting,
    coming,
    removed,
    reviews,
    isFirst: !searchParams.has("written"),
    now: now.toISOString(),
  };
}

export default function MyReviews() {
  const { waiting, coming, removed, reviews, isFirst, now } = useLoaderData<typeof loader>();
  const isWaiting = waiting.items.length + coming.length + removed.length > 0;
  return (
    <div className={isWaiting ? "stack-l" : "narrow stack-l"}>
      <h1>My reviews</h1>
      <div className={isWaiting ? "two-columns" : undefined}>
        {isWaiting && (
          <div className="stack-l">
            {removed.length > 0 && <RemovedReviews reviews={removed} />}
            {waiting.items.length > 0 && <WaitingTours {...waiting} />}
            {coming.length > 0 && (
              <section className="stack" aria-labelledby="coming">
                <h2 id="coming">Coming up</h2>
                <ul className="plain-list card">
                  {coming.map(({ slug, title, date, timeZone }) => (
                    <li key={`${slug} ${date}`}>
                      <h3>
                        <Link to={tourPath(slug)}>
                          <bdi>{title}</bdi>
                        </Link>
                      </h3>
                      <p className="muted small">
                        You are booked for <Time at={date} zone={timeZone} form="departure" />
                      </p>
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </div>
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
                <WrittenReview key={review.id} review={review} now={now} />
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
    </div>
  );
}
