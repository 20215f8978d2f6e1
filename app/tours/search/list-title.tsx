import { toursInWords } from "~/tours/tours-in-words";
import type { ListQuery } from "./list-query";
import type { TourSearch } from "./search.server";

type ListSummary = Pick<ListQuery, "words"> &
  Pick<TourSearch, "total" | "preparing" | "told" | "days" | "limits">;

/** Whether the list is one of what was asked for, rather than all tours. */
export const isAsked = ({ words, days, limits }: Pick<ListSummary, "words" | "days" | "limits">) =>
  words !== "" || days !== null || limits.length > 0;

/** "9 tours" */
export const foundToursInWords = ({
  total,
  preparing,
}: Pick<ListSummary, "total" | "preparing">) =>
  preparing ? "Tours" : total === 0 ? "No tours" : toursInWords(total);

/** Beside words: the limits, and the days. */
export const limitsInWords = ({ days, limits }: Pick<ListSummary, "days" | "limits">): string[] => [
  ...limits.map(({ inWords }) => inWords),
  ...(days ? [days.inWords] : []),
];

/** "9 tours for children · in German · Sat 5 Dec" */
export function AskedTitle(list: ListSummary) {
  const limits = limitsInWords(list);
  return (
    <h1 className="asked">
      <span>{foundToursInWords(list)}</span>
      {list.told && (
        <span key="told">
          {" "}
          for <bdi translate="no">{list.told}</bdi>
        </span>
      )}
      {limits.length > 0 && <span key="dot">{"\u00A0·"}</span>}
      {limits.map((limit, n) => (
        <span key={limit}>
          {" "}
          <span className="limit">
            <span>{limit}</span>
            {n < limits.length - 1 && <span key="dot">{"\u00A0·"}</span>}
          </span>
        </span>
      ))}
    </h1>
  );
}
