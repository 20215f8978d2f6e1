import type { ReactElement, ReactNode } from "react";
import { type Action, REASON_LABELS } from "~/moderation/labels";
import { GROUND_TEXTS } from "~/ui/grounds";
import { shownMean, starsInWords } from "~/ui/stars";
import { hoursInWords, Time } from "~/ui/time";
import type { Figures as Counted } from "./figures.server";
import { rangeInWords } from "./small-numbers";

const ACTIONS: Record<Action, string> = {
  keep: "stays as it is",
  redact: "words removed",
  remove: "removed",
  restore: "shown again",
};

const ALL_STARS = [1, 2, 3, 4, 5, null];

/** To two decimals: a tenth would hide what a few removals do. */
const meanInWords = (mean: number) => shownMean(mean, 2);

interface FiguresProps {
  figures: Counted;
}

export function Figures({ figures }: FiguresProps) {
  const { from, to, reviews, reports, decisions, ratings, absences } = figures;
  const isEmpty = reports.length === 0 && decisions.length === 0 && ratings === null;
  return (
    <>
      <p>
        {reviews === null
          ? "More reviews were posted in these months than are counted here."
          : `Reviews that were posted in these months and can be read here: ${reviews.toLocaleString("en-GB")}.`}
      </p>
      <p>
        Reports, decisions and no-shows are shown in steps of five, so that no number tells
        something about one review or one person.
      </p>
      {isEmpty ? <p>There is nothing to show yet.</p> : <Tables figures={figures} />}
      {absences.noShows !== null && (
        <p>{`No-shows reported by guides: ${rangeInWords(absences.noShows)}. Successfully disputed: ${rangeInWords(absences.objections)}.`}</p>
      )}
      <p className="muted">
        {"From "}
        <Time at={from} />
        {" to "}
        <Time at={to} form="moment" />
        {". We count these figures once a day. They are also available "}
        <a href="/about/reviews.json">as JSON</a>.
      </p>
    </>
  );
}

function Tables({ figures }: FiguresProps) {
  const { reports, decisions, decisionsByStars, appeals, sanctions, medianHours, ratings } =
    figures;
  const actions = occurringActions(decisions);
  const actionsByStars = occurringActions(decisionsByStars);
  const grounds = [...new Set(decisions.map(({ ground }) => ground))];
  return (
    <>
      <CountsTable
        caption="Reports of reviews and replies"
        heads={["Reason", "Number"]}
        rows={reports.map(({ reason, count }) => [REASON_LABELS[reason], rangeInWords(count)])}
      />
      <CountsTable
        caption="Decisions about reviews and replies"
        heads={["Ground", ...actions.map((action) => ACTIONS[action])]}
        rows={grounds.map((ground) => [
          GROUND_TEXTS[ground].label,
          ...actions.map((action) =>
            rangeInWords(
              decisions.find((one) => one.ground === ground && one.action === action)?.count,
            ),
          ),
        ])}
      />
      <CountsTable
        caption="Decisions about reviews, by their stars"
        heads={["Review", ...actionsByStars.map((action) => ACTIONS[action])]}
        rows={ALL_STARS.map((stars) => [
          stars === null ? "No rating" : starsInWords(stars),
          ...actionsByStars.map((action) =>
            rangeInWords(
              decisionsByStars.find((one) => one.stars === stars && one.action === action)?.count,
            ),
          ),
        ])}
      />
      <ul>
        <li>{`Decisions about appeals: ${rangeInWords(appeals.decided)}. Those that changed the earlier decision: ${rangeInWords(appeals.overturned)}.`}</li>
        <li>{`Warnings for repeated misuse: ${rangeInWords(sanctions.warnings)}. Suspensions: ${rangeInWords(sanctions.suspensions)}. Taken back later: ${rangeInWords(sanctions.takenBack)}.`}</li>
        {medianHours !== null && (
          <li>{`Median time from a report to the decision: ${hoursInWords(medianHours * 60)}.`}</li>
        )}
        {ratings && (
          <li>{`Ratings that are removed now: ${rangeInWords(ratings.removed)}. With them, the tours concerned would average ${meanInWords(ratings.meanWithRemoved)} instead of ${meanInWords(ratings.mean)} out of 5.`}</li>
        )}
      </ul>
    </>
  );
}

/** Returns the actions that occur, in their order. */
const occurringActions = (rows: { action: Action }[]) =>
  (Object.keys(ACTIONS) as Action[]).filter((action) => rows.some((row) => row.action === action));

interface CountsTableProps {
  caption?: string;
  heads: string[];
  rows: [head: string | ReactElement, ...cells: string[]][];
}

/** A table of numbers; none of no rows, or of no columns but the heads. */
export function CountsTable({ caption, heads, rows }: CountsTableProps): ReactNode {
  if (rows.length === 0 || heads.length === 1) return null;
  return (
    <div className="table-scroll">
      <table className="counts">
        {caption && <caption>{caption}</caption>}
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
          {rows.map(([head, ...cells], index) => (
            <tr key={index}>
              <th scope="row">{head}</th>
              {cells.map((cell, column) => (
                <td key={heads[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
