import type { ReactNode } from "react";
import { shownMean } from "~/ui/stars";
import { Time } from "~/ui/time";
import type { GuideOverview } from "./guide-overview.server";
import { meanChangeInWords } from "./chart/rating-chart";

/** The guide's key figures, each a link to its details. */
export function GuideFigures({ figures }: Pick<GuideOverview, "figures">) {
  const { last, unanswered, open, next } = figures;
  const change = meanChangeInWords(figures);
  return (
    <section aria-label="At a glance">
      <ul className="figures">
        <Figure to="tours" value={last.mean === null ? "–" : shownMean(last.mean)}>
          {last.mean === null
            ? "No rating in 90 days"
            : `Rating of the last 90 days${change ? `, ${change}` : ""}`}
        </Figure>
        <Figure to="reviews" value={unanswered.toLocaleString("en-GB")}>
          {unanswered === 1 ? "Review without a reply" : "Reviews without a reply"}
        </Figure>
        <Figure to={open > 0 ? "open" : "departures"} value={open.toLocaleString("en-GB")}>
          {open === 1 ? "Departure to confirm" : "Departures to confirm"}
        </Figure>
        <Figure
          to="departures"
          value={next ? <Time at={next.date} zone={next.tour.timeZone} form="short" /> : "–"}
        >
          {next ? <bdi>{next.tour.title}</bdi> : "No departure to come"}
        </Figure>
      </ul>
    </section>
  );
}

interface FigureProps {
  to: string;
  value: ReactNode;
  children: ReactNode;
}

const Figure = ({ to, value, children }: FigureProps) => (
  <li>
    <a className="figure" href={`#${to}`}>
      <strong>{value}</strong> <span>{children}</span>
    </a>
  </li>
);
