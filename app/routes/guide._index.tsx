import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { tourPath } from "~/components/paths";
import { Avatar } from "~/components/avatar";
import { ErrorSummary, SubmitButton } from "~/components/forms";
import { RatingChart } from "~/components/rating-chart";
import { Rating, ReviewStars } from "~/components/stars";
import { Time } from "~/components/time";
import { refusedForm, text } from "~/http/forms.server";
import { redirectWithNotice, requireUser } from "~/http/pages.server";
import { completeDeparture } from "~/services/tours/departures.server";
import {
  guideOverview,
  type Departure,
  type GuideReview,
} from "~/services/tours/guide-overview.server";

export { headers } from "~/http/retry-after.server";

export const meta: MetaFunction = () => [{ title: "My tours · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  return guideOverview(await requireUser(request));
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  if (form.get("intent") !== "complete") throw new Response(null, { status: 400 });
  try {
    const date = text(form, "date") || null;
    const count = await completeDeparture(user, text(form, "tourId"), date);
    return await redirectWithNotice(request, "/guide#departures", noticeOf(count));
  } catch (error) {
    return refusedForm(error);
  }
}

function noticeOf(count: number): string {
  if (count === 0) return "This departure was completed already.";
  const explorers = count === 1 ? "One explorer" : `${count} explorers`;
  return `Marked as completed. ${explorers} can now write a review.`;
}

export default function Guide() {
  const { tours, reviews, departures } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <div className="stack-l">
      <div className="stack">
        <div className="row spread">
          <h1>My tours</h1>
          <Link className="button button-quiet" to="/guide/mail">
            E-mail settings
          </Link>
        </div>
        <p className="lead">
          How explorers rate the tours that you lead, and who comes along next.
        </p>
        <ErrorSummary errors={refused?.errors} />
      </div>
      {tours.length === 0 ? (
        <div className="empty stack">
          <p>
            You do not lead a tour yet. Once the platform lists one under your name, its ratings,
            reviews and departures are here.
          </p>
          <p>
            <Link to="/">See the tours of others</Link> or{" "}
            <Link to="/me">the ones you can review</Link>
          </p>
        </div>
      ) : (
        <>
          <section aria-label="Tours">
            {" "}
            <ul className="tours">
              {tours.map((tour) => (
                <li key={tour.id} className="card stack">
                  <h2>
                    <Link to={tourPath(tour.slug)}>{tour.title}</Link>
                  </h2>
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
          </section>
          <Departures departures={departures} />
          <NewestReviews reviews={reviews} />
        </>
      )}
    </div>
  );
}

function Departures({ departures }: { departures: Departure[] }) {
  const [open, upcoming, past] = (["open", "upcoming", "past"] as const).map((state) =>
    departures.filter((departure) => departure.state === state),
  ) as [Departure[], Departure[], Departure[]];
  return (
    <section className="stack-l" aria-labelledby="departures">
      <h2 id="departures">Departures</h2>
      {departures.length === 0 && (
        <p className="empty">Nobody has booked a departure that is to come or has just been.</p>
      )}
      {open.length > 0 && (
        <div className="stack">
          <h3>To be completed</h3>
          <p className="hint">
            Confirmed explorers can review a tour once it is completed. Where you do not mark it,
            that happens by itself 24 hours after the departure.
          </p>
          <ul className="tours">
            {open.map((departure) => (
              <OpenDeparture key={keyOf(departure)} {...departure} />
            ))}
          </ul>
        </div>
      )}
      {upcoming.length > 0 && (
        <div className="stack">
          <h3>Upcoming</h3>
          <DepartureList departures={upcoming} />
        </div>
      )}
      {past.length > 0 && (
        <div className="stack">
          <h3>Last 30 days</h3>
          <DepartureList departures={past} />
        </div>
      )}
    </section>
  );
}

const keyOf = ({ tour, date }: Departure) => `${tour.id} ${date}`;

/** The statuses that have a word of their own; a platform's others are shown as they are. */
const STATUSES: Record<string, string> = {
  CONFIRMED: "Confirmed",
  PENDING: "Pending",
  COMPLETED: "Completed",
  CANCELLED: "Cancelled",
};
const statusInWords = (status: string) => STATUSES[status] ?? status;

/** "5 confirmed, 1 pending". */
function countInWords(bookings: Departure["bookings"]): string {
  const counts = new Map<string, number>();
  for (const { status } of bookings) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .map(([status, count]) => `${count} ${statusInWords(status).toLowerCase()}`)
    .join(", ");
}

const When = ({ date }: { date: string | null }) =>
  date ? <Time at={date} withTime /> : <>Without a date</>;

/** One that the guide can complete. */
function OpenDeparture({ tour, date, bookings }: Departure) {
  return (
    <li className="card stack">
      <div>
        <h4>{tour.title}</h4>
        <p className="muted small">
          <When date={date} /> · {countInWords(bookings)}
        </p>
      </div>
      <Bookings bookings={bookings} />
      <Form method="post" action="/guide">
        <input type="hidden" name="intent" value="complete" />
        <input type="hidden" name="tourId" value={tour.id} />
        <SubmitButton action="/guide" name="date" value={date ?? ""}>
          Mark as completed
        </SubmitButton>
      </Form>
    </li>
  );
}

function DepartureList({ departures }: { departures: Departure[] }) {
  return (
    <ul className="departures">
      {departures.map((departure) => (
        <li key={keyOf(departure)}>
          <details>
            <summary>
              <strong>{departure.tour.title}</strong>
              <span className="muted small">
                <When date={departure.date} /> · {countInWords(departure.bookings)}
              </span>
            </summary>
            <Bookings bookings={departure.bookings} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Bookings({ bookings }: { bookings: Departure["bookings"] }) {
  return (
    <ul className="bookings">
      {bookings.map(({ id, explorer, status }) => {
        const name = explorer.name || "An explorer";
        return (
          <li key={id}>
            <Avatar name={name} image={explorer.image} small />
            <span>{name}</span>
            <span className="badge badge-quiet">{statusInWords(status)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function NewestReviews({ reviews }: { reviews: GuideReview[] }) {
  return (
    <section className="stack" aria-labelledby="newest">
      <h2 id="newest">Newest reviews</h2>
      {reviews.length === 0 && <p className="empty">Nobody has reviewed your tours yet.</p>}
      <ul className="reviews">
        {reviews.map(({ id, rating, comment, createdAt, user, tour }) => {
          const name = user.name || "An explorer";
          return (
            <li key={id}>
              <div className="review-head">
                <Avatar name={name} image={user.image} />
                <div>
                  <strong>{name}</strong>
                  <p className="muted small">
                    <Time at={createdAt} /> · <Link to={tourPath(tour.slug)}>{tour.title}</Link>
                  </p>
                </div>
                <ReviewStars rating={rating} />
              </div>
              {comment && <p className="comment">{comment}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
