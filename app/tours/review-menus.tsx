import { Link } from "@remix-run/react";
import { REVIEW_SORTS, type ReviewSort } from "~/lib/review-limits";
import { Menu } from "~/ui/menu";
import { countForStars, reviewsInWords, starsInWords } from "~/ui/stars";
import { isAll, reviewsAddress, type Selection, SORTED_FROM } from "./tour-address";
import type { TourPage } from "./tours.server";

const STARS = [5, 4, 3, 2, 1] as const;
const SORT_NAMES: Record<ReviewSort, string> = {
  newest: "Newest",
  highest: "Highest",
  lowest: "Lowest",
  telling: "Most detailed",
};
const MOST_LANGUAGES = 6;

interface Props {
  tour: TourPage;
  selection: Selection;
  languages: { tag: string; name: string; count: number }[];
  /** The name of the chosen language. */
  inLanguage: string | null;
  /** How many of the reviews the page shows, and how many there are. */
  shown: number;
  total: number;
}

/** Orders a tour's reviews, and chooses some of them; each choice is said in its own menu. */
export function ReviewMenus({ tour, selection, languages, inLanguage, shown, total }: Props) {
  const { stars, commented, sort, language } = selection;
  const { slug, reviewCount, ratingCounts } = tour;
  const to = (change: Partial<Selection>) => reviewsAddress(slug, { ...selection, ...change });
  // A platform's tour may have other numbers than its reviews say.
  const isTrue = shown <= total && total <= reviewCount;
  const kinds = [stars && starsInWords(stars), commented && "with comments"].filter(Boolean);
  return (
    <>
      {(reviewCount >= SORTED_FROM || sort !== REVIEW_SORTS[0]) && (
        <div className="menus no-print">
          <Menu
            label="Order"
            chosen={SORT_NAMES[sort]}
            isOn={sort !== REVIEW_SORTS[0]}
            options={REVIEW_SORTS.map((name) => ({
              name: SORT_NAMES[name],
              to: to({ sort: name }),
              isChosen: name === sort,
            }))}
          />
          <Menu
            label="Stars"
            chosen={kinds.join(", ") || "All stars"}
            isOn={kinds.length > 0}
            options={[
              { name: "All stars", to: to({ stars: null }), isChosen: stars === null },
              ...STARS.map((value) => ({
                name: starsInWords(value),
                count: commented ? undefined : countForStars(ratingCounts, value),
                to: to({ stars: value }),
                isChosen: stars === value,
              })),
              {
                name: commented ? "Also without comments" : "With comments",
                to: to({ commented: !commented }),
                isChosen: false,
              },
            ]}
          />
          {(languages.length > 1 || language) && (
            <Menu
              label="Language"
              chosen={inLanguage ?? "Language"}
              isOn={language !== null}
              options={[
                { name: "All languages", to: to({ language: null }), isChosen: language === null },
                ...languages.slice(0, MOST_LANGUAGES).map(({ tag, name, count }) => ({
                  name,
                  count,
                  to: to({ language: tag }),
                  isChosen: tag === language,
                })),
              ]}
            />
          )}
        </div>
      )}
      {!isAll(selection) && (
        <p className="row small no-print">
          {isTrue && (
            <span className="muted">
              {`${total.toLocaleString("en-GB")} of ${reviewsInWords(reviewCount)}`}
            </span>
          )}
          <AllReviews tour={tour} selection={selection} />
        </p>
      )}
    </>
  );
}

/** Leads to all reviews, in the same order. */
export const AllReviews = ({ tour, selection: { sort } }: Pick<Props, "tour" | "selection">) => (
  <Link
    to={reviewsAddress(tour.slug, {
      stars: null,
      commented: false,
      words: "",
      language: null,
      sort,
    })}
  >
    {`Show all ${reviewsInWords(tour.reviewCount)}`}
  </Link>
);
