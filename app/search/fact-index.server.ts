import type { TourDocument } from "#models/tour";
import { currencyNamed } from "~/lib/currencies.server";
import { languageCode } from "./language.server";
import type { Limit, Limits } from "./limits";

// The facts of tours by which a list is limited. A tour without a fact suits no limit of it.

interface IndexedFacts {
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
  readonly #facts: IndexedFacts[] = [];
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
      languages: this.#toCodes(languages),
      price: known === null || price === null ? UNKNOWN : price,
      minAge: minAge ?? UNKNOWN,
      hours: durationMinutes === null ? UNKNOWN : durationMinutes / 60,
    });
  }

  #toCodes(tags: readonly string[]): readonly string[] {
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
    const counts = new StepCounts(this.#steps);
    for (const { price } of this.#facts) counts.add(price);
    const prices = counts.choices();
    const all = prices.at(-1)?.tours ?? 0;
    return prices.find(({ tours }) => tours >= all * CHEAP_PART)?.value ?? null;
  }

  /** Whether a tour is led in that language. */
  isSpoken(code: string): boolean {
    return [...this.#languages.values()].some((codes) => codes.includes(code));
  }

  suits(tour: number, limits: Limits): boolean {
    return missedLimits(this.#facts[tour]!, limits).length === 0;
  }

  choices(tours: readonly number[], limits: Limits): Choices {
    const languages = new Map<string, number>();
    const prices = new StepCounts(this.#steps);
    const ages = new StepCounts(AGES);
    const hours = new StepCounts(HOURS);
    for (const tour of tours) {
      const facts = this.#facts[tour]!;
      const missed = missedLimits(facts, limits);
      const suitsOthers = (limit: Limit) => missed.every((one) => one === limit);
      if (suitsOthers("language"))
        for (const code of facts.languages) languages.set(code, (languages.get(code) ?? 0) + 1);
      if (suitsOthers("price")) prices.add(facts.price);
      if (suitsOthers("age")) ages.add(facts.minAge);
      if (suitsOthers("hours")) hours.add(facts.hours);
    }
    return {
      language: [...languages]
        .map(([value, tours]) => ({ value, tours }))
        .sort((a, b) => b.tours - a.tours || (a.value < b.value ? -1 : 1))
        .slice(0, MOST_LANGUAGES),
      price: apart(prices.choices()).slice(0, MOST_PRICES),
      age: ages.choices().filter(({ tours }) => tours > 0),
      hours: apart(hours.choices()),
    };
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

/** Counts values by the lowest of these ascending steps that they do not exceed. */
class StepCounts {
  readonly #counts: number[];

  constructor(private readonly steps: readonly number[]) {
    this.#counts = steps.map(() => 0);
  }

  add(value: number): void {
    const first = this.steps.findIndex((step) => value <= step);
    if (first >= 0) this.#counts[first]!++;
  }

  /** How many tours have at most each of the steps. */
  choices(): LimitChoice<number>[] {
    let tours = 0;
    return this.steps.map((value, n) => ({ value, tours: (tours += this.#counts[n]!) }));
  }
}

function missedLimits(facts: IndexedFacts, { language, price, age, hours }: Limits): Limit[] {
  const missed: Limit[] = [];
  if (language !== null && !facts.languages.includes(language)) missed.push("language");
  if (price !== null && facts.price > price) missed.push("price");
  if (age !== null && facts.minAge > age) missed.push("age");
  if (hours !== null && facts.hours > hours) missed.push("hours");
  return missed;
}

/** Leaves out choices that have no more tours than the one before. */
const apart = (choices: LimitChoice<number>[]) =>
  choices.filter(({ tours }, n) => tours > (choices[n - 1]?.tours ?? 0));
