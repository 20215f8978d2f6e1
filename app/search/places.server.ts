/** Longest name of a place; longer ones are addresses. */
const LONGEST_PLACE = 60;
const TOP_PLACES = 20;

/** The places of tours. */
export class Places {
  readonly #tours = new Map<string, number>();
  #top: string[] | undefined;

  add(place: string): void {
    if (place === "" || place.length > LONGEST_PLACE) return;
    this.#tours.set(place, (this.#tours.get(place) ?? 0) + 1);
    this.#top = undefined;
  }

  /** Returns the places with the most tours. */
  top(most: number): string[] {
    this.#top ??= [...this.#tours]
      .sort(([a, toursOfA], [b, toursOfB]) => toursOfB - toursOfA || (a < b ? -1 : 1))
      .slice(0, TOP_PLACES)
      .map(([place]) => place);
    return this.#top.slice(0, most);
  }
}
