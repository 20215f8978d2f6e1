import { inSubject } from "~/lib/shortened.server";
import { isolated } from "~/lib/text";
import type { ReviewNotificationInputs } from "#models/notification";
import {
  Anchor,
  type MailSite,
  Name,
  Paragraph,
  type RenderedMail,
  reviewUrl,
  shownInputs,
  tourUrl,
} from "./layout";
import { button, contentParts, greeting, renderParts } from "./letter";

/**
 * Renders the guide's e-mail about the review of that id from its seven inputs (docs/rules/mail.md, Notifications).
 * Empty names become "Guide" and "An explorer".
 */
export function renderReviewNotification(
  reviewId: string,
  inputs: ReviewNotificationInputs,
  site: MailSite,
): RenderedMail {
  const { guideName, guideEmail, explorerName, tourTitle, tourSlug, ...content } =
    shownInputs(inputs);
  const { rating, ...words } = contentParts(content);
  const explorer = isolated(explorerName);
  const title = isolated(tourTitle);
  const url = reviewUrl(site.appUrl, reviewId);
  const tour = tourUrl(site.appUrl, tourSlug);
  const head = {
    subject: `New ${content.rating}-star review of ${inSubject(tourTitle)}`,
    title: `New review of ${title}`,
    preview: `${explorer} gave ${content.rating} out of 5 stars.`,
    reason: `You get this at ${guideEmail} because you lead this tour.`,
  };
  const said = (
    <Paragraph>
      <Name>{explorerName}</Name>
      {" reviewed your tour "}
      <Name>{tourTitle}</Name>.
    </Paragraph>
  );
  const link = (label: string, to: string) => (
    <Paragraph>
      <Anchor href={to}>{label}</Anchor>
    </Paragraph>
  );
  const parts = [
    greeting(guideName),
    { html: said, text: `${explorer} reviewed your tour "${title}".` },
    { ...rating, text: `Rating: ${rating.text}` },
    ...Object.values(words),
    button("Read the review", url),
    {
      html: link("Reply publicly", `${url}/reply`),
      text: `Reply publicly:\n${url}/reply`,
    },
    { html: link("See the tour’s page", tour), text: `See the tour's page:\n${tour}` },
  ];
  return renderParts(head, parts, site);
}
