import { Link } from "@remix-run/react";
import { Section } from "./about-section";

/** `completedHere` is whether this service completes bookings. */
export function RulesOfReviews({ completedHere }: { completedHere: boolean }) {
  return (
    <>
      <Section id="who">
        <p>
          An explorer needs a completed booking of the tour, and can review each tour once. Guides
          cannot review their own tours.{" "}
          <span>
            {completedHere
              ? "The guide marks a booking as completed after the tour took place, except for explorers who did not come; otherwise this happens automatically 24 hours after the tour date."
              : "The platform where the tour was booked marks a booking as completed."}
          </span>
        </p>
        {completedHere && (
          <p>
            When a guide says that an explorer did not come, we ask the explorer by e-mail. For 30
            days, the link in the e-mail and the page “My reviews” let them answer that they were
            there, or that they came and nobody was there. The booking then counts as completed, and
            the guide cannot change that.
          </p>
        )}
        <p>
          We check this when a review is posted: without a completed booking the form refuses it.
        </p>
      </Section>
      <Section id="verified">
        <p>
          We have found a completed booking of the tour by the author of the review. This is so for
          every review that is written here. Some reviews come from elsewhere. If we have not found
          such a booking, the review says “Booking not checked”. “Visited” is the day of the
          author’s latest booking before the review, if we know it.
        </p>
      </Section>
      <Section id="fakes">
        <p>These are forbidden:</p>
        <ul>
          <li>a review that somebody was paid for, in money or in any other way;</li>
          <li>
            a review that was written for an advantage, such as a discount, a gift or another
            review, whether it is good or bad;
          </li>
          <li>
            a review by the guide, by people who work for the guide or are close to them, or by a
            competitor;
          </li>
          <li>a review of a tour that its author did not take;</li>
          <li>asking for such reviews, offering them, or selling them.</li>
        </ul>
        <p>
          A guide may ask every guest for an honest review. A guide may not ask happy guests only.
        </p>
      </Section>
      <Section id="content">
        <p>A low rating or a harsh opinion is always allowed. These are not:</p>
        <ul>
          <li>words that put somebody’s life or safety in danger;</li>
          <li>words that are against the law;</li>
          <li>
            personal data of somebody, such as an address, a telephone number or something about
            their health; the guide’s name on this site does not count;
          </li>
          <li>a review that is not about this tour;</li>
          <li>words that insult somebody, or that spread hate against a group of people;</li>
          <li>anything off topic, such as advertising.</li>
        </ul>
        <p>The same rules hold for the replies of guides.</p>
      </Section>
      <Section id="shown">
        <p>
          A tour shows all its reviews, good and bad. Nobody can pay for a review, for its place or
          for its absence. A review is missing only if its author has deleted it, or an operator has
          removed it by these rules.
        </p>
        <ul>
          <li>“Newest” begins with the review that was posted last. This is the default.</li>
          <li>“Highest” begins with the most stars, “Lowest” with the fewest.</li>
          <li>
            If several reviews have the same stars, the newest comes first. A review without stars
            comes last.
          </li>
        </ul>
        <p>
          Readers can choose to see only reviews with a certain number of stars, or with a comment.
          The page then says how many of all reviews these are.
        </p>
      </Section>
      <Section id="mean">
        <p>
          A tour’s average is the mean of the ratings of all its reviews. We calculate it again
          whenever a review is posted, edited, deleted or removed. Every review counts the same,
          however old it is. A review whose words were removed still counts.
        </p>
      </Section>
      <Section id="changes">
        <p>
          The author of a review can edit it within 24 hours, and delete it at any time. An edited
          review says so. When an account is deleted, its reviews are deleted, too. Guides cannot
          change, hide or remove reviews. Operators can remove a review only by{" "}
          <Link to="#operators">these rules</Link>.
        </p>
      </Section>
      <Section id="replies">
        <p>
          The guide who leads a tour can answer each of its reviews once, in public. The reply
          stands below the review, with the guide’s name and the date, and does not change the
          rating. The guide can change or withdraw it. If the review is edited later, the page says
          so. We e-mail the reviewer about the reply.
        </p>
      </Section>
    </>
  );
}
