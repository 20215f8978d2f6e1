import { Fragment } from "react";
import { inSubject } from "~/lib/shortened.server";
import { isolated } from "~/lib/text";
import type { ReviewNotificationInputs } from "#models/notification";
import {
  Anchor,
  Button,
  type MailSite,
  Name,
  Paragraph,
  type RenderedMail,
  reviewUrl,
  shownInputs,
  TourHeading,
  tourUrl,
} from "./layout";
import { contentParts, greeting, type Part, renderParts } from "./letter";

export interface DigestReview extends ReviewNotificationInputs {
  id: string;
}

interface DigestSite extends MailSite {
  /** Such as "07:00, Rome time". */
  sentAt: string;
}

/** In bytes: mail programs hide the end of longer ones (Gmail from 102 KB), and with it the unsubscribe link. */
const LONGEST_HTML = 100_000;

const SEE_ALL = "See all reviews of your tours";

/**
 * Reviews are oldest first, out of `total`; shows as many of the newest as fit into 100 KB of HTML. The guide's name
 * and address are those of the newest one.
 */
export function renderReviewDigest(
  reviews: DigestReview[],
  total: number,
  site: DigestSite,
): RenderedMail {
  const shown = reviews.map(shownInputs);
  const { guideName, guideEmail } = shown.at(-1)!;
  const slugs = new Set(shown.map(({ tourSlug }) => tourSlug));
  const tours = [...slugs].map((slug) => shown.filter(({ tourSlug }) => tourSlug === slug));
  const more = total - reviews.length;
  const count = `${total} new ${total === 1 ? "review" : "reviews"}`;
  // Those that are not shown may be of other tours.
  const summary = `${count} of ${more > 0 ? "your tours" : nameTours(tours)}`;
  const day = `Here is your summary of the day: ${summary}.`;
  const andMore = more > 0 ? `… and ${more} more.` : "";
  const guidePage = `${site.appUrl}/guide`;
  const head = {
    subject: summary,
    preview: `${summary}.`,
    reason: `You get this at ${guideEmail} because you asked for one e-mail a day, at ${site.sentAt}, about the reviews of your tours.`,
  };
  const end = (
    <>
      {andMore && <Paragraph>{andMore}</Paragraph>}
      <Button href={guidePage}>{SEE_ALL}</Button>
    </>
  );
  const parts = [
    greeting(guideName),
    { html: <Paragraph>{day}</Paragraph>, text: day },
    ...tours.map((ofTour) => tourPart(ofTour, site.appUrl)),
    { html: end, text: `${andMore && `${andMore} `}${SEE_ALL}:\n${guidePage}` },
  ];
  const mail = renderParts(head, parts, site);
  const bytes = Buffer.byteLength(mail.html);
  if (bytes < LONGEST_HTML || reviews.length === 1) return mail;
  // As many as would fit if all had the same size; fewer each time.
  const fitting = Math.floor((reviews.length * LONGEST_HTML) / bytes);
  const fewer = Math.max(1, Math.min(fitting, reviews.length - 1));
  return renderReviewDigest(reviews.slice(-fewer), total, site);
}

/** "Old Town Walk and 1 other tour". */
function nameTours(tours: DigestReview[][]): string {
  const others = tours.length - 1;
  const title = inSubject(tours[0]![0]!.tourTitle);
  if (others === 0) return title;
  return `${title} and ${others} other ${others === 1 ? "tour" : "tours"}`;
}

/** The reviews of a tour, of which there is at least one. */
function tourPart(reviews: DigestReview[], appUrl: string): Part {
  const { tourTitle, tourSlug } = reviews[0]!;
  const url = tourUrl(appUrl, tourSlug);
  const shown = reviews.map(({ id, explorerName, ...content }) => ({
    id,
    explorerName,
    address: reviewUrl(appUrl, id),
    content: contentParts(content),
  }));
  const html = (
    <div>
      <TourHeading href={url} title={tourTitle} />
      {shown.map(({ id, explorerName, address, content }) => (
        <div key={id}>
          <Paragraph>
            <Anchor href={address}>
              <Name>{explorerName}</Name>
            </Anchor>
          </Paragraph>
          {Object.entries(content).map(([name, part]) => (
            <Fragment key={name}>{part.html}</Fragment>
          ))}
        </div>
      ))}
    </div>
  );
  const texts = shown.map(({ explorerName, address, content }) => {
    const said = Object.values(content).map(({ text }) => text);
    return `${isolated(explorerName)}: ${said.join("\n")}\n${address}`;
  });
  return { html, text: [`${isolated(tourTitle)}\n${url}`, ...texts].join("\n\n") };
}
