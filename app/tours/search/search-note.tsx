import { Link } from "@remix-run/react";
import { type IgnoredDay, listAddress, type ListQuery, toursInWords } from "./list-query";
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
  days,
  asWords,
  ignored,
}: Pick<TourSearch, "partial" | "mistyped" | "corrected" | "days" | "asWords"> &
  Pick<ListQuery, "words"> & { ignored: IgnoredDay[] }) {
  if (!partial && mistyped.length === 0 && ignored.length === 0 && asWords === 0) return null;
  const these = { from: days?.from ?? null, to: days?.to ?? null };
  return (
    <div className="note stack">
      {asWords > 0 && (
        <p key="words">
          <Link to={listAddress({ words: quoted(words) })}>
            <span>{toursInWords(asWords)}</span> with “<bdi translate="no">{words}</bdi>” in the
            text
          </Link>
        </p>
      )}
      {ignored.length > 0 && (
        <p key="ignored">
          {ignored.map(({ text, why }, at) => (
            <span key={at}>
              “<bdi translate="no">{text}</bdi>” is <span>{why}</span>, so it was left out.{" "}
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
          <Link to={listAddress({ words: partial.meant, ...these })}>
            <bdi>{partial.meant}</bdi>
          </Link>
          ?
        </p>
      )}
      {partial && partial.instead.length > 0 && (
        <nav aria-label="Leave out other words" className="chips">
          {partial.instead.map(({ leftOut, words }) => (
            <Link key={words} to={listAddress({ words, ...these })}>
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
const quoted = (words: string) => `"${words.replaceAll('"', "")}"`;
