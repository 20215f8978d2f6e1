import { Link } from "@remix-run/react";
import { toursInWords } from "~/tours/tours-in-words";
import { type Ignored, listAddress, type ListQuery } from "./list-query";
import type { TourSearch } from "./search.server";

/** Words as somebody typed them, such as “sunset” and “cruise”. */
export function TypedWords({ words, last = "and" }: { words: string[]; last?: "and" | "or" }) {
  return (
    <span>
      {words.map((word, index) => (
        <span key={word}>
          <span>{index === 0 ? "“" : index < words.length - 1 ? ", “" : ` ${last} “`}</span>
          <bdi translate="no">{word}</bdi>
          <span>”</span>
        </span>
      ))}
    </span>
  );
}

export function SearchNote({
  partial,
  mistyped,
  corrected,
  words,
  asWords,
  ignored,
  ...list
}: Pick<TourSearch, "partial" | "mistyped" | "corrected" | "days" | "asWords"> &
  ListQuery & { ignored: Ignored[] }) {
  if (!partial && mistyped.length === 0 && ignored.length === 0 && asWords === 0) return null;
  const these = { ...list, ...(list.days && { from: list.days.from, to: list.days.to }), page: 1 };
  return (
    <div className="note stack">
      {asWords > 0 && (
        <p key="words">
          <Link to={listAddress({ words: inQuotationMarks(words) })}>
            <span>{toursInWords(asWords)}</span> with “<bdi translate="no">{words}</bdi>” in the
            text
          </Link>
        </p>
      )}
      {ignored.length > 0 && (
        <p key="ignored">
          {ignored.map(({ text, why }, at) => (
            <span key={at}>
              <span>
                {why === null ? (
                  <span key="turned">The last day is before the first, so we left it out.</span>
                ) : (
                  <span key="none">
                    “<bdi translate="no">{text}</bdi>” is <span>{why}</span>, so we left it out.
                  </span>
                )}
              </span>{" "}
            </span>
          ))}
        </p>
      )}
      {partial && (
        <p key="partial">
          No tour matches all your words. None of these mentions{" "}
          <TypedWords words={partial.leftOut} last="or" />.
        </p>
      )}
      {mistyped.length > 0 && (
        <p key="mistyped">
          No results for <TypedWords words={mistyped} last="or" />. Showing results for{" "}
          <TypedWords words={corrected} last="or" />.
        </p>
      )}
      {partial?.meant && (
        <p key="meant">
          Did you mean{" "}
          <Link to={listAddress({ ...these, words: partial.meant })}>
            <bdi>{partial.meant}</bdi>
          </Link>
          ?
        </p>
      )}
      {partial && partial.instead.length > 0 && (
        <nav aria-label="Leave out other words" className="chips">
          {partial.instead.map(({ leftOut, words }) => (
            <Link key={words} to={listAddress({ ...these, words })}>
              <span>
                Without <TypedWords words={leftOut} /> instead
              </span>
            </Link>
          ))}
        </nav>
      )}
    </div>
  );
}

/** Words between quotation marks are no date. */
const inQuotationMarks = (words: string) => `"${words.replaceAll('"', "")}"`;
