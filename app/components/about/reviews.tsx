import { Link } from "@remix-run/react";
import { Section } from "./section";

/** The rules for whoever writes: explorers and guides. `completedHere` is whether this service completes bookings. */
export function RulesOfReviews({ completedHere }: { completedHere: boolean }) {
  return (
    <>
      <Section id="who">
        <p>
          Only explorers with a completed booking of the tour, one review for each tour. Guides
          cannot review their own tours.{" "}
          <span>
            {completedHere
              ? "The guide marks a booking as completed after the tour took place, except for explorers who did not come; otherwise this happens automatically 24 hours after the tour date."
              : "The platform where the tour was booked marks a booking as completed."}
          </span>
        </p>
        {completedHere && (
          <p>
            An explorer of whom the guide says that they did not come is asked by e-mail. For 30
            days they can say that they were there, or that they came and nobody was there: by the
            link in the e-mail, or on the page “My reviews”. The booking then counts as completed,
            and the guide cannot change that.
          </p>
        )}
        <p>
          We check this when a review is posted: without a completed booking the form refuses it.
        </p>
      </Section>
      <Section id="verified">
        <p>
          We have found a completed booking of the tour by the author of the review. This is so for
          every review that is written here. Some reviews come from elsewhere: where we have found
          no such booking, the review says “Booking not checked”. “Visited” is the day of the latest
          such booking before the review, where we know it.
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
          <li>a review of a tour on which its author was not;</li>
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
            their health; the guide’s name on this site is none;
          </li>
          <li>a review that is not about this tour;</li>
          <li>words that insult somebody, or that spread hate against a group of people;</li>
          <li>what is off topic, such as advertising.</li>
        </ul>
        <p>The same holds for what guides reply.</p>
      </Section>
      <Section id="shown">
        <p>
          A tour shows all its reviews, good and bad. Nobody can pay for a review, for its place or
          for its absence. The only ones that are missing are those that their authors have deleted
          and those that an operator has removed by these rules.
        </p>
        <ul>
          <li>“Newest” begins with the review that was posted last. This is the default.</li>
          <li>“Highest” begins with the most stars, “Lowest” with the fewest.</li>
          <li>
            Of reviews with the same stars, the newest comes first. One without stars comes last.
          </li>
        </ul>
        <p>
          Readers can choose the reviews with a number of stars, or those with a comment. The page
          then says how many of all it shows.
        </p>
      </Section>
      <Section id="mean">
        <p>
          A tour’s average is the mean of the ratings of all its reviews. It is calculated anew from
          all of them whenever a review is posted, edited, deleted or removed. Every review counts
          the same, however old it is. A review whose words were removed still counts.
        </p>
      </Section>
      <Section id="changes">
        <p>
          Its author can edit a review within 24 hours, which it then says, and delete it at any
          time. When an account is deleted, its reviews go with it. Guides cannot change, hide or
          remove reviews. Operators can remove one only by <Link to="#operators">these rules</Link>.
        </p>
      </Section>
      <Section id="replies">
        <p>
          The guide who leads a tour can answer each of its reviews once, in public. The reply
          stands below the review, with the guide’s name and the date, and changes nothing about the
          rating. Its guide can change or withdraw it; when the review is edited later, the page
          says so. We e-mail the reviewer about the reply.
        </p>
      </Section>
    </>
  );
}
