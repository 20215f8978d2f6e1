import { Fragment } from "react";
import { withoutControls } from "~/lib/text";

/** How many lines of a comment are shown before it folds. The style sheet cuts at as many. */
const LINES = 12;

/** How many columns a line holds at most, where there is room and on a phone. */
const WIDE = 90;
const NARROW = 45;

/** Marks, which take no room of their own. */
const MARKS = /\p{M}/gu;
/** Letters of East Asia, which take the room of two; emoji have two units anyway. */
const WIDE_LETTERS =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60]/g;
const columnCount = (line: string) => line.replace(MARKS, "").replace(WIDE_LETTERS, "--").length;

const lineCount = (text: string, width: number) =>
  text
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(columnCount(line) / width)), 0);

interface WrittenProps {
  text: string;
  /** As a BCP 47 tag, so that browsers translate it and screen readers pronounce it. */
  language?: string | null | undefined;
  /** Beginnings and ends of what was searched, in their order. */
  marks?: [number, number][] | undefined;
}

/** Each paragraph in the direction of its first letter. */
export function Written({ text, language, marks = [] }: WrittenProps) {
  // Control characters are removed from each part and not from the whole: the marks stand where they are in the text as
  // it was sent.
  const part = (from: number, to?: number) => withoutControls(text.slice(from, to));
  const whole = { className: "comment", dir: "auto", lang: language ?? undefined };
  if (marks.length === 0) return <p {...whole}>{part(0)}</p>;
  return (
    <p {...whole}>
      {marks.map(([from, to], index) => (
        <Fragment key={from}>
          <span>{part(marks[index - 1]?.[1] ?? 0, from)}</span>
          <mark>{part(from, to)}</mark>
        </Fragment>
      ))}
      <span>{part(marks.at(-1)?.[1] ?? 0)}</span>
    </p>
  );
}

/**
 * A long comment folds by a checkbox, which needs no script: all of it is there to be found, read aloud and printed.
 */
export function Comment({ id, ...written }: WrittenProps & { id: string }) {
  const { text, marks } = written;
  // A match is shown even in the folded part of the comment.
  if (marks?.length || lineCount(text, NARROW) <= LINES) return <Written {...written} />;
  return (
    <div className={lineCount(text, WIDE) > LINES ? "fold" : "fold fold-on-phone"}>
      <input type="checkbox" id={`more-${id}`} className="visually-hidden" autoComplete="off" />
      <Written {...written} />
      <label htmlFor={`more-${id}`} className="link-button">
        <span className="fold-more">Read more</span>
        <span className="fold-less">Show less</span>
      </label>
    </div>
  );
}
