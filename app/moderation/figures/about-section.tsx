import { Link } from "@remix-run/react";
import type { ReactElement } from "react";

/** The sections of `/about/reviews`, in their order. E-mails and other pages cite them by their ids, which stay. */
export const SECTIONS = {
  who: "Writing a review",
  verified: "The meaning of “Verified booking”",
  fakes: "Fakes and incentives",
  content: "Not allowed in a review or a reply",
  shown: "The reviews that are shown, and their order",
  mean: "How the average is calculated",
  changes: "Changing or removing a review",
  replies: "Replies by guides",
  report: "How to report a review or a reply",
  operators: "Powers of operators, and their limits",
  appeals: "How to appeal",
  misuse: "Repeated misuse",
  kept: "How long words and names are kept",
  figures: "The last twelve months in figures",
  contact: "How to reach us",
  history: "Changes to these rules",
} as const;
export type SectionId = keyof typeof SECTIONS;

interface Props {
  id: SectionId;
  children: ReactElement | (ReactElement | false)[];
}

export function Section({ id, children }: Props) {
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{SECTIONS[id]}</h2>
      {children}
    </section>
  );
}

/** Links to all sections. By the router, which would bring a plain link back to where the reader was. */
export function Contents() {
  return (
    <nav aria-label="Contents">
      <ol>
        {Object.entries(SECTIONS).map(([id, title]) => (
          <li key={id}>
            <Link to={`#${id}`}>{title}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
