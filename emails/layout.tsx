import type { CSSProperties, ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ReviewNotificationInputs } from "#models/notification";
import { plainName } from "#models/visible";
import { env } from "~/config/env.server";
import { withoutControls } from "~/lib/text";
import { shownLines, NO_COMMENT } from "./plain-text";

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

export interface MailSite {
  appUrl: string;
  /** The page on which the recipient stops such e-mails, without a log-in. */
  unsubscribeUrl: string;
}

/** An e-mail that its recipient requested has nothing to unsubscribe from. */
export type AnySite = Pick<MailSite, "appUrl"> & Partial<MailSite>;

/** Some mail programs draw e-mails of other kinds as browsers did before 2000. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

export const renderHtml = (mail: ReactElement): string =>
  DOCTYPE + withoutControls(renderToStaticMarkup(mail));

/** Makes each name one line that shows something, so that none can imitate the rest of the e-mail or end the subject. */
export const shownInputs = <Inputs extends ReviewNotificationInputs>(inputs: Inputs): Inputs => ({
  ...inputs,
  guideName: plainName(inputs.guideName) || "Guide",
  explorerName: plainName(inputs.explorerName) || "An explorer",
  tourTitle: plainName(inputs.tourTitle),
});

export const tourUrl = (appUrl: string, slug: string) =>
  `${appUrl}/tours/${encodeURIComponent(slug).replace(/\.data$/, "%2Edata")}`;

export const reviewUrl = (appUrl: string, id: string) => `${appUrl}/reviews/${id}`;

export const stars = (rating: number) => "★".repeat(rating) + "☆".repeat(5 - rating);

const CHOOSE = "Choose which e-mails you get, or stop them";

export const textFooter = (reason: string, { appUrl, unsubscribeUrl }: AnySite) =>
  [
    `-- \n${env().siteName}, ${appUrl}\n${reason}`,
    ...(unsubscribeUrl ? [`${CHOOSE}:\n${unsubscribeUrl}`] : []),
  ].join("\n");

const SANS = "'Helvetica Neue', Helvetica, Arial, sans-serif";
const SERIF = "Georgia, 'Times New Roman', serif";

const { light, dark } = env().tones;

