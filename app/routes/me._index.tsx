import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/ui/forms";
import { Absences } from "~/me/were-you-there";
import { RemovedReviews, WrittenReview } from "~/me/my-reviews";
import { Coming, OtherAddress, WaitingTours } from "~/me/waiting-tours";
import { CursorLinks } from "~/ui/page-links";
import { refusedForm, formText } from "~/server/form-data.server";
import { redirectWithNotice, requireUser } from "~/server/pages.server";
import { myWrittenAndRemoved, toursToReview } from "~/me/my-reviews.server";
import { comingBookings } from "~/me/coming-bookings.server";
import { myAbsences, objectAs } from "~/guides/departures/objections.server";
import { titled } from "~/ui/site";
import { Section } from "~/ui/section";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  titled(`Your ${data?.isFirst === false ? "older " : ""}reviews`),
];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const { searchParams } = new URL(request.url);
  const [absences, waiting, coming, { written: reviews, removed }] = await Promise.all([
    myAbsences(user),
    toursToReview(user, { after: searchParams.get("waiting") }),
    comingBookings(user),
    myWrittenAndRemoved(user, searchParams.get("written")),
  ]);
  const isFirst = !searchParams.has("written");
  const now = new Date().toISOString();
  return { absences, waiting, coming, removed, reviews, email: user.email, isFirst, now };
}

/** The visitor was on a tour, although its guide says that they were not. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  try {
    await objectAs(user, formText(await request.formData(), "absence"));
    const notice = "Thank you. We’ve marked your booking as completed and told the guide.";
    return await redirectWithNotice(request, "/me", notice);
  } catch (error) {
    return refusedForm(error);
  }
}

export default function MyReviews() {
  const { absences, waiting, coming, removed, reviews, email, isFirst, now } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isWaiting = [absences, waiting.items, coming, removed].some(({ length }) => length > 0);
  return (
    <div className={isWaiting ? "stack-l" : "narrow stack-l"}>
      <h1>Your reviews</h1>
      <ErrorSummary errors={refused?.errors} />
      <div className={isWaiting ? "two-columns" : undefined}>
        {isWaiting && (
          <div className="stack-l">
            {absences.length > 0 && <Absences absences={absences} />}
            {removed.length > 0 && <RemovedReviews reviews={removed} />}
            {waiting.items.length > 0 && <WaitingTours {...waiting} />}
            {coming.length > 0 && <Coming bookings={coming} />}
          </div>
        )}
        <Section id="written" title="Written by you">
          {reviews.items.length > 0 ? (
            <ul className="reviews">
              {reviews.items.map((review, index, all) => (
                <WrittenReview
                  key={review.id}
                  review={review}
                  neighbour={all[index + 1] ?? all[index - 1]}
                  now={now}
                />
              ))}
            </ul>
          ) : !isFirst ? (
            <p className="empty">There are no older reviews.</p>
          ) : (
            <div className="empty stack">
              <p>
                {waiting.items.length > 0
                  ? "You have not reviewed a tour yet."
                  : "You have not reviewed a tour yet. Once a tour that you have booked is completed, you can review it here."}
              </p>
              {!isWaiting && (
                <Link to="/" className="button">
                  See all tours
                </Link>
              )}
            </div>
          )}
          <CursorLinks
            param="written"
            next={reviews.next}
            hash="written"
            newest="Newest reviews"
            older="Older reviews"
          />
        </Section>
      </div>
      {!isWaiting && isFirst && reviews.items.length === 0 && <OtherAddress email={email} />}
    </div>
  );
}
