import { isolated } from "~/infra/text";
import { oneLine } from "#models/reading";
import { type MailSite, Name, Paragraph, type RenderedMail, reviewUrl } from "./layout";
import { button, comment, greeting, renderParts } from "./letter";

export interface ReplyNotificationInputs {
  explorerName: string;
  explorerEmail: string;
  guideName: string;
  tourTitle: string;
  text: string;
}

/** Empty names become "Explorer" and "The guide". */
export function renderReplyNotification(
  reviewId: string,
  inputs: ReplyNotificationInputs,
  site: MailSite,
): RenderedMail {
  const name = oneLine(inputs.guideName);
  const guideName = name || "The guide";
  const tourTitle = oneLine(inputs.tourTitle) || "a former tour";
  const [guide, title] = [isolated(guideName), isolated(tourTitle)];
  const said = (
    <Paragraph>
      <Name>{guideName}</Name>
      {" replied to your review of "}
      <Name>{tourTitle}</Name>. Everybody can read the reply below your review.
    </Paragraph>
  );
  const from = name ? `Response from ${isolated(name)}, your guide` : "Response from your guide";
  const head = {
    subject: `A reply to your review of ${title}`,
    preview: `${guide} replied to your review.`,
    reason: `This e-mail went to ${inputs.explorerEmail} because you wrote the review.`,
  };
  const parts = [
    greeting(oneLine(inputs.explorerName) || "Explorer"),
    {
      html: said,
      text: `${guide} replied to your review of "${title}". Everybody can read the reply below your review.`,
    },
    { html: <Paragraph>{from}</Paragraph>, text: `${from}:` },
    comment(inputs.text),
    button("See it with your review", reviewUrl(site.appUrl, reviewId)),
  ];
  return renderParts(head, parts, site);
}