// Most mail programs read only the style attributes; those that support dark mode read these rules too.
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #121816 !important; }
  .panel { background-color: #1a221f !important; border-color: #333f3a !important; }
  .ink { color: #e9eeeb !important; }
  .muted { color: #a7b4ae !important; }
  .accent { color: ${dark.accent} !important; }
  .stars { color: #f3b94d !important; }
  .quote { background-color: #222c28 !important; border-color: ${dark.accent} !important; }
  .rule { border-color: #333f3a !important; }
  .button { background-color: ${dark.accent} !important; color: ${dark.on} !important; }
}
@media (max-width: 480px) {
  .inset { padding-left: 20px !important; padding-right: 20px !important; }
}
`;

const ACCENT = light.accent;
const SAND = "#f4f1ea";
const LINE = "1px solid #ddd7c9";

const text: CSSProperties = {
  fontFamily: SANS,
  fontSize: 16,
  lineHeight: "25px",
  color: "#1c2723",
};
const paragraph: CSSProperties = { ...text, margin: "0 0 16px" };
const grey = { color: "#56635d" };
const small: CSSProperties = { fontSize: 13, lineHeight: "20px" };
const smallPrint: CSSProperties = { ...text, ...small, ...grey, margin: "0 0 4px" };
const heading: CSSProperties = { fontFamily: SERIF, fontSize: 20 };
const wordmark: CSSProperties = { ...heading, margin: 0, fontWeight: 700, color: ACCENT };
const panel: CSSProperties = {
  padding: "32px 36px 36px",
  border: LINE,
  borderRadius: 12,
  backgroundColor: "#ffffff",
};
const button: CSSProperties = {
  display: "inline-block",
  padding: "13px 24px",
  borderRadius: 24,
  backgroundColor: ACCENT,
  color: "#ffffff",
  fontFamily: SANS,
  fontSize: 16,
  lineHeight: "22px",
  fontWeight: 700,
  textDecoration: "none",
};
const starLink: CSSProperties = {
  display: "inline-block",
  width: 48,
  fontSize: 36,
  lineHeight: "48px",
  textAlign: "center",
  textDecoration: "none",
  color: "#b45f06",
};
const quotation: CSSProperties = {
  ...text,
  margin: "0 0 24px",
  padding: "14px 18px",
  borderLeft: `4px solid ${ACCENT}`,
  borderRadius: "0 8px 8px 0",
  backgroundColor: SAND,
  overflowWrap: "anywhere",
};

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <p className="ink" style={paragraph}>
      {children}
    </p>
  );
}

interface LinkProps {
  href: string;
  children: ReactNode;
}

export function Anchor({ href, children }: LinkProps) {
  return (
    <a className="accent" href={href} target="_blank" style={{ color: ACCENT }}>
      {children}
    </a>
  );
}

export const Name = ({ children }: { children: string }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
);

export function Stars({ rating }: { rating: number }) {
  return (
    <p className="ink" style={{ ...paragraph, margin: "0 0 12px" }}>
      <span
        className="stars"
        style={{ fontSize: 26, lineHeight: "32px", letterSpacing: 2, color: "#b45f06" }}
        aria-hidden="true"
      >
        {stars(rating)}
      </span>
      <br />
      {`${rating} out of 5`}
    </p>
  );
}

/** Five links, one for each number of stars, wide enough for a thumb. */
export const StarLinks = ({ toHref }: { toHref: (stars: number) => string }) => (
  <p className="ink" style={{ ...paragraph, margin: "0 0 12px" }}>
    {[1, 2, 3, 4, 5].map((count) => (
      <a
        key={count}
        className="stars"
        href={toHref(count)}
        target="_blank"
        aria-label={`${count} out of 5 stars`}
        style={starLink}
      >
        ☆
      </a>
    ))}
  </p>
);

export function QuotedComment({ comment }: { comment: string | null }) {
  const lines = shownLines(comment);
  if (lines.length === 0)
    return (
      <p className="muted" style={{ ...paragraph, fontStyle: "italic", ...grey }}>
        {NO_COMMENT}
      </p>
    );
  return (
    <blockquote className="ink quote" dir="auto" style={quotation}>
      {lines.map((line, index) => (
        <span key={index}>
          {index > 0 && <br />}
          {line}
        </span>
      ))}
    </blockquote>
  );
}

export function Button({ href, children }: LinkProps) {
  return (
    <a className="button" href={href} target="_blank" style={button}>
      {children}
    </a>
  );
}

export function TourHeading({ href, title }: { href: string; title: string }) {
  return (
    <h2
      className="rule"
      style={{
        ...heading,
        margin: "8px 0 16px",
        padding: "16px 0 0",
        borderTop: LINE,
        lineHeight: "27px",
      }}
    >
      <Anchor href={href}>
        <bdi>{title}</bdi>
      </Anchor>
    </h2>
  );
}

interface LayoutProps {
  title: string;
  preview: string;
  reason: string;
  unsubscribeUrl: string | undefined;
  children: ReactNode;
}

export function Layout({ title, preview, reason, unsubscribeUrl, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{DARK}</style>
      </head>
      <body className="page" style={{ margin: 0, padding: 0, backgroundColor: SAND }}>
        <div style={{ display: "none", maxHeight: 0, overflow: "hidden" }}>{preview}</div>
        <Table>
          <tr>
            <td className="page" align="center" style={{ padding: "32px 12px" }}>
              <Table style={{ maxWidth: 580 }}>
                <tr>
                  <td style={{ padding: "0 4px 16px" }}>
                    <p className="accent" style={wordmark}>
                      {env().siteName}
                    </p>
                  </td>
                </tr>
                <tr>
                  <td className="panel inset" style={panel}>
                    {children}
                  </td>
                </tr>
                <tr>
                  <td style={{ padding: "20px 4px 0" }}>
                    <p className="muted" style={smallPrint}>
                      {reason}
                    </p>
                    {unsubscribeUrl && (
                      <p className="muted" style={smallPrint}>
                        <a className="muted" href={unsubscribeUrl} target="_blank" style={grey}>
                          {CHOOSE}
                        </a>
                      </p>
                    )}
                  </td>
                </tr>
              </Table>
            </td>
          </tr>
        </Table>
      </body>
    </html>
  );
}

/** A table only for layout, because mail programs support little else. */
function Table({ style, children }: { style?: CSSProperties; children: ReactNode }) {
  return (
    <table
      role="presentation"
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ borderCollapse: "separate", ...style }}
    >
      <tbody>{children}</tbody>
    </table>
  );
}
