import type { ReactNode } from "react";
import { isolated } from "~/infra/text";
import { Anchor, Button, htmlOf, Layout, Paragraph, textFooter, type RenderedMail } from "./layout";
import { plainText } from "./plain-text";

export interface Letter {
  subject: string;
  /** Absent if the address is not proven. */
  name?: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  closing: string;
}

export interface LetterSite {
  to: string;
  appUrl: string;
  contact: string;
  timeZone: string;
}

export function renderLetter(
  { subject, name, paragraphs, button, closing }: Letter,
  { reason, appUrl }: { reason: string; appUrl: string },
): RenderedMail {
  const greeting = name ? `Hello ${isolated(name)},` : "Hello,";
  return {
    subject,
    html: htmlOf(
      <Layout title={subject} preview={paragraphs[0]!} reason={reason}>
        {[greeting, ...paragraphs].map((text) => (
          <Paragraph key={text}>{withLinks(text, appUrl)}</Paragraph>
        ))}
        {button && (
          <Paragraph>
            <Button href={button.url}>{button.label}</Button>
          </Paragraph>
        )}
        <Paragraph>{withLinks(closing, appUrl)}</Paragraph>
      </Layout>,
    ),
    text: plainText([
      greeting,
      ...paragraphs,
      ...(button ? [`${button.label}:\n${button.url}`] : []),
      closing,
      textFooter(reason, { appUrl }),
    ]),
  };
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
