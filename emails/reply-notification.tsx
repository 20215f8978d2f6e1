import { isolated } from "~/infra/text";
import { oneLine } from "#models/reading";
import {
  Button,
  Comment,
  htmlOf,
  Layout,
  Name,
  Paragraph,
  type MailSite,
  type RenderedMail,
  reviewUrl,
  textFooter,
} from "./layout";
import { plainText, quoted } from "./plain-text";

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
  const explorerName = oneLine(inputs.explorerName) || "Explorer";
  const name = oneLine(inputs.guideName);
  const guideName = name || "The guide";
  const head = name ? `Response from ${isolated(name)}, your guide` : "Response from your guide";
  const tourTitle = oneLine(inputs.tourTitle) || "a former tour";
  const reason = `This e-mail went to ${inputs.explorerEmail} because you wrote the review.`;
  const url = reviewUrl(site.appUrl, reviewId);
  const subject = `A reply to your review of ${isolated(tourTitle)}`;
  const preview = `${isolated(guideName)} replied to your review.`;
  return {
    subject,
    html: htmlOf(
      <Layout title={subject} preview={preview} reason={reason} {...site}>
        <Paragraph>
          Hello <bdi>{explorerName}</bdi>,
        </Paragraph>
        <Paragraph>
          <Name>{guideName}</Name>
          {" replied to your review of "}
          <Name>{tourTitle}</Name>. Everybody can read the reply below your review.
        </Paragraph>
        <Paragraph>{head}</Paragraph>
        <Comment comment={inputs.text} />
        <Paragraph>
          <Button href={url}>See it with your review</Button>
        </Paragraph>
      </Layout>,
    ),
    text: plainText([
      `Hello ${isolated(explorerName)},`,
      `${isolated(guideName)} replied to your review of "${isolated(tourTitle)}". Everybody can read the reply below your review.`,
      `${head}:`,
      quoted(inputs.text),
      `See it with your review:\n${url}`,
      textFooter(reason, site),
    ]),
  };
}
