const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

/** "EUR" for "eur"; null for what is no currency. */
export function currencyNamed(code: string | null): string | null {
  const known = code?.toUpperCase() ?? "";
  return CURRENCIES.has(known) ? known : null;
}

/** "€30", "€27.50" */
export const priceInWords = (amount: number, currency: string) =>
  new Intl.NumberFormat("en-GB", {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  }).format(amount);
