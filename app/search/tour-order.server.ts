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
type Order = Exclude<TourSort, "match">;

/** Ids and ratings of tours, which are numbered from 0, and their orders. */
export class TourOrder {
  readonly #ids: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #means: number[] = [];
  readonly #counts: number[] = [];
  readonly #orders: Record<Order, number[]> = { best: [], reviewed: [], newest: [] };
  readonly #unsorted = new Set<Order>();

  get size(): number {
    return this.#numbers.size;
  }

  /** Returns false, and adds nothing, when the tour is here already. */
  add(id: string, mean: number, count: number): boolean {
    if (this.#numbers.has(id)) return false;
    const number = this.#ids.push(id) - 1;
    this.#numbers.set(id, number);
    this.#means.push(mean);
    this.#counts.push(count);
    for (const order of Object.values(this.#orders)) order.push(number);
    for (const name of Object.keys(this.#orders)) this.#unsorted.add(name as Order);
    return true;
  }

  rate(id: string, { avgRating, reviewCount }: ChangedRatings): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    if (avgRating !== undefined) this.#means[number] = avgRating;
    if (reviewCount !== undefined) this.#counts[number] = reviewCount;
    this.#unsorted.add("best").add("reviewed");
  }

  /** Takes these tours out of all orders; the numbers of the others stay. */
  remove(ids: string[]): void {
    const gone = new Set(ids.map((id) => this.#numbers.get(id)));
    for (const id of ids) this.#numbers.delete(id);
    for (const [name, order] of Object.entries(this.#orders))
      this.#orders[name as Order] = order.filter((number) => !gone.has(number));
  }

  sorted(name: Order): readonly number[] {
    const order = this.#orders[name];
    // An order that was sorted before and has changed little is sorted in one pass.
    if (this.#unsorted.delete(name)) order.sort(this.#comparison(name));
    return order;
  }

  idOf(number: number): string {
    return this.#ids[number]!;
  }

  #comparison(name: Order): (a: number, b: number) => number {
    const [ids, means, counts] = [this.#ids, this.#means, this.#counts];
    // ObjectIds begin with the time at which they were made.
    const newer = (a: number, b: number) => (ids[a]! < ids[b]! ? 1 : -1);
    if (name === "newest") return newer;
    if (name === "reviewed")
      return (a, b) => counts[b]! - counts[a]! || means[b]! - means[a]! || newer(a, b);
    const scores = this.#scores();
    return (a, b) => scores[b]! - scores[a]! || counts[b]! - counts[a]! || newer(a, b);
  }

  /** By number, the mean of the tour's own reviews and of some that are as good as all reviews are. */
  #scores(): Float64Array {
    let stars = 0;
    let reviews = 0;
    for (const number of this.#numbers.values()) {
      stars += this.#means[number]! * this.#counts[number]!;
      reviews += this.#counts[number]!;
    }
    const meanOfAll = reviews && stars / reviews;
    return Float64Array.from(
      this.#means,
      (mean, number) =>
        (mean * this.#counts[number]! + meanOfAll * PRIOR_REVIEWS) /
        (this.#counts[number]! + PRIOR_REVIEWS),
    );
  }
}
