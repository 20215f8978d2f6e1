import { inSubject } from "~/lib/shortened.server";
import { isolated } from "~/lib/text";
import type { ReviewDocument } from "#models/review";
import type { UserDocument } from "#models/user";
import { plainName } from "#models/visible";
import { type MailSite, Name, Paragraph, type RenderedMail, reviewUrl } from "./layout";
import { button, comment, greeting, renderParts } from "./letter";

/** A guide's reply to a review, and the review's author. */
export interface Reply {
  author: UserDocument;
  guideName: string;
  tourTitle: string;
  text: string;
  review: ReviewDocument;
}

/** Empty names become "Explorer" and "The guide". */
export function renderReplyNotification(
  { author, text, review, ...reply }: Reply,
  site: MailSite,
): RenderedMail {
  const name = plainName(reply.guideName);
  const guideName = name || "The guide";
  const tourTitle = plainName(reply.tourTitle) || "a former tour";
  const guide = isolated(guideName);
  const title = isolated(tourTitle);
  const said = (
    <Paragraph>
      <Name>{guideName}</Name>
      {" replied to your review of "}
      <Name>{tourTitle}</Name>. Everybody can read the reply below your review.
    </Paragraph>
  );
  const from = name ? `Response from ${isolated(name)}, your guide` : "Response from your guide";
  const head = {
    subject: `A reply to your review of ${inSubject(tourTitle)}`,
    preview: `${guide} replied to your review.`,
    reason: `You get this at ${author.email} because you wrote the review.`,
  };
  const parts = [
    greeting(plainName(author.name) || "Explorer"),
    {
      html: said,
      text: `${guide} replied to your review of "${title}". Everybody can read the reply below your review.`,
    },
    { html: <Paragraph>{from}</Paragraph>, text: `${from}:` },
    comment(text),
    button("See the reply", reviewUrl(site.appUrl, review._id.toString())),
  ];
  return renderParts(head, parts, site);
}
