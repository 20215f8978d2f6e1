import SearchableMap from "minisearch/SearchableMap";
import { Postings } from "./postings.server";
import { endingsOf, isUnspaced } from "./search-words.server";

/** The texts in scripts without spaces, where a name may begin within a word of the dictionary. */
export class Endings {
  readonly #endings = new SearchableMap<Postings>();

  add(tour: number, text: string, weight: number): void {
    for (const ending of new Set(endingsOf(text)))
      this.#endings.fetch(ending, () => new Postings()).push(tour, weight);
  }

  /** The tours in which a word of such a script stands anywhere. */
  startingWith(word: string): Postings[] {
    return isUnspaced(word) ? [...this.#endings.atPrefix(word).values()] : [];
  }
}
