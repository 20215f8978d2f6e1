import type { ReactNode } from "react";
import { type Action, GROUNDS, REASONS } from "~/ui/labels";
import { shownMean, starsInWords } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import type { Figures as Counted } from "./figures.server";
import { Section } from "./about-section";

const ACTIONS: Record<Action, string> = {
  keep: "stays as it is",
  redact: "words removed",
  remove: "removed",
  restore: "shown again",
};

const ACTIONS_IN_ORDER = Object.keys(ACTIONS) as Action[];

const ALL_STARS = [1, 2, 3, 4, 5, null];

/** To two decimals: a tenth would hide what a few removals do. */
const meanInWords = (mean: number) => shownMean(mean, 2);

const timesInWords = (count: number) =>
  count === 1 ? "once" : `${count.toLocaleString("en-GB")} times`;

export function Figures({ figures }: { figures: Counted }) {
  const { from, to, reviews, reports, decisions, ratings, absences } = figures;
  const isEmpty = reports.length === 0 && decisions.length === 0 && ratings === null;
  return (
    <Section id="figures">
      <p>
        {reviews === null
          ? "More reviews were posted in these months than are counted here."
          : `Reviews that were posted in these months and can be read here: ${reviews.toLocaleString("en-GB")}.`}
      </p>
      {isEmpty ? <p>Nothing has been reported yet.</p> : <Tables figures={figures} />}
      {absences.noShows > 0 && (
        <p>{`Guides said ${timesInWords(absences.noShows)} that an explorer did not come. Explorers who objected, and can review the tour: ${absences.objections.toLocaleString("en-GB")}.`}</p>
      )}
      <p className="muted">
        {"From "}
        <Time at={from} />
        {" to "}
        <Time at={to} form="moment" />
        {". We count these figures once a day. They are also available "}
        <a href="/about/reviews.json">as JSON</a>.
      </p>
    </Section>
  );
}

function Tables({ figures }: { figures: Counted }) {
  const { reports, decisions, decisionsByStars, appeals, sanctions, medianHours, ratings } =
    figures;
  const actions = ACTIONS_IN_ORDER.filter((action) =>
    decisions.some((decision) => decision.action === action),
  );
  const grounds = [...new Set(decisions.map(({ ground }) => ground))];
  const numberOf = (test: (decision: (typeof decisions)[number]) => boolean) =>
    decisions.reduce((sum, decision) => sum + (test(decision) ? decision.count : 0), 0);
  const ofReviews = ACTIONS_IN_ORDER.filter((action) =>
    decisionsByStars.some((decision) => decision.action === action),
  );
  return (
    <>
      <Counts
        caption="Reports of reviews and replies"
        heads={["Reason", "Number"]}
        rows={reports.map(({ reason, count }) => [REASONS[reason], count])}
        foot={[reports.reduce((sum, { count }) => sum + count, 0)]}
      />
      <Counts
        caption="Decisions about reviews and replies"
        heads={["Ground", ...actions.map((action) => ACTIONS[action])]}
        rows={grounds.map((ground) => [
          GROUNDS[ground].label,
          ...actions.map((action) =>
            numberOf((decision) => decision.ground === ground && decision.action === action),
          ),
        ])}
        foot={actions.map((action) => numberOf((decision) => decision.action === action))}
      />
      <Counts
        caption="Decisions about reviews, by their stars"
        heads={["Review", ...ofReviews.map((action) => ACTIONS[action])]}
        rows={ALL_STARS.map((stars) => [
          stars === null ? "No rating" : starsInWords(stars),
          ...ofReviews.map(
            (action) =>
              decisionsByStars.find((one) => one.stars === stars && one.action === action)?.count ??
              "fewer than 3",
          ),
        ])}
      />
      <ul>
        <li>{`Decisions about appeals: ${appeals.decided}. Those that changed the earlier decision: ${appeals.overturned}.`}</li>
        {sanctions.warnings + sanctions.suspensions > 0 && (
          <li>{`Warnings for repeated misuse: ${sanctions.warnings}. Suspensions: ${sanctions.suspensions}. Taken back later: ${sanctions.takenBack}.`}</li>
        )}
        {medianHours !== null && (
          <li>{`Median time from a report to the decision: ${hoursInWords(medianHours * 60)}.`}</li>
        )}
        {ratings && (
          <li>{`Ratings that are removed now: ${ratings.removed}. With them, the tours concerned would average ${meanInWords(ratings.meanWithRemoved)} instead of ${meanInWords(ratings.mean)} out of 5.`}</li>
        )}
      </ul>
    </>
  );
}

interface CountsProps {
  caption: string;
  heads: string[];
  rows: [head: string, ...cells: (number | string)[]][];
  foot?: number[];
}

function Counts({ caption, heads, rows, foot }: CountsProps): ReactNode {
  if (rows.length === 0 || heads.length === 1) return null;
  return (
    <div className="table-scroll">
      <table className="counts">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([head, ...cells]) => (
            <tr key={head}>
              <th scope="row">{head}</th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot && (
          <tfoot>
            <tr>
              <th scope="row">All</th>
              {foot.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
