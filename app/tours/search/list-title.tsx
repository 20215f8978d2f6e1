import type { ListQuery } from "./list-query";
import { toursInWords } from "./list-query";
import type { TourSearch } from "./search.server";

type Asked = Pick<ListQuery, "words"> & Pick<TourSearch, "total" | "preparing" | "told" | "days">;

/** Each after a dot; no line begins with one. */
export const DOT = "\u00A0· ";

/** Whether the list is one of what was asked for, rather than all tours. */
export const isAsked = ({ words, days }: Pick<Asked, "words" | "days">) =>
  words !== "" || days !== null;

/** "9 tours" */
export const countInWords = ({ total, preparing }: Pick<Asked, "total" | "preparing">) =>
  preparing ? "Tours" : total === 0 ? "No tours" : toursInWords(total);

/** Beside words: the days. */
export const limitsInWords = ({ days }: Pick<Asked, "days">): string[] =>
  days ? [days.inWords] : [];

/** "9 tours for children · Sat 5 Dec" */
export function AskedTitle(list: Asked) {
  const limits = limitsInWords(list);
  return (
    <h1 className="asked">
      <span>{countInWords(list)}</span>
      {list.told && (
        <span key="told">
          {" "}
          for <bdi translate="no">{list.told}</bdi>
        </span>
      )}
      {limits.map((limit) => (
        <span key={limit}>
          <span>{DOT}</span>
          <span>{limit}</span>
        </span>
      ))}
    </h1>
  );
}
