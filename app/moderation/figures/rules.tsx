import { Link } from "@remix-run/react";
import { Fragment, type ReactElement } from "react";
import { isWebAddress } from "~/lib/contact";
import { Section } from "~/ui/section";
import { type Block, renderBlock } from "./blocks";

interface Site {
  /** Whether this service completes bookings. */
  completedHere: boolean;
  /** An e-mail address, or the address of a page. */
  contact: string;
  figures: ReactElement | false;
  /** Whether guests are asked for reviews by e-mail. */
  asking?: boolean;
  /** Whether the platform logs users in. */
  byPlatform?: boolean;
}

/** The sections of `/about/reviews`, in their order. E-mails and other pages cite them by their ids, which stay. */
export const ruleSections = ({
  completedHere,
  contact,
  figures,
  asking = false,
  byPlatform = false,
}: Site): Record<string, { title: string; blocks: Block[] }> => ({
  who: {
    title: "Writing a review",
    blocks: [
      <p>
        {
          "An explorer needs a completed booking of the tour, and can review each tour once. Guides cannot review their own tours. "
        }
        <span>
          {completedHere
            ? "The guide marks a booking as completed after the tour took place, except for explorers who did not come; otherwise this happens automatically 24 hours after the tour date."
            : "The platform where the tour was booked marks a booking as completed."}
        </span>
      </p>,
      completedHere &&
        "When a guide says that an explorer did not come, we ask the explorer by e-mail. For 30 days, the link in the e-mail and the page “Your reviews” let them answer that they were there, or that they came and nobody was there. The booking then counts as completed, and the guide cannot change that.",
      "We check this when a review is posted: without a completed booking the form refuses it.",
      asking &&
        "After a tour we ask every guest once, by e-mail, for a review: in the same words whoever they are, and whether they were happy or not. The guide does not choose who is asked. Everybody can stop these e-mails for good.",
      byPlatform &&
        "The platform where tours are booked can pass on a review that its user has written there. The same rules hold for it, and we keep that it came so.",
    ],
  },
  verified: {
    title: "The meaning of “Verified booking”",
    blocks: [
      "We found that the reviewer booked the tour and took part. That is true of every review posted here. Some reviews come from elsewhere. If we have not found such a booking, the review says “Booking not checked”. “Visited” is the day of the author’s latest booking before the review, if we know it.",
    ],
  },
  fakes: {
    title: "Fakes and incentives",
    blocks: [
      "These are forbidden:",
      [
        "a review that somebody was paid for, in money or in any other way;",
        "a review that was written for an advantage, such as a discount, a gift or another review, whether it is good or bad;",
        "a review by the guide, by people who work for the guide or are close to them, or by a competitor;",
        "a review of a tour that its author did not take;",
        "asking for such reviews, offering them, or selling them.",
      ],
      "A guide may ask every guest for an honest review. Guides may not ask only happy guests.",
    ],
  },
  content: {
    title: "Not allowed in a review or a reply",
    blocks: [
      "A low rating or a harsh opinion is always allowed. These are not:",
      [
        "words that put somebody’s life or safety in danger;",
        "words that are against the law;",
        "personal data of somebody, such as an address, a telephone number or something about their health; the guide’s name on this site does not count;",
        "a review that is not about this tour;",
        "words that insult somebody, or that spread hate against a group of people;",
        "anything off topic, such as advertising.",
      ],
      "The same rules hold for the replies of guides.",
    ],
  },
  shown: {
    title: "The reviews that are shown, and their order",
    blocks: [
      "A tour shows all its reviews, good and bad. Nobody can pay for a review, for its place or for its absence. A review is missing only if its author has deleted it, or an operator has removed it by these rules.",
      [
        "“Newest” begins with the review that was posted last. This is the default.",
        "“Highest” begins with the most stars, “Lowest” with the fewest.",
        "“Most detailed” begins with the reviews that are long, recent and of a verified booking: a hundred words count as much as two years, a verified booking as one year.",
        "If several reviews have the same stars, the newest comes first. A review without stars comes last.",
      ],
      "Readers can choose to see only reviews with a certain number of stars, or with a comment. The page then says how many of all reviews these are.",
    ],
  },
  mean: {
    title: "How the average is calculated",
    blocks: [
      "A tour’s average is the mean of the ratings of all its reviews. We calculate it again whenever a review is posted, edited, deleted or removed. Every review counts the same, however old it is. A review whose words were removed still counts.",
    ],
  },
  changes: {
    title: "Changing or removing a review",
    blocks: [
      <p>
        {
          "The author of a review can edit it within 24 hours, and delete it at any time. An edited review says so. When an account is deleted, its reviews are deleted, too. Guides cannot change, hide or remove reviews. Operators can remove a review only by "
        }
        <Link to="#operators">these rules</Link>.
      </p>,
    ],
  },
  replies: {
    title: "Replies by guides",
    blocks: [
      "The guide who leads a tour can answer each of its reviews once, in public. The reply stands below the review, with the guide’s name and the date, and does not change the rating. The guide can change or withdraw it. If the review is edited later, the page says so. We e-mail the reviewer about the reply.",
    ],
  },
  report: {
    title: "How to report a review or a reply",
    blocks: [
      <p>
        Anybody can <Link to="/report">report a review or a reply</Link>, with an account or
        without. Say which one it is, what is wrong with it and how you know.
      </p>,
      {
        steps: [
          "You get a page as a receipt. Save its link: it shows what became of your report.",
          "A person looks at it. Danger to somebody’s life or safety comes first.",
          "The person decides by these rules, and says why.",
          "If you gave an e-mail address, we send the receipt and the decision there, once for each review or reply. We tell the author what was decided, but never who reported it.",
        ],
      },
      "Please report only what you believe to be true.",
    ],
  },
  operators: {
    title: "Powers of operators, and their limits",
    blocks: [
      "Operators are people whom those who run this site have named. They decide about reports. Decisions are made by people, not software. For each decision they name the rule and explain it. They can",
      [
        "keep a review or a reply as it is;",
        "remove the words of a review: it then says so, and its rating still counts;",
        "remove a review or a reply: it is no longer shown. The rating of a removed review no longer counts, and the average of the tour is calculated anew;",
        "show again what was removed, as it was;",
        "do what an authority or a court has ordered. The decision then names the order.",
      ],
      "They may not",
      [
        "decide about their own tour, review, reply or report;",
        "remove a review for its low rating or its harsh opinion, or because the guide wants it;",
        "post, edit or delete a review for somebody, or change a rating.",
      ],
    ],
  },
  appeals: {
    title: "How to appeal",
    blocks: [
      "The author and whoever reported it can each appeal once, within six months after the decision. Use the link in our e-mail or on your receipt page; no log-in needed. Another operator decides about the appeal, where there is one.",
      "You can also go to court where you live, or within the European Union to a certified body for out-of-court disputes, without an appeal before.",
    ],
  },
  misuse: {
    title: "Repeated misuse",
    blocks: [
      "Most people who break a rule do so once. Anyone who repeatedly breaks these rules, or repeatedly reports what is plainly allowed, is warned first. If it goes on within twelve months, an operator can suspend the account, or refuse further reports from them, for 7 to 180 days. Operators weigh how often it happened, how grave it was and whether it was meant, and say so.",
      "An account that is suspended cannot be logged in to, and its access tokens do not work. What was written with it stays. Our e-mail has a link with which its owner can download the data, delete the account and appeal, without a log-in.",
      "Against a warning and against a suspension there is one appeal within six months; another operator decides about it, where there is one.",
    ],
  },
  kept: {
    title: "How long words and names are kept",
    blocks: [
      "We keep what was removed, the reports with the names and addresses in them, the explanations of decisions and the appeals until six months after the last decision, so that a mistake can be undone. Then we remove all these words. Where nobody decides, we remove the words, names and addresses twelve months after the first report. We keep those of the first 1,000 reports of a review or reply. The author of a removed review can have it deleted for good before that. We keep the words of a warning for twelve months, of a suspension until it is over and nobody can appeal any more.",
      "A log of all decisions stays. It has no words and no names: only what was decided about which review, when and on which ground. The figures below come from it.",
      "That a guide says that an explorer did not come, and that the explorer objects, is kept for a year.",
    ],
  },
  elsewhere: {
    title: "Showing reviews elsewhere",
    blocks: [
      "Anybody may show a tour’s rating and reviews on another page, and keep a copy for that: by the frame and the badge of a tour, its feed, or our API. They must link to the tour’s page here, change no words, and show no rating of their own as ours.",
      "A copy must follow: a review that is changed or removed here is changed or removed there within a day.",
    ],
  },
  figures: { title: "The last twelve months in figures", blocks: [figures] },
  contact: {
    title: "How to reach us",
    blocks: [
      <p>
        {"Anyone, authorities included, can reach us at "}
        <a href={isWebAddress(contact) ? contact : `mailto:${contact}`} translate="no">
          {contact}
        </a>
        .
      </p>,
    ],
  },
  history: {
    title: "Changes to these rules",
    blocks: [
      <ul>
        <li>
          <time dateTime="2026-11-29">29 November 2026</time>
          {": guests can be asked once for a review, by e-mail."}
        </li>
        <li>
          <time dateTime="2026-11-27">27 November 2026</time>
          {": explorers can object when a guide says that they did not come."}
        </li>
        <li>
          <time dateTime="2026-11-26">26 November 2026</time>
          {
            ": reports, decisions and appeals; rules for the content of reviews and replies; figures."
          }
        </li>
      </ul>,
    ],
  },
});

export function Rules(site: Site) {
  const sections = Object.entries(ruleSections(site));
  return (
    <>
      <nav aria-label="Contents">
        <ol>
          {sections.map(([id, { title }]) => (
            <li key={id}>
              {/* By the router, which would bring a plain link back to where the reader was. */}
              <Link to={`#${id}`}>{title}</Link>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map(([id, { title, blocks }]) => (
        <Section key={id} id={id} title={title}>
          {blocks.map((block, index) => (
            <Fragment key={index}>{renderBlock(block)}</Fragment>
          ))}
        </Section>
      ))}
    </>
  );
}
