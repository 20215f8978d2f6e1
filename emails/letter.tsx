import { Fragment, type ReactElement, type ReactNode } from "react";
import { isolated } from "~/lib/text";
import type { Content } from "#models/content";
import {
  Anchor,
  type AnySite,
  Button,
  QuotedComment,
  renderHtml,
  Layout,
  Paragraph,
  type RenderedMail,
  stars,
  Stars,
  textFooter,
} from "./layout";
import { plainText, quotedComment } from "./plain-text";

/** A part of an e-mail, as HTML and as text: made from the HTML, a text would break an explorer's own lines. */
export interface Part {
  html: ReactElement;
  text: string;
}

interface Head {
  subject: string;
  /** The title of the HTML; otherwise the subject. */
  title?: string;
  /** A mail program shows it beside the subject. */
  preview: string;
  /** Says why the recipient gets this e-mail. */
  reason: string;
}

/** Returns an e-mail of these parts, one below the other, which ends with its reason. */
export const renderParts = (
  { subject, title = subject, preview, reason }: Head,
  parts: Part[],
  site: AnySite,
): RenderedMail => ({
  subject,
  html: renderHtml(
    <Layout title={title} preview={preview} reason={reason} unsubscribeUrl={site.unsubscribeUrl}>
      {parts.map(({ html }, index) => (
        <Fragment key={index}>{html}</Fragment>
      ))}
    </Layout>,
  ),
  text: plainText([...parts.map(({ text }) => text), textFooter(reason, site)]),
});

export const greeting = (name: string): Part => ({
  html: (
    <Paragraph>
      Hello <bdi>{name}</bdi>,
    </Paragraph>
  ),
  text: `Hello ${isolated(name)},`,
});

export const comment = (text: string | null): Part => ({
  html: <QuotedComment comment={text} />,
  text: quotedComment(text),
});

/** Each field of a review. */
export const contentParts = ({ rating, comment: words }: Content & { rating: number }) =>
  ({
    rating: { html: <Stars rating={rating} />, text: `${rating} out of 5  ${stars(rating)}` },
    comment: comment(words),
  }) satisfies Record<keyof Content, Part>;

export const button = (label: string, url: string): Part => ({
  html: (
    <Paragraph>
      <Button href={url}>{label}</Button>
    </Paragraph>
  ),
  text: `${label}:\n${url}`,
});

export interface Letter {
  subject: string;
  /** Absent if the address is not proven. */
  name?: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  closing: string;
}

export function renderLetter(
  { subject, name, paragraphs, button: to, closing }: Letter,
  { reason, appUrl }: { reason: string; appUrl: string },
): RenderedMail {
  const paragraph = (text: string): Part => ({
    html: <Paragraph>{withLinks(text, appUrl)}</Paragraph>,
    text,
  });
  return renderParts(
    { subject, preview: paragraphs[0] ?? "", reason },
    [
      paragraph(name ? `Hello ${isolated(name)},` : "Hello,"),
      ...paragraphs.map(paragraph),
      ...(to ? [button(to.label, to.url)] : []),
      paragraph(closing),
    ],
    { appUrl },
  );
}

/** Makes links only of the site's own addresses, since a name may look like another site's. */
function withLinks(text: string, appUrl: string): ReactNode[] {
  return text.split(/(https?:\/\/\S+)/).map((part) =>
    part.startsWith(`${appUrl}/`) ? (
      <Anchor key={part} href={part}>
        {part}
      </Anchor>
    ) : (
      part
    ),
  );
}
