import { render } from "@react-email/render";
import type { ReviewNotificationInputs } from "../models/notification";
import {
  Button,
  Comment,
  Layout,
  oneLine,
  Paragraph,
  quoted,
  stars,
  Stars,
  textFooter,
  tourUrl,
  type MailSite,
  type RenderedMail,
} from "./layout";

/**
 * Renders the guide's e-mail from its seven inputs (docs/rules.md, Notifications). Empty names become "Guide" and
 * "An explorer".
 */
export async function renderReviewNotification(
  inputs: ReviewNotificationInputs,
  site: MailSite,
): Promise<RenderedMail> {
  const mail: Props = {
    ...inputs,
    guideName: inputs.guideName || "Guide",
    explorerName: inputs.explorerName || "An explorer",
    reason: `This e-mail went to ${inputs.guideEmail} because you are the guide of this tour.`,
    url: tourUrl(site.appUrl, inputs.tourSlug),
    site,
  };
  return {
    subject: oneLine(`New ${inputs.rating}-star review of ${inputs.tourTitle}`),
    html: await render(<ReviewNotification {...mail} />),
    text: plainText(mail),
  };
}

interface Props extends ReviewNotificationInputs {
  reason: string;
  url: string;
  site: MailSite;
}

/** Written by hand: made from the HTML, a text would break an explorer's own lines. */
function plainText(mail: Props): string {
  return [
    `Hello ${mail.guideName},`,
    `${mail.explorerName} reviewed your tour "${mail.tourTitle}".`,
    `Rating: ${mail.rating} out of 5  ${stars(mail.rating)}`,
    quoted(mail.comment),
    `Read it on the tour's page:\n${mail.url}`,
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
      <Button href={mail.url}>Read it on the tour’s page</Button>
    </Layout>
  );
}
