import { cursorCodec, cursorId, cursorMean, cursorNumber } from "~/db/cursor.server";

/**
 * Every tour is given so many average reviews on top of its own when the best rated are sorted, so that a single
 * 5-star review does not outrank a hundred of 4.8.
 */
const PRIOR_REVIEWS = 10;

/** An absent rating stays as it is. */
export interface ChangedRatings {
  avgRating?: number;
  reviewCount?: number;
}

/** Orders of tours; `match` is that of a search, and otherwise `best`. */
export type TourSort = "match" | "best" | "reviewed" | "newest";
type ListOrder = Exclude<TourSort, "match">;

export interface OrderedTour {
  /** From 0, in the order in which they came. */
  number: number;
  id: string;
  mean: number;
  count: number;
}

/** Where a page of a list ends, whether or not its last tour is still there. */
export type PlaceInOrder = Omit<OrderedTour, "number"> & {
  /** How well it matches a search; 0 in other orders. */
  score: number;
};

export const tourCursor = cursorCodec<PlaceInOrder>({
  mean: cursorMean,
  count: cursorNumber(/^\d{1,9}$/),
  id: cursorId,
  score: cursorNumber(/^\d{1,9}$/),
});

type RatedTour = Omit<OrderedTour, "number">;
type Comparison = (a: RatedTour, b: RatedTour) => number;

// ObjectIds begin with the time at which they were made.
const newestTourFirst: Comparison = (a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
const mostReviewedFirst: Comparison = (a, b) =>
  b.count - a.count || b.mean - a.mean || newestTourFirst(a, b);

export class TourOrder {
  readonly #tours = new Map<string, OrderedTour>();
  readonly #orders: Record<ListOrder, OrderedTour[]> = { best: [], reviewed: [], newest: [] };
  readonly #unsorted = new Set<ListOrder>();

  get size(): number {
    return this.#tours.size;
  }

  /** Returns false, and adds nothing, when the tour is here already. */
  add(id: string, mean: number, count: number): boolean {
    if (this.#tours.has(id)) return false;
    const tour = { number: this.#tours.size, id, mean, count };
    this.#tours.set(id, tour);
    for (const order of Object.values(this.#orders)) order.push(tour);
    this.#unsorted.add("best").add("reviewed").add("newest");
    return true;
  }

  rate(id: string, { avgRating, reviewCount }: ChangedRatings): void {
    const tour = this.#tours.get(id);
    if (!tour) return;
    tour.mean = avgRating ?? tour.mean;
    tour.count = reviewCount ?? tour.count;
    this.#unsorted.add("best").add("reviewed");
  }

  /** Takes these tours out of all orders. None may be added afterwards. */
  remove(ids: string[]): void {
    for (const id of ids) this.#tours.delete(id);
    for (const [name, order] of Object.entries(this.#orders))
      this.#orders[name as ListOrder] = order.filter(({ id }) => this.#tours.has(id));
  }

  sorted(name: ListOrder): readonly OrderedTour[] {
    const order = this.#orders[name];
    // An order that was sorted before and has changed little is sorted in one pass.
    if (this.#unsorted.delete(name)) order.sort(this.comparison(name));
    return order;
  }

  comparison(name: ListOrder): Comparison {
    if (name === "newest") return newestTourFirst;
    if (name === "reviewed") return mostReviewedFirst;
    let stars = 0;
    let reviews = 0;
    for (const { mean, count } of this.#tours.values()) {
      stars += mean * count;
      reviews += count;
    }
    const meanOfAll = reviews && stars / reviews;
    /** The mean of its own reviews and of some that are as good as all reviews are. */
    const toScore = ({ mean, count }: RatedTour) =>
      (mean * count + meanOfAll * PRIOR_REVIEWS) / (count + PRIOR_REVIEWS);
    return (a, b) => toScore(b) - toScore(a) || b.count - a.count || newestTourFirst(a, b);
  }
}
