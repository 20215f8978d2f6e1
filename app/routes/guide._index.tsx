import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms";
import { Departures, OpenDepartures } from "~/components/guide/departures";
import { useGuideAddress } from "~/components/guide/address";
import { INTENTS } from "~/components/guide/intents";
import { NewestReviews } from "~/components/guide/newest-reviews";
import { RatingChart } from "~/components/guide/rating-chart";
import { PageLinks } from "~/components/page-links";
import { tourPath } from "~/components/paths";
import { Rating } from "~/components/stars";
import { refusedForm, text } from "~/http/forms.server";
import { redirectWithNotice, requireUser } from "~/http/pages.server";
import { getSession } from "~/http/session.server";
import { env } from "~/infra/env.server";
import { completeDeparture } from "~/services/tours/departures.server";
import { guidePage } from "~/services/tours/guide-page.server";

export { INTENTS };

export { headers } from "~/http/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const { page, pages } = data?.tours ?? { page: 1, pages: 1 };
  const which = pages > 1 ? `, page ${page} of ${pages}` : "";
  return [
    { title: `My tours${which} · Tour Reviews` },
    { name: "description", content: "Your tours: their departures, bookings and reviews." },
  ];
};

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const { searchParams } = new URL(request.url);
  const numberOf = (list: string) => Number(searchParams.get(list));
  const pages = {
    tours: numberOf("tours"),
    reviews: numberOf("reviews"),
    open: numberOf("open"),
    upcoming: numberOf("upcoming"),
    past: numberOf("past"),
  };
  const changedAt = (await getSession(request)).get("guideChangedAt") ?? 0;
  const overview = await guidePage(user, pages, changedAt);
  return { ...overview, completedHere: env().bookingCompletion === "automatic" };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  const intent = INTENTS.find((name) => name === form.get("intent"));
  if (intent !== "complete") throw new Response(null, { status: 400 });
  try {
    const date = text(form, "date") || null;
    const count = await completeDeparture(user, text(form, "tourId"), date);
    // In the session, so that every process shows this guide what they have just done.
    (await getSession(request)).set("guideChangedAt", Date.now());
    return await redirectWithNotice(request, "/guide", noticeOf(count));
  } catch (error) {
    return refusedForm(error);
  }
}

function noticeOf(count: number): string {
  if (count === 0) return "This departure was already completed.";
  const explorers = count === 1 ? "One explorer" : `${count} explorers`;
  return `Marked as completed. ${explorers} can now write a review.`;
}

export default function Guide() {
  const { tours, reviews, news, departures, completedHere } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const address = useGuideAddress();
  return (
    <div className="stack-l">
      <div className="stack">
        <div className="row spread">
          <h1>My tours</h1>
          <Link className="button button-quiet" to="/guide/mail">
            E-mail settings
          </Link>
        </div>
        <p className="lead">How explorers rate the tours that you lead, and who has booked them.</p>
        <ErrorSummary errors={refused?.errors} />
      </div>
      {tours.items.length === 0 ? (
        <div className="empty stack">
          <p>
            You do not lead a tour yet. Once the platform lists one under your name, its ratings,
            reviews and departures appear here.
          </p>
          <p>
            <Link to="/">See all tours</Link> or <Link to="/me">the ones you can review</Link>
          </p>
        </div>
      ) : (
        <>
          <OpenDepartures departures={departures} completedHere={completedHere} />
          <NewestReviews reviews={reviews} news={news} />
          <section aria-labelledby="tours" className="stack">
            <div>
              <h2 id="tours">Tours</h2>
              <p className="muted">
                How they were rated month by month. The numbers below a chart say how many reviews
                each point stands on.
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
                  />
                </li>
              ))}
            </ul>
            <PageLinks
              {...tours}
              label="Pages of tours"
              to={(page) => address("tours", page, "tours")}
            />
          </section>
          <Departures departures={departures} />
        </>
      )}
    </div>
  );
}
