import { isolated } from "~/infra/text";
import type { ReviewNotificationInputs } from "#models/notification";
import {
  Anchor,
  Button,
  Comment,
  htmlOf,
  Layout,
  Name,
  Paragraph,
  reviewUrl,
  shownInputs,
  stars,
  Stars,
  textFooter,
  TourHeading,
  tourUrl,
  type MailSite,
  type RenderedMail,
} from "./layout";
import { plainText, quoted } from "./plain-text";

export interface DigestReview extends ReviewNotificationInputs {
  id: string;
}

interface DigestSite extends MailSite {
  /** Such as "07:00, Rome time". */
  sentAt: string;
}

/** In bytes: mail programs hide the end of longer ones (Gmail from 102 KB), and with it the unsubscribe link. */
const LONGEST_HTML = 100_000;

/**
 * Reviews are oldest first, out of `total`; shows as many of the newest as fit into 100 KB of HTML. The guide's name
 * and address are those of the newest one.
 */
export function renderReviewDigest(
  reviews: DigestReview[],
  total: number,
  site: DigestSite,
): RenderedMail {
  const mail = mailOf(reviews, total, site);
  const html = htmlOf(<ReviewDigest {...mail} />);
  const bytes = Buffer.byteLength(html);
  if (bytes >= LONGEST_HTML && reviews.length > 1) {
    // As many as would fit if all had the same size; fewer each time.
    const fitting = Math.floor((reviews.length * LONGEST_HTML) / bytes);
    const fewer = Math.max(1, Math.min(fitting, reviews.length - 1));
    return renderReviewDigest(reviews.slice(-fewer), total, site);
  }
  return { subject: mail.summary, html, text: textOf(mail) };
}

type Mail = ReturnType<typeof mailOf>;

function mailOf(reviews: DigestReview[], total: number, site: DigestSite) {
  const shown = reviews.map(shownInputs);
  const { guideName, guideEmail } = shown.at(-1)!;
  const tours = byTour(shown, site.appUrl);
  const count = `${total} new ${total === 1 ? "review" : "reviews"}`;
  const more = total - reviews.length;
  return {
    guideName,
    // Those that are not shown may be of other tours.
    summary: more > 0 ? `${count} of your tours` : `${count} of ${nameTours(tours)}`,
    tours,
    more: more > 0 ? `… and ${more} more.` : null,
    reason: `This e-mail went to ${guideEmail} because you asked for one e-mail a day, at ${site.sentAt}, about the reviews of your tours.`,
    site,
  };
}

const SEE_ALL = "See all reviews of your tours";

const guidePage = ({ appUrl }: MailSite) => `${appUrl}/guide`;

interface TourReviews {
  title: string;
  url: string;
  reviews: DigestReview[];
}

/** "Old Town Walk and 1 other tour". */
function nameTours(tours: TourReviews[]): string {
  const others = tours.length - 1;
  const title = isolated(tours[0]!.title);
  if (others === 0) return title;
  return `${title} and ${others} other ${others === 1 ? "tour" : "tours"}`;
}

function byTour(reviews: DigestReview[], appUrl: string): TourReviews[] {
  const tours = new Map<string, TourReviews>();
  for (const review of reviews) {
    const tour = tours.get(review.tourSlug);
    if (tour) tour.reviews.push(review);
    else {
      const url = tourUrl(appUrl, review.tourSlug);
      tours.set(review.tourSlug, { title: review.tourTitle, url, reviews: [review] });
    }
  }
  return [...tours.values()];
}

function textOf(mail: Mail): string {
  return plainText([
    `Hello ${isolated(mail.guideName)},`,
    `Here is your summary of the day: ${mail.summary}.`,
    ...mail.tours.flatMap((tour) => [
      `${isolated(tour.title)}\n${tour.url}`,
      ...tour.reviews.map(
        ({ id, explorerName, rating, comment }) =>
          `${isolated(explorerName)}: ${rating} out of 5  ${stars(rating)}\n${quoted(comment)}\n${reviewUrl(mail.site.appUrl, id)}`,
      ),
    ]),
    `${mail.more ? `${mail.more} ` : ""}${SEE_ALL}:\n${guidePage(mail.site)}`,
    textFooter(mail.reason, mail.site),
  ]);
}

function ReviewDigest(mail: Mail) {
  return (
    <Layout title={mail.summary} preview={`${mail.summary}.`} reason={mail.reason} {...mail.site}>
      <Paragraph>
        Hello <bdi>{mail.guideName}</bdi>,
      </Paragraph>
      <Paragraph>{`Here is your summary of the day: ${mail.summary}.`}</Paragraph>
      {mail.tours.map((tour) => (
        <div key={tour.url}>
          <TourHeading href={tour.url} title={tour.title} />
          {tour.reviews.map(({ id, explorerName, rating, comment }) => (
            <div key={id}>
              <Paragraph>
                <Anchor href={reviewUrl(mail.site.appUrl, id)}>
                  <Name>{explorerName}</Name>
                </Anchor>
              </Paragraph>
              <Stars rating={rating} />
              <Comment comment={comment} />
            </div>
          ))}
        </div>
      ))}
      {mail.more && <Paragraph>{mail.more}</Paragraph>}
      <Button href={guidePage(mail.site)}>{SEE_ALL}</Button>
    </Layout>
  );
}
