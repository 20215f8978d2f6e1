import type { TourDocument } from "#models/tour";
import { currencyNamed } from "~/lib/currencies.server";
import { languageCode } from "./language.server";
import type { Limits } from "./limits";

// The facts of tours by which a list is limited. A tour without a fact suits no limit of it.

interface Facts {
  languages: readonly string[];
  price: number;
  minAge: number;
  hours: number;
}

/** A value of a limit, and how many tours there are with it and all other limits. */
export interface LimitChoice<Value> {
  value: Value;
  tours: number;
}

export interface Choices {
  language: LimitChoice<string>[];
  price: LimitChoice<number>[];
  age: LimitChoice<number>[];
  hours: LimitChoice<number>[];
}

/** Greater than every limit. */
const UNKNOWN = Infinity;

export const HIGHEST_CHILDS_AGE = 17;
const AGES = Array.from({ length: HIGHEST_CHILDS_AGE }, (_, n) => n + 1);
const HOURS = [1, 2, 3, 4, 6, 8, 12, 24];
/** Round prices, but for a power of ten. */
const ROUND = [1, 1.5, 2, 3, 4, 5, 7.5];
const MOST_PRICES = 12;
const MOST_LANGUAGES = 40;

/** This part of the tours with a price is cheap. */
const CHEAP_PART = 1 / 4;

export class FactIndex {
  readonly #facts: Facts[] = [];
  readonly #currencies = new Set<string>();
  /** The codes of each list of languages, found once, as few lists differ. */
  readonly #languages = new Map<string, readonly string[]>();
  #prices: number[] | undefined;

  /** Adds the next tour; tours are numbered from 0. */
  add({ languages, price, currency, minAge, durationMinutes }: TourDocument): void {
    const known = price === null ? null : currencyNamed(currency);
    if (known !== null) this.#currencies.add(known);
    this.#prices = undefined;
    this.#facts.push({
      languages: this.#codesOf(languages),
      price: known === null || price === null ? UNKNOWN : price,
      minAge: minAge ?? UNKNOWN,
      hours: durationMinutes === null ? UNKNOWN : durationMinutes / 60,
    });
  }

  #codesOf(tags: readonly string[]): readonly string[] {
    const key = tags.join(" ");
    const known = this.#languages.get(key);
    if (known) return known;
    const codes = [...new Set(tags.flatMap((tag) => languageCode(tag) ?? []))];
    this.#languages.set(key, codes);
    return codes;
  }

  /** The currency of all prices; null where there are several, or none. */
  get currency(): string | null {
    const [one, ...others] = this.#currencies;
    return others.length === 0 ? (one ?? null) : null;
  }

  /** The lowest round price that covers the cheap ones; null without prices. */
  get cheap(): number | null {
    const prices = this.#choicesOf(this.#facts, "price", this.#steps);
    const all = prices.at(-1)?.tours ?? 0;
    return prices.find(({ tours }) => tours >= all * CHEAP_PART)?.value ?? null;
  }

  /** Whether a tour is led in that language. */
  isSpoken(code: string): boolean {
    return [...this.#languages.values()].some((codes) => codes.includes(code));
  }

  suits(tour: number, limits: Limits): boolean {
    return suits(this.#facts[tour]!, limits);
  }

  choices(tours: readonly number[], limits: Limits): Choices {
    const facts = tours.map((tour) => this.#facts[tour]!);
    const beside = (limit: keyof Limits) =>
      facts.filter((some) => suits(some, { ...limits, [limit]: null }));
    const languages = new Map<string, number>();
    for (const some of beside("language"))
      for (const code of some.languages) languages.set(code, (languages.get(code) ?? 0) + 1);
    return {
      language: [...languages]
        .map(([value, tours]) => ({ value, tours }))
        .sort((a, b) => b.tours - a.tours || (a.value < b.value ? -1 : 1))
        .slice(0, MOST_LANGUAGES),
      price: apart(this.#choicesOf(beside("price"), "price", this.#steps)).slice(0, MOST_PRICES),
      age: this.#choicesOf(beside("age"), "minAge", AGES).filter(({ tours }) => tours > 0),
      hours: apart(this.#choicesOf(beside("hours"), "hours", HOURS)),
    };
  }

  /** How many of these tours have at most each of the values, which ascend. */
  #choicesOf(
    facts: readonly Facts[],
    name: "price" | "minAge" | "hours",
    values: readonly number[],
  ): LimitChoice<number>[] {
    const counts = values.map(() => 0);
    for (const some of facts) {
      const first = values.findIndex((value) => some[name] <= value);
      if (first >= 0) counts[first]!++;
    }
    let tours = 0;
    return values.map((value, n) => ({ value, tours: (tours += counts[n]!) }));
  }

  /** Round prices from the lowest price to the highest one. */
  get #steps(): number[] {
    if (this.#prices) return this.#prices;
    const known = this.#facts.map(({ price }) => price).filter((price) => price < UNKNOWN);
    const lowest = known.reduce((a, b) => Math.min(a, b), UNKNOWN);
    const highest = known.reduce((a, b) => Math.max(a, b), 0);
    const steps: number[] = [];
    if (known.length > 0)
      for (let power = 0; (steps.at(-1) ?? -Infinity) < highest; power++)
        steps.push(...ROUND.map((one) => one * 10 ** power).filter((price) => price >= lowest));
    const end = steps.findIndex((price) => price >= highest);
    return (this.#prices = steps.slice(0, end + 1));
  }
}

const suits = (facts: Facts, { language, price, age, hours }: Limits): boolean =>
  (language === null || facts.languages.includes(language)) &&
  (price === null || facts.price <= price) &&
  (age === null || facts.minAge <= age) &&
  (hours === null || facts.hours <= hours);

/** Leaves out choices that have no more tours than the one before. */
const apart = (choices: LimitChoice<number>[]) =>
  choices.filter(({ tours }, n) => tours > (choices[n - 1]?.tours ?? 0));
