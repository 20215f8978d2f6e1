import { Form, Link, useSearchParams } from "@remix-run/react";
import { isolated } from "~/infra/text";
import { SelectField } from "~/ui/forms";
import { starsInWords } from "~/ui/stars";
import type { GuideOverview } from "./guide-overview.server";
import { guideQueryOf, useGuideAddress } from "./guide-address";

/** The parameters of the page's other lists, which stay as they are. */
const OTHERS = ["tours", "open", "upcoming", "past"];

interface Props {
  filter: GuideOverview["filter"];
  isFiltered: boolean;
}

export function ReviewFilter({ filter, isFiltered }: Props) {
  const [shown] = useSearchParams();
  const address = useGuideAddress();
  const { tour, tours, stars, byStars } = filter;
  return (
    <Form action="/guide#reviews" className="search">
      {OTHERS.map((name) => {
        const value = shown.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
      {tours.length > 1 && (
        <SelectField label="Tour" name="tour" idPrefix="reviews-" defaultValue={tour ?? ""}>
          <option value="">All tours</option>
          {tours.map(({ id, title }) => (
            <option key={id} value={id}>
              {isolated(title)}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField label="Stars" name="stars" idPrefix="reviews-" defaultValue={stars ?? ""}>
        <option value="">All</option>
        {([5, 4, 3, 2, 1] as const).map((value) => (
          <option key={value} value={value}>
            {`${starsInWords(value)} (${byStars[value].toLocaleString("en-GB")})`}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Order"
        name="sort"
        idPrefix="reviews-"
        defaultValue={guideQueryOf(shown).sort}
      >
        <option value="unanswered">Unanswered first</option>
        <option value="newest">Newest first</option>
      </SelectField>
      <button type="submit" className="button button-quiet">
        Show
      </button>
      {isFiltered && (
        <Link to={address({ tour: null, stars: null, after: null }, "reviews")}>
          Show all reviews
        </Link>
      )}
    </Form>
  );
}
