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
  tourUrl,
  type MailSite,
  type RenderedMail,
} from "./layout";
import { plainText, quoted } from "./plain-text";

/**
 * Renders the guide's e-mail about the review of that id from its seven inputs (docs/rules/mail.md, Notifications).
 * Empty names become "Guide" and "An explorer".
 */
export function renderReviewNotification(
  reviewId: string,
  inputs: ReviewNotificationInputs,
  site: MailSite,
): RenderedMail {
  const mail: Props = {
    ...shownInputs(inputs),
    reason: `This e-mail went to ${inputs.guideEmail} because you are the guide of this tour.`,
    url: reviewUrl(site.appUrl, reviewId),
    tour: tourUrl(site.appUrl, inputs.tourSlug),
    site,
  };
  return {
    subject: `New ${mail.rating}-star review of ${isolated(mail.tourTitle)}`,
    html: htmlOf(<ReviewNotification {...mail} />),
    text: textOf(mail),
  };
}

interface Props extends ReviewNotificationInputs {
  reason: string;
  url: string;
  tour: string;
  site: MailSite;
}

/** Written by hand: made from the HTML, a text would break an explorer's own lines. */
function textOf(mail: Props): string {
  return plainText([
    `Hello ${isolated(mail.guideName)},`,
    `${isolated(mail.explorerName)} reviewed your tour "${isolated(mail.tourTitle)}".`,
    `Rating: ${mail.rating} out of 5  ${stars(mail.rating)}`,
    quoted(mail.comment),
    `Read the review:\n${mail.url}`,
    `Reply to it in public:\n${mail.url}/reply`,
    `See the tour's page:\n${mail.tour}`,
    textFooter(mail.reason, mail.site),
  ]);
}

function ReviewNotification(mail: Props) {
  return (
    <Layout
      title={`New review of ${isolated(mail.tourTitle)}`}
      preview={`${isolated(mail.explorerName)} gave ${mail.rating} out of 5 stars.`}
      reason={mail.reason}
      {...mail.site}
    >
      <Paragraph>
        Hello <bdi>{mail.guideName}</bdi>,
      </Paragraph>
      <Paragraph>
        <Name>{mail.explorerName}</Name>
        {" reviewed your tour "}
        <Name>{mail.tourTitle}</Name>.
      </Paragraph>
      <Stars rating={mail.rating} />
      <Comment comment={mail.comment} />
      <Paragraph>
        <Button href={mail.url}>Read the review</Button>
      </Paragraph>
      <Paragraph>
        <Anchor href={`${mail.url}/reply`}>Reply to it in public</Anchor>
      </Paragraph>
      <Paragraph>
        <Anchor href={mail.tour}>See the tour’s page</Anchor>
      </Paragraph>
    </Layout>
  );
}
