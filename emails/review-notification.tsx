import { render } from "@react-email/render";
import type { ReviewNotificationInputs } from "../models/notification";
import {
  Button,
  Comment,
  Layout,
  Paragraph,
  quoted,
  reviewUrl,
  shownInputs,
  stars,
  Stars,
  textFooter,
  tourUrl,
  type MailSite,
  type RenderedMail,
} from "./layout";

/**
 * Renders the guide's e-mail about the review of that id from its seven inputs (docs/rules.md, Notifications).
 * Empty names become "Guide" and "An explorer".
 */
export async function renderReviewNotification(
  reviewId: string,
  inputs: ReviewNotificationInputs,
  site: MailSite,
): Promise<RenderedMail> {
  const mail: Props = {
    ...shownInputs(inputs),
    reason: `This e-mail went to ${inputs.guideEmail} because you are the guide of this tour.`,
    url: reviewUrl(site.appUrl, reviewId),
    tour: tourUrl(site.appUrl, inputs.tourSlug),
    site,
  };
  return {
    subject: `New ${mail.rating}-star review of ${mail.tourTitle}`,
    html: await render(<ReviewNotification {...mail} />),
    text: plainText(mail),
  };
}

interface Props extends ReviewNotificationInputs {
  reason: string;
  /** The address of the review's own page, and of the tour's. */
  url: string;
  tour: string;
  site: MailSite;
}

/** Written by hand: made from the HTML, a text would break an explorer's own lines. */
function plainText(mail: Props): string {
  return [
    `Hello ${mail.guideName},`,
    `${mail.explorerName} reviewed your tour "${mail.tourTitle}".`,
    `Rating: ${mail.rating} out of 5  ${stars(mail.rating)}`,
    quoted(mail.comment),
    `Read the review:\n${mail.url}`,
    `See the tour's page:\n${mail.tour}`,
    textFooter(mail.reason, mail.site),
  ].join("\n\n");
}

function ReviewNotification(mail: Props) {
  return (
    <Layout
      title={`New review of ${mail.tourTitle}`}
      preview={`${mail.explorerName} gave ${mail.rating} out of 5 stars.`}
      reason={mail.reason}
      {...mail.site}
    >
      <Paragraph>{`Hello ${mail.guideName},`}</Paragraph>
      <Paragraph>
        <strong>{mail.explorerName}</strong>
        {" reviewed your tour "}
        <strong>{mail.tourTitle}</strong>.
      </Paragraph>
      <Stars rating={mail.rating} />
      <Comment comment={mail.comment} />
      <Paragraph>
        <Button href={mail.url}>Read the review</Button>
      </Paragraph>
      <Paragraph>
        <a className="accent" href={mail.tour} target="_blank" style={{ color: "#0d5a48" }}>
          See the tour’s page
        </a>
      </Paragraph>
    </Layout>
  );
}
