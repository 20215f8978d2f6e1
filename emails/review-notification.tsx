import { render } from "@react-email/render";
import type { CSSProperties } from "react";
import type { ReviewNotificationInputs } from "../models/notification";

/** The guide's e-mail about a new review, ready to send. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/**
 * Renders the e-mail of spec.md's Events from its seven inputs. `appUrl` is the public origin that
 * the link to the tour's page starts with. Empty names become "Guide" and "An explorer".
 */
export async function renderReviewNotification(
  inputs: ReviewNotificationInputs,
  appUrl: string,
): Promise<RenderedMail> {
  const props: Props = {
    guideName: inputs.guideName || "Guide",
    explorerName: inputs.explorerName || "An explorer",
    tourTitle: inputs.tourTitle,
    rating: inputs.rating,
    comment: inputs.comment,
    guideEmail: inputs.guideEmail,
    tourUrl: `${appUrl}/tours/${encodeURIComponent(inputs.tourSlug)}`,
    siteUrl: appUrl,
  };
  return {
    // A header is one line, whatever the title holds.
    subject: `New ${inputs.rating}-star review of ${inputs.tourTitle}`
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    html: await render(<ReviewNotification {...props} />),
    text: plainText(props),
  };
}

interface Props {
  guideName: string;
  explorerName: string;
  tourTitle: string;
  rating: number;
  guideEmail: string;
  comment: string | null;
  tourUrl: string;
  siteUrl: string;
}

/** The lines of a comment, whichever line break its author has used. */
const lines = (comment: string) => comment.split(/\r\n|[\n\r\u2028\u2029]/);

const stars = (rating: number) => "★".repeat(rating) + "☆".repeat(5 - rating);

const reason = ({ guideEmail }: Props) =>
  `This e-mail went to ${guideEmail} because you are the guide of this tour.`;

/** Written by hand: made from the HTML, a text would break an explorer's own lines. */
function plainText(props: Props): string {
  return [
    `Hello ${props.guideName},`,
    `${props.explorerName} reviewed your tour "${props.tourTitle}".`,
    `Rating: ${props.rating} out of 5  ${stars(props.rating)}`,
    props.comment
      ? lines(props.comment)
          .map((line) => `> ${line}`)
          .join("\n")
      : "The explorer left no comment.",
    `Read it on the tour's page:\n${props.tourUrl}`,
    `-- \nTour Reviews, ${props.siteUrl}\n${reason(props)}`,
  ].join("\n\n");
}

const font = "'Helvetica Neue', Helvetica, Arial, sans-serif";
const paragraph: CSSProperties = {
  margin: "0 0 16px",
  fontFamily: font,
  fontSize: 16,
  lineHeight: "24px",
  color: "#23302b",
};

function ReviewNotification(props: Props) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{`New review of ${props.tourTitle}`}</title>
      </head>
      <body style={{ margin: 0, padding: 0, backgroundColor: "#f3f1ea" }}>
        {/* What a mail program shows beside the subject. */}
        <div style={{ display: "none", maxHeight: 0, overflow: "hidden" }}>
          {`${props.explorerName} gave ${props.rating} out of 5 stars.`}
        </div>
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} border={0}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: "32px 16px" }}>
                <table
                  role="presentation"
                  width="100%"
                  cellPadding={0}
                  cellSpacing={0}
                  border={0}
                  style={{ maxWidth: 560, backgroundColor: "#ffffff", borderRadius: 12 }}
                >
                  <tbody>
                    <tr>
                      <td style={{ padding: "32px 32px 24px" }}>
                        <p style={{ ...paragraph, fontWeight: 700, color: "#0f5c4a" }}>
                          Tour Reviews
                        </p>
                        <p style={paragraph}>{`Hello ${props.guideName},`}</p>
                        <p style={paragraph}>
                          <strong>{props.explorerName}</strong>
                          {" reviewed your tour "}
                          <strong>{props.tourTitle}</strong>.
                        </p>
                        <p style={{ ...paragraph, margin: "0 0 8px" }}>
                          <span style={{ fontSize: 24, color: "#b45309" }} aria-hidden="true">
                            {stars(props.rating)}
                          </span>
                          <br />
                          {`${props.rating} out of 5`}
                        </p>
                        {props.comment ? (
                          <blockquote
                            style={{
                              ...paragraph,
                              margin: "16px 0 24px",
                              padding: "4px 0 4px 16px",
                              borderLeft: "4px solid #d8d2c2",
                            }}
                          >
                            {lines(props.comment).map((line, index) => (
                              <span key={index}>
                                {index > 0 && <br />}
                                {line}
                              </span>
                            ))}
                          </blockquote>
                        ) : (
                          <p style={{ ...paragraph, color: "#5b6762" }}>
                            The explorer left no comment.
                          </p>
                        )}
                        <a
                          href={props.tourUrl}
                          style={{
                            display: "inline-block",
                            padding: "12px 20px",
                            borderRadius: 8,
                            backgroundColor: "#0f5c4a",
                            color: "#ffffff",
                            fontFamily: font,
                            fontSize: 16,
                            fontWeight: 700,
                            textDecoration: "none",
                          }}
                        >
                          Read it on the tour’s page
                        </a>
                      </td>
                    </tr>
                    <tr>
                      <td style={{ padding: "0 32px 32px" }}>
                        <p
                          style={{
                            ...paragraph,
                            margin: 0,
                            fontSize: 13,
                            lineHeight: "20px",
                            color: "#5b6762",
                          }}
                        >
                          {reason(props)}
                        </p>
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}
