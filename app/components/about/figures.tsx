import type { ReactNode } from "react";
import type { Figures as Counted } from "~/services/moderation/figures.server";
import { type Action, GROUNDS, REASONS } from "~/services/moderation/words";
import { starsInWords } from "../stars";
import { hoursInWords, Time } from "../time";
import { Section } from "./section";

const ACTIONS: Record<Action, string> = {
  keep: "stays as it is",
  redact: "words removed",
  remove: "removed",
  restore: "shown again",
};

/** To two decimals: a tenth would hide what a few removals do. */
const meanInWords = (mean: number) => mean.toFixed(2);

/** What was posted, reported and decided in twelve months. */
export function Figures({ figures }: { figures: Counted }) {
  const { from, to, reviews, reports, decisions, ratings } = figures;
  const isEmpty = reports.length === 0 && decisions.length === 0 && ratings === null;
  return (
    <Section id="figures">
      <p>
        {reviews === null
          ? "More reviews were posted in these months than are counted here."
          : `Reviews that were posted in these months and can be read here: ${reviews.toLocaleString("en-GB")}.`}
      </p>
      {isEmpty ? <p>Nothing has been reported yet.</p> : <Tables figures={figures} />}
      <p className="muted">
        {"From "}
        <Time at={from} />
        {" to "}
        <Time at={to} form="moment" />
        {". These figures are counted once an hour, the reviews once a day, and are also there "}
        <a href="/about/reviews.json">as JSON</a>.
      </p>
    </Section>
  );
}

function Tables({ figures }: { figures: Counted }) {
  const { reports, decisions, decisionsByStars, appeals, sanctions, medianHours, ratings } =
    figures;
  return (
    <>
      <Counts
        caption="Reports of reviews and replies"
        heads={["Reason"]}
        rows={reports.map(({ reason, count }) => [[REASONS[reason]], count])}
      />
      <Counts
        caption="Decisions about reviews and replies"
        heads={["Ground", "Decision"]}
        rows={decisions.map(({ ground, action, count }) => [
          [GROUNDS[ground].label, ACTIONS[action]],
          count,
        ])}
      />
      <ByStars decisions={decisionsByStars} />
      <ul>
        <li>{`Decisions about appeals: ${appeals.decided}, of which ${appeals.overturned} changed the decision before.`}</li>
        {sanctions.warnings + sanctions.suspensions > 0 && (
          <li>{`For repeated misuse: ${sanctions.warnings} warned and ${sanctions.suspensions} suspended; ${sanctions.takenBack} of these were taken back.`}</li>
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
  /** The heads of the columns before the number. */
  heads: string[];
  /** The cells of each row before its number, and the number. */
  rows: [cells: string[], count: number][];
}

/** A table of numbers with their sum; nothing without rows. */
function Counts({ caption, heads, rows }: CountsProps): ReactNode {
  if (rows.length === 0) return null;
  const [total, cells] = [rows.reduce((sum, [, count]) => sum + count, 0), heads.length];
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">Number</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([[first, ...others], count]) => (
          <tr key={[first, ...others].join()}>
            <th scope="row">{first}</th>
            {others.map((cell) => (
              <td key={cell}>{cell}</td>
            ))}
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={cells}>
            All
          </th>
          <td>{total}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** A row for each number of stars and a column for each decision; nothing without decisions. */
function ByStars({ decisions }: { decisions: Counted["decisionsByStars"] }): ReactNode {
  if (decisions.length === 0) return null;
  const actions = [...new Set(decisions.map(({ action }) => action))];
  const rows = [...new Set(decisions.map(({ stars }) => stars))];
  return (
    <table>
      <caption>Decisions about reviews, by their stars</caption>
      <thead>
        <tr>
          <th scope="col">Review</th>
          {actions.map((action) => (
            <th key={action} scope="col">
              {ACTIONS[action]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((stars) => (
          <tr key={stars}>
            <th scope="row">{stars === null ? "No rating" : starsInWords(stars)}</th>
            {decisions
              .filter((one) => one.stars === stars)
              .map(({ action, count }) => (
                <td key={action}>{count ?? "fewer than 3"}</td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
