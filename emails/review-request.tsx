import { inSubject } from "~/lib/shortened.server";
import { isolated } from "~/lib/text";
import { plainName } from "#models/visible";
import {
  Anchor,
  type MailSite,
  Paragraph,
  type RenderedMail,
  StarLinks,
  TourHeading,
} from "./layout";
import { greeting, type Part, renderParts } from "./letter";

/** A tour that a guest has taken, and is asked to review. */
export interface TakenTour {
  title: string;
  guideName: string;
  /** Such as "Saturday 28 November 2026". */
  day: string;
  /** The page behind its link, which nobody else may know. */
  url: string;
  /** The address of its own picture; null without one. */
  picture: string | null;
}

interface RequestInputs {
  name: string;
  email: string;
  tours: TakenTour[];
  isReminder: boolean;
}

const STARS = [1, 2, 3, 4, 5] as const;

/**
 * Asks a guest how their tours were: in the same words whoever they are, whatever they think
 * (docs/rules/review-requests.md, The e-mail).
 */
export function renderReviewRequest(
  { name, email, tours, isReminder }: RequestInputs,
  site: MailSite,
): RenderedMail {
  const shown = tours.map((tour) => ({ ...tour, title: plainName(tour.title) }));
  const subject = requestSubject(shown.map(({ title }) => title));
  const why =
    shown.length === 1
      ? `${isolated(plainName(shown[0]?.guideName ?? "") || "Your guide")} learns from each honest review, and so do people who are choosing a tour.`
      : "Your guides learn from each honest review, and so do people who are choosing a tour.";
  const closing = `${isReminder ? "We do not remind you again." : "We ask everybody who took part, in the same words."} The links work for 30 days without a log-in, so please keep this e-mail to yourself.`;
  const paragraph = (text: string): Part => ({ html: <Paragraph>{text}</Paragraph>, text });
  return renderParts(
    {
      subject,
      preview: why,
      reason: `You get this at ${email} because you took part.`,
    },
    [
      greeting(plainName(name) || "Explorer"),
      paragraph(why),
      ...shown.map(tourPart),
      paragraph(closing),
    ],
    site,
  );
}

function requestSubject([title = "", ...others]: string[]): string {
  if (others.length === 0) return `How was ${inSubject(title)}?`;
  const more = others.length === 1 ? "1 other tour" : `${others.length} other tours`;
  return `How were ${inSubject(title)} and ${more}?`;
}

const ABSENT = "You did not take part?";

function tourPart({ title, day, url, picture }: TakenTour): Part {
  const absent = `${url}?absent=1`;
  const html = (
    <div>
      <TourHeading href={url} title={title} />
      {picture && <img src={picture} width={506} alt="" style={PICTURE} />}
      <Paragraph>{day}</Paragraph>
      <StarLinks toHref={(stars) => `${url}?rating=${stars}`} />
      <Paragraph>
        <Anchor href={absent}>{ABSENT}</Anchor>
      </Paragraph>
    </div>
  );
  const stars = STARS.map((count) => `${"★".repeat(count)} ${url}?rating=${count}`);
  const text = [`${isolated(title)}\n${day}`, stars.join("\n"), `${ABSENT}\n${absent}`];
  return { html, text: text.join("\n\n") };
}

const PICTURE = {
  display: "block",
  width: "100%",
  maxWidth: 506,
  height: "auto",
  margin: "0 0 16px",
  borderRadius: 8,
};
