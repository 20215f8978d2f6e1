import type { MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { publicMeta } from "~/components/meta.server";
import { env } from "~/infra/env.server";

export function loader() {
  const { appUrl, bookingCompletion } = env();
  const meta = publicMeta({
    title: "How reviews are checked",
    description:
      "Who can write a review, what “Verified booking” means, how long a review can be edited, and who can remove it.",
    url: `${appUrl}/about/reviews`,
  });
  return { meta, completedHere: bookingCompletion === "automatic" };
}

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data?.meta ?? [{ title: "Tour Reviews" }];

export default function AboutReviews() {
  const { completedHere } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <h1>How reviews are checked</h1>
        <p className="lead">
          What we do so that reviews come from people who were there, and what we leave alone.
        </p>
      </div>
      <section className="stack" aria-labelledby="who">
        <h2 id="who">Who can write one</h2>
        <p>
          Only explorers with a completed booking of the tour, one review for each tour. Guides
          cannot review their own tours.{" "}
          <span>
            {completedHere
              ? "The guide marks a booking as completed after the tour took place, except for explorers who did not come; otherwise this happens automatically 24 hours after the tour date."
              : "The platform where the tour was booked marks a booking as completed."}
          </span>
        </p>
      </section>
      <section className="stack" aria-labelledby="verified">
        <h2 id="verified">What “Verified booking” means</h2>
        <p>
          We have found a completed booking of the tour by the author of the review. This is so for
          every review that is written here. Some reviews come from elsewhere: where we have found
          no such booking, the review says “Booking not checked”. “Visited on” is the day of the
          latest such booking before the review, where we know it.
        </p>
      </section>
      <section className="stack" aria-labelledby="changes">
        <h2 id="changes">Who can change or remove one</h2>
        <p>
          Its author alone, who can edit it within 24 hours, which it then says, and delete it at
          any time. When an account is deleted, its reviews go with it. Guides cannot change, hide
          or remove reviews, and neither can moderators.
        </p>
      </section>
      <section className="stack" aria-labelledby="replies">
        <h2 id="replies">What guides reply</h2>
        <p>
          The guide who leads a tour can answer each of its reviews once, in public. The reply
          stands below the review, with the guide’s name and the date, and changes nothing about the
          rating. Its guide can change or withdraw it; when the review is edited later, the page
          says so. Whoever wrote the review is told of the reply by e-mail.
        </p>
      </section>
      <section className="stack" aria-labelledby="mean">
        <h2 id="mean">How the average is made</h2>
        <p>
          A tour’s average is the mean of the ratings of all its reviews. It is calculated anew from
          all of them whenever a review is posted, edited or deleted. Every review counts the same,
          however old it is.
        </p>
      </section>
      <p>
        <Link to="/">See all tours</Link>
      </p>
    </div>
  );
}
