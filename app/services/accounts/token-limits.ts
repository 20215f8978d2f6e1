// What forms and services both know of access tokens.

/** How many tokens a user may have that are not expired. */
export const TOKENS_PER_USER = 50;

export const TOKENS_PER_PAGE = 20;

/** For how many days a token can be made, by the value of the form's field; null is for ever. */
export const TOKEN_LIFETIMES = {
  "30": { label: "30 days", days: 30 },
  "90": { label: "90 days", days: 90 },
  "365": { label: "A year", days: 365 },
  never: { label: "Until I revoke it", days: null },
} as const;

/** What the form suggests. */
export const DEFAULT_LIFETIME: keyof typeof TOKEN_LIFETIMES = "90";
