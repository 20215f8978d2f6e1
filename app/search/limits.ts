/** Filters by a tour's facts (docs/rules/tours.md, Tours); null for no filter. */
export interface Limits {
  /** As `languageCode` returns it. */
  language: string | null;
  /** The highest price, in the tour's own currency. */
  price: number | null;
  /** In years: that of the youngest who comes along. */
  age: number | null;
  /** The longest duration. */
  hours: number | null;
}

export type Limit = keyof Limits;

export const LIMITS = ["language", "price", "age", "hours"] as const satisfies readonly Limit[];

export const NO_LIMITS: Limits = { language: null, price: null, age: null, hours: null };
